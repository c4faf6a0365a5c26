package io.frameloom.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;

/** One recording of clip boxes: data that exceeds a binding goes through windows of the same elements. */
final class ClipRecording {
    /**
     * The shaders and sizes of the computation.
     *
     * @param expand turns operations into brackets
     * @param cut cuts the elements that partitions leave open
     * @param plant plants the forest
     * @param jump moves its nodes further
     * @param apply writes the results
     * @param applyAligned the same for boxes at multiples of 16 bytes
     * @param applyInside the same without the clips before partitions
     * @param gather adds that
     * @param match matches the brackets
     * @param limits of a dispatch
     */
    record Programs(
            ComputePipeline expand,
            ComputePipeline cut,
            ComputePipeline plant,
            ComputePipeline jump,
            ComputePipeline apply,
            ComputePipeline applyAligned,
            ComputePipeline applyInside,
            ComputePipeline gather,
            BracketMatch match,
            StorageLimits limits) {}

    private static final int GROUP = 128;
    private static final int BOX_BYTES = ClipBoxes.BOX_BYTES;

    private final Programs programs;
    private final BracketMatch match;
    private final CommandList list;
    private final ClipArguments arguments;
    private final ClipLayout layout;
    private final int length;
    private final Dispatches dispatches;

    ClipRecording(Programs programs, CommandList list, ClipArguments arguments) {
        this.programs = programs;
        this.match = programs.match();
        this.list = list;
        this.arguments = arguments;
        this.layout = ClipLayout.of(arguments.length(), match, programs.limits());
        this.length = (int) arguments.length();
        this.dispatches = new Dispatches(list, programs.limits());
    }

    /** Records it. */
    void record() {
        expand();
        dispatches.barrier();
        match();
        dispatches.barrier();
        cut();
        dispatches.barrier();
        apply(grow());
    }

    private void expand() {
        dispatches.pipeline(programs.expand());
        forWindows((first, count) -> {
            int operations = bind("ClipOperations", arguments.operations(), Integer.BYTES, first, count);
            long words = bracketBytes(count) / Integer.BYTES;
            bind("ClipBrackets", bracketBytes(first), words * Integer.BYTES);
            dispatches.dispatch((words + GROUP - 1) / GROUP, (int) count, operations);
        });
    }

    private void match() {
        long bits = 2L * length;
        match.record(
                list,
                new BracketArguments(
                        bits,
                        range(0, BracketInput.BITS.bytes(bits)),
                        arguments.links(),
                        range(layout.match(), match.scratchBytes(bits))));
    }

    private void cut() {
        dispatches.pipeline(programs.cut());
        BufferRange matched = range(layout.match(), match.scratchBytes(2L * length));
        long group = match.sectionGroup();
        forWindows((first, count) -> {
            match.bindSections(dispatches, 2L * length, matched, 2 * first, 2 * count);
            int boxes = bind("ClipSources", arguments.boxes(), BOX_BYTES, first, count);
            int links = bind("ClipLinks", arguments.links(), Integer.BYTES, first, count);
            bindProducts(first, count);
            bind("ClipBottoms", layout.bottoms() + bottomBytes(first), bottomBytes(count));
            dispatches.dispatch((partitions(count) + group - 1) / group, (int) count, boxes, links);
        });
    }

    /** Returns where the grown forest lies. */
    private long grow() {
        int partitions = (int) layout.partitions();
        long groups = (layout.partitions() + GROUP - 1) / GROUP;
        long nodes = layout.nodes();
        long other = layout.farther();
        dispatches.pipeline(programs.plant());
        forWindows((first, count) -> {
            bindProducts(first, count);
            bind("ClipBottoms", layout.bottoms(), bottomBytes(length));
            bindNodes("ClipNodes", layout.nodes());
            dispatches.dispatch(groups, partitions, (int) first, (int) count);
            dispatches.barrier();
        });
        for (long reach = 1; reach < partitions; reach *= ClipBoxes.REACH) {
            dispatches.pipeline(programs.jump());
            bindNodes("ClipNodes", nodes);
            bindNodes("ClipFarther", other);
            dispatches.dispatch(groups, partitions);
            dispatches.barrier();
            long grown = other;
            other = nodes;
            nodes = grown;
        }
        return nodes;
    }

    private void apply(long forest) {
        if (length <= layout.window()) {
            boolean aligned =
                    (arguments.boxes().offset() | arguments.effective().offset()) % BOX_BYTES == 0;
            dispatches.pipeline(aligned ? programs.applyAligned() : programs.apply());
            bindProducts(0, length);
            bindNodes("ClipNodes", forest);
            apply(0, length);
            return;
        }
        dispatches.pipeline(programs.applyInside());
        forWindows((first, count) -> {
            bindAnchors(first, count);
            apply(first, count);
        });
        dispatches.pipeline(programs.gather());
        bindNodes("ClipNodes", forest);
        forWindows((first, count) -> {
            bindAnchors(first, count);
            int effective = bind("ClipEffective", arguments.effective(), BOX_BYTES, first, count);
            // Backwards: the anchor of an END may be the link of its BEGIN, in an earlier window.
            for (long from = first; from >= 0; from -= layout.window()) {
                long there = Math.min(layout.window(), length - from);
                int links = bind("ClipLinks", arguments.links(), Integer.BYTES, from, there);
                bindProducts(from, there);
                dispatches.barrier();
                dispatches.dispatch(
                        (count + GROUP - 1) / GROUP, (int) count, effective, links, (int) from, (int) there);
            }
        });
    }

    private void apply(long first, long count) {
        int operations = bind("ClipOperations", arguments.operations(), Integer.BYTES, first, count);
        int boxes = bind("ClipSources", arguments.boxes(), BOX_BYTES, first, count);
        int effective = bind("ClipEffective", arguments.effective(), BOX_BYTES, first, count);
        int links = bind("ClipLinks", arguments.links(), Integer.BYTES, first, count);
        int[] box = ClipKeys.of(arguments.viewport());
        dispatches.dispatch(
                partitions(count),
                (int) count,
                operations,
                boxes,
                effective,
                links,
                arguments.end().ordinal(),
                box[0],
                box[1],
                box[2],
                box[3],
                (int) first);
    }

    private void forWindows(Window body) {
        for (long first = 0; first < length; first += layout.window()) {
            body.record(first, Math.min(layout.window(), length - first));
        }
    }

    private void bindProducts(long first, long count) {
        bind("ClipProducts", layout.products() + first * BOX_BYTES, count * BOX_BYTES);
    }

    private void bindAnchors(long first, long count) {
        bind("ClipAnchors", layout.anchors() + first * Integer.BYTES, count * Integer.BYTES);
    }

    private void bindNodes(String name, long offset) {
        bind(name, offset, ClipLayout.nodeBytes(layout.partitions()));
    }

    private int bind(String name, BufferRange range, long elementBytes, long first, long count) {
        return dispatches.bind(name, range.buffer(), range.offset() + first * elementBytes, count * elementBytes);
    }

    private void bind(String name, long offset, long bytes) {
        BufferRange part = range(offset, bytes);
        dispatches.bind(name, part.buffer(), part.offset(), part.bytes());
    }

    private BufferRange range(long offset, long bytes) {
        return new BufferRange(arguments.scratch().buffer(), arguments.scratch().offset() + offset, bytes);
    }

    private static long partitions(long elements) {
        return (elements + ClipBoxes.PARTITION - 1) / ClipBoxes.PARTITION;
    }

    private static long bottomBytes(long elements) {
        return partitions(elements) * Integer.BYTES;
    }

    private static long bracketBytes(long elements) {
        return BracketInput.BITS.bytes(2 * elements);
    }

    /** The dispatches for some elements. */
    private interface Window {
        void record(long first, long count);
    }
}
