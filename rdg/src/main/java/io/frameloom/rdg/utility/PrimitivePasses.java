package io.frameloom.rdg.utility;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.compute.BracketArguments;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.compute.ClipArguments;
import io.frameloom.gpu.compute.ClipBox;
import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.compute.CompactArguments;
import io.frameloom.gpu.compute.PrefixScan;
import io.frameloom.gpu.compute.ScanArguments;
import io.frameloom.gpu.compute.ScanKind;
import io.frameloom.gpu.compute.StreamCompaction;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgBufferView;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RenderGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The primitives of {@code io.frameloom.gpu.compute} as passes: scan, bracket matching, compaction, clip boxes. Their
 * scratch memory is transient. A primitive must stay open until the frame has completed. The thread that declares the
 * graph.
 *
 * <p>Each method returns its pass, for {@link PassBuilder#flag} and {@link PassBuilder#after}; it throws {@link
 * RdgException}, and adds no pass, if a view is too small or begins where it may not, if a length is negative or more
 * than the primitive takes, or if the primitive is closed. It throws {@link NullPointerException} if something is
 * missing. Views may be larger than needed. A pass of length 0 does nothing; only a compaction then writes that no
 * element stays.
 *
 * <p>A view that is only read begins at a multiple of 4 bytes. One that is written begins at a multiple of the
 * alignment of the device's storage bindings, which the primitive knows. Where a view that is read begins beside such a
 * multiple, the binding begins at the multiple before. To the graph the pass reads from there on.
 */
public final class PrimitivePasses {
    private static final long BOX_BYTES = 16;

    private PrimitivePasses() {}

    /**
     * Scans elements.
     *
     * @param input {@code length} elements
     * @param output where the results go: {@code input} itself, or what does not touch it
     */
    public static PassBuilder scan(
            RenderGraph graph,
            String name,
            PrefixScan scan,
            ScanKind kind,
            long length,
            RdgBufferView input,
            RdgBufferView output) {
        return scanned(graph, name, scan, kind, length, input, output, null);
    }

    /**
     * Scans elements in segments.
     *
     * @param input {@code length} elements
     * @param output where the results go: {@code input} itself, or what does not touch it
     * @param heads a bit for each element, set where a segment begins
     */
    public static PassBuilder scanSegmented(
            RenderGraph graph,
            String name,
            PrefixScan scan,
            ScanKind kind,
            long length,
            RdgBufferView input,
            RdgBufferView output,
            RdgBufferView heads) {
        return scanned(graph, name, scan, kind, length, input, output, heads);
    }

    private static PassBuilder scanned(
            RenderGraph graph,
            String name,
            PrefixScan scan,
            ScanKind kind,
            long length,
            RdgBufferView input,
            RdgBufferView output,
            @Nullable RdgBufferView heads) {
        if (scan.isSegmented() != (heads != null)) {
            throw new RdgException("pass '" + name + "': the scan is "
                    + (heads == null ? "segmented; use scanSegmented" : "not segmented; make it with createSegmented"));
        }
        Declaration pass = new Declaration(name, length, scan.storageAlignment(), scan::scratchBytes);
        long bytes = length * scan.operator().type().bytes();
        boolean inPlace = input.buffer() == output.buffer() && input.offset() == output.offset();
        if (inPlace) {
            pass.use("input", input, bytes, Use.UPDATE);
        } else {
            pass.use("input", input, bytes, Use.READ);
            pass.use("output", output, bytes, Use.WRITE);
        }
        if (heads != null) {
            pass.use("heads", heads, bitBytes(length), Use.READ);
        }
        return pass.add(graph, scan::uses, scan::record, (ranges, scratch) -> {
            // Whether it can look back depends on more than its scratch memory: not on that where it is in place.
            BufferRange from = ranges.of(input, bytes);
            return new ScanArguments(
                    kind,
                    length,
                    from,
                    inPlace ? from : ranges.of(output, bytes),
                    scratch,
                    heads == null ? null : ranges.of(heads, bitBytes(length)));
        });
    }

    /**
     * Matches brackets.
     *
     * @param brackets {@code length} elements, as the matching's input has them
     * @param links a word for each
     */
    public static PassBuilder match(
            RenderGraph graph,
            String name,
            BracketMatch match,
            long length,
            RdgBufferView brackets,
            RdgBufferView links) {
        Declaration pass = new Declaration(name, length, match.storageAlignment(), match::scratchBytes);
        long bytes = match.input().bytes(length);
        long linkBytes = length * Integer.BYTES;
        pass.use("brackets", brackets, bytes, Use.READ);
        pass.use("links", links, linkBytes, Use.WRITE);
        return pass.add(
                graph,
                match::uses,
                match::record,
                (ranges, scratch) ->
                        new BracketArguments(length, ranges.of(brackets, bytes), ranges.of(links, linkBytes), scratch));
    }

    /**
     * Moves the elements that stay together.
     *
     * @param input {@code length} elements
     * @param keep a bit for each, set if it stays
     * @param output room for all of them; contents after those that stay are undefined
     * @param count a word for their number, written for length 0, too
     */
    public static PassBuilder compact(
            RenderGraph graph,
            String name,
            StreamCompaction compaction,
            long length,
            RdgBufferView input,
            RdgBufferView keep,
            RdgBufferView output,
            RdgBufferView count) {
        Declaration pass = new Declaration(name, length, compaction.storageAlignment(), compaction::scratchBytes);
        long bytes = length * compaction.type().bytes();
        pass.use("input", input, bytes, Use.READ);
        pass.use("keep", keep, bitBytes(length), Use.READ);
        pass.use("output", output, bytes, Use.WRITE);
        pass.use("count", count, Integer.BYTES, Use.WRITE);
        return pass.add(
                graph,
                compaction::uses,
                compaction::record,
                (ranges, scratch) -> new CompactArguments(
                        length,
                        ranges.of(input, bytes),
                        ranges.of(keep, bitBytes(length)),
                        ranges.of(output, bytes),
                        ranges.of(count, Integer.BYTES),
                        scratch));
    }

    /**
     * Cuts boxes by the clips around them.
     *
     * @param end what the box of an END is
     * @param viewport what is on the stack before the first element
     * @param operations a word for each of {@code length} elements
     * @param boxes four floats for each
     * @param effective four floats for each
     * @param links a word for each
     */
    public static PassBuilder clipBoxes(
            RenderGraph graph,
            String name,
            ClipBoxes clips,
            ClipEnd end,
            ClipBox viewport,
            long length,
            RdgBufferView operations,
            RdgBufferView boxes,
            RdgBufferView effective,
            RdgBufferView links) {
        Declaration pass = new Declaration(name, length, clips.storageAlignment(), clips::scratchBytes);
        long wordBytes = length * Integer.BYTES;
        long boxBytes = length * BOX_BYTES;
        pass.use("operations", operations, wordBytes, Use.READ);
        pass.use("boxes", boxes, boxBytes, Use.READ);
        boolean readAgain = clips.effectiveAccess(length).reads();
        pass.use("effective", effective, boxBytes, readAgain ? Use.WRITE_AND_READ : Use.WRITE);
        pass.use("links", links, wordBytes, Use.WRITE_AND_READ);
        return pass.add(
                graph,
                clips::uses,
                clips::record,
                (ranges, scratch) -> new ClipArguments(
                        length,
                        end,
                        viewport,
                        ranges.of(operations, wordBytes),
                        ranges.of(boxes, boxBytes),
                        ranges.of(effective, boxBytes),
                        ranges.of(links, wordBytes),
                        scratch));
    }

    private static long bitBytes(long length) {
        return (length + Integer.SIZE - 1) / Integer.SIZE * Integer.BYTES;
    }

    /** What is done with a view. */
    private enum Use {
        READ,
        WRITE,
        /** Nothing of what was there before is read, only what the pass has written. */
        WRITE_AND_READ,
        UPDATE
    }

    /** Gives the ranges of views: of stand-ins when a pass is declared, of the frame's buffers when it is recorded. */
    private interface Ranges {
        /** Returns the range of a view of which some bytes are used, perhaps none. */
        BufferRange of(RdgBufferView view, long bytes);
    }

    /** Makes the arguments of a primitive, once to check and once to record them. */
    private interface Arguments<A> {
        A of(Ranges ranges, BufferRange scratch);
    }

    /** A pass that is checked before it is added. */
    private static final class Declaration {
        /** What is bound of a buffer. */
        private record Part(RdgBuffer buffer, long offset, long bytes, Use use) {
            boolean touches(Part other) {
                return buffer == other.buffer
                        && offset < other.offset + other.bytes
                        && other.offset < offset + bytes
                        && (use != Use.READ || other.use != Use.READ);
            }
        }

        private final String name;
        private final int alignment;
        private final long scratchBytes;
        private final List<Part> parts = new ArrayList<>();

        Declaration(String name, long length, int alignment, LongUnaryOperator scratchBytes) {
            this.name = name;
            this.alignment = alignment;
            try {
                this.scratchBytes = scratchBytes.applyAsLong(length);
            } catch (IllegalArgumentException e) {
                throw new RdgException("pass '" + name + "': " + e.getMessage(), e);
            }
        }

        void use(String role, RdgBufferView view, long bytes, Use use) {
            String where = "pass '" + name + "': the " + role + " is bytes " + view.offset() + "+" + view.bytes()
                    + " of buffer '" + view.buffer().name() + "', but ";
            if (view.bytes() < bytes) {
                throw new RdgException(where + bytes + " bytes are needed");
            }
            if (use == Use.READ && view.offset() % Integer.BYTES != 0) {
                throw new RdgException(where + "must begin at a multiple of " + Integer.BYTES);
            }
            if (use != Use.READ && view.offset() % alignment != 0) {
                throw new RdgException(where + "is written, and so must begin at a multiple of " + alignment
                        + ", which the device's storage bindings do");
            }
            if (bytes == 0) {
                return;
            }
            long before = view.offset() % alignment;
            Part part = new Part(view.buffer(), view.offset() - before, before + bytes, use);
            if (parts.stream().anyMatch(part::touches)) {
                throw new RdgException("pass '" + name + "': the " + role + " touches what else the pass uses of"
                        + " buffer '" + view.buffer().name() + "', from the multiple of " + alignment
                        + " on at or before its beginning; keep them apart");
            }
            parts.add(part);
        }

        /** Adds the pass, after the primitive has checked what it will record, all but the views. */
        <A> PassBuilder add(
                RenderGraph graph, Consumer<A> check, BiConsumer<CommandList, A> record, Arguments<A> arguments) {
            try {
                check.accept(arguments.of(
                        (view, bytes) -> DeclaredBuffer.range(view.buffer().name(), bytes),
                        DeclaredBuffer.range("scratch", scratchBytes)));
            } catch (IllegalArgumentException | IllegalStateException e) {
                throw new RdgException("pass '" + name + "': " + e.getMessage(), e);
            }
            if (parts.isEmpty()) {
                PassBuilder nothing = graph.addPass(name, PassKind.COMPUTE);
                nothing.record(context -> {});
                return nothing;
            }
            RdgBuffer scratch = graph.createBuffer(
                    "scratch of " + name, BufferDescription.device(scratchBytes, BufferUsage.STORAGE));
            PassBuilder pass =
                    graph.addPass(name, PassKind.COMPUTE).overwrites(scratch, Access.STORAGE_READ_WRITE_COMPUTE);
            for (Part part : parts) {
                switch (part.use) {
                    case READ -> pass.reads(part.buffer, part.offset, part.bytes, Access.STORAGE_READ_COMPUTE);
                    case WRITE -> pass.overwrites(part.buffer, part.offset, part.bytes, Access.STORAGE_WRITE_COMPUTE);
                    case WRITE_AND_READ ->
                        pass.overwrites(part.buffer, part.offset, part.bytes, Access.STORAGE_READ_WRITE_COMPUTE);
                    case UPDATE -> pass.writes(part.buffer, part.offset, part.bytes, Access.STORAGE_READ_WRITE_COMPUTE);
                }
            }
            pass.record(context -> {
                BufferRange memory = new BufferRange(context.buffer(scratch), 0, scratchBytes);
                // Nothing is declared of a view of which no byte is used.
                Ranges bound = (view, bytes) -> bytes == 0
                        ? new BufferRange(memory.buffer(), 0, 0)
                        : new BufferRange(context.buffer(view.buffer()), view.offset(), view.bytes());
                record.accept(context.commands(), arguments.of(bound, memory));
            });
            return pass;
        }
    }
}
