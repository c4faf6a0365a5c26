package io.frameloom.rdg.utility;

import io.frameloom.gpu.command.Access;
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
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgBufferView;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RenderGraph;
import java.util.ArrayList;
import java.util.List;
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
        // Whether it can look back depends on more than its scratch memory: not on that where it is in place.
        BufferRange from = DeclaredBuffer.range("input", bytes);
        pass.check(scratch -> scan.uses(new ScanArguments(
                kind,
                length,
                from,
                inPlace ? from : DeclaredBuffer.range("output", bytes),
                scratch,
                heads == null ? null : DeclaredBuffer.range("heads", bitBytes(length)))));
        return pass.add(
                graph,
                (context, scratch) -> scan.record(
                        context.commands(),
                        new ScanArguments(
                                kind,
                                length,
                                range(context, input),
                                range(context, output),
                                scratch,
                                heads == null ? null : range(context, heads))));
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
        pass.check(scratch -> match.uses(new BracketArguments(
                length, DeclaredBuffer.range("brackets", bytes), DeclaredBuffer.range("links", linkBytes), scratch)));
        return pass.add(
                graph,
                (context, scratch) -> match.record(
                        context.commands(),
                        new BracketArguments(length, range(context, brackets), range(context, links), scratch)));
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
        pass.check(scratch -> compaction.uses(new CompactArguments(
                length,
                DeclaredBuffer.range("input", bytes),
                DeclaredBuffer.range("keep", bitBytes(length)),
                DeclaredBuffer.range("output", bytes),
                DeclaredBuffer.range("count", Integer.BYTES),
                scratch)));
        return pass.add(
                graph,
                (context, scratch) -> compaction.record(
                        context.commands(),
                        new CompactArguments(
                                length,
                                rangeOf(length, context, input, scratch),
                                rangeOf(length, context, keep, scratch),
                                rangeOf(length, context, output, scratch),
                                range(context, count),
                                scratch)));
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
        pass.check(scratch -> clips.uses(new ClipArguments(
                length,
                end,
                viewport,
                DeclaredBuffer.range("operations", wordBytes),
                DeclaredBuffer.range("boxes", boxBytes),
                DeclaredBuffer.range("effective", boxBytes),
                DeclaredBuffer.range("links", wordBytes),
                scratch)));
        return pass.add(
                graph,
                (context, scratch) -> clips.record(
                        context.commands(),
                        new ClipArguments(
                                length,
                                end,
                                viewport,
                                range(context, operations),
                                range(context, boxes),
                                range(context, effective),
                                range(context, links),
                                scratch)));
    }

    private static long bitBytes(long length) {
        return (length + Integer.SIZE - 1) / Integer.SIZE * Integer.BYTES;
    }

    private static BufferRange range(PassContext context, RdgBufferView view) {
        return new BufferRange(context.buffer(view.buffer()), view.offset(), view.bytes());
    }

    /** Returns the range of a view of some elements; of none, of which nothing is declared, an empty one. */
    private static BufferRange rangeOf(long length, PassContext context, RdgBufferView view, BufferRange scratch) {
        return length == 0 ? new BufferRange(scratch.buffer(), 0, 0) : range(context, view);
    }

    /** What is done with a view. */
    private enum Use {
        READ,
        WRITE,
        /** Nothing of what was there before is read, only what the pass has written. */
        WRITE_AND_READ,
        UPDATE
    }

    /** Records a primitive. */
    private interface Body {
        void record(PassContext context, BufferRange scratch);
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

        /** Lets a primitive check what it will record, all but the views. */
        void check(Consumer<BufferRange> primitive) {
            try {
                primitive.accept(DeclaredBuffer.range("scratch", scratchBytes));
            } catch (IllegalArgumentException | IllegalStateException e) {
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

        PassBuilder add(RenderGraph graph, Body body) {
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
            PassBody recorded =
                    context -> body.record(context, new BufferRange(context.buffer(scratch), 0, scratchBytes));
            pass.record(recorded);
            return pass;
        }
    }
}
