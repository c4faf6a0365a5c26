package io.frameloom.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;

/** One recording of a matching: data that exceeds a binding goes through windows of the same elements. */
final class BracketRecording {
    /**
     * The shaders and sizes of a matching.
     *
     * @param pack packs the brackets into words, and finds the depths and opens of sections
     * @param tree grows the tree of minima
     * @param smallTree the same for one workgroup, which scans the depths, too
     * @param under finds the open under each word
     * @param link links the brackets
     * @param scan of the depths
     * @param input how brackets lie in memory
     * @param each elements that a link is for
     * @param group sections of a workgroup
     * @param groupWords words of a workgroup that links them, one for each thread
     * @param limits of a dispatch
     */
    record Programs(
            ComputePipeline pack,
            ComputePipeline tree,
            ComputePipeline smallTree,
            ComputePipeline under,
            ComputePipeline link,
            PrefixScan scan,
            BracketInput input,
            int each,
            int group,
            int groupWords,
            StorageLimits limits) {}

    /** Sections of a workgroup that grows the tree; that of so few scans their depths, too. */
    private static final int TREE_GROUP = 1024;

    private final Programs programs;
    private final CommandList list;
    private final BracketArguments arguments;
    private final BracketLayout layout;
    private final Dispatches dispatches;

    BracketRecording(Programs programs, CommandList list, BracketArguments arguments) {
        this.programs = programs;
        this.list = list;
        this.arguments = arguments;
        this.layout = BracketLayout.of(arguments.length(), programs.scan(), programs.limits());
        this.dispatches = new Dispatches(list, programs.limits());
    }

    /** Records it. */
    void record() {
        pack();
        dispatches.barrier();
        if (layout.sections() > TREE_GROUP) {
            turnNetsIntoDepths();
            dispatches.barrier();
        }
        growTree();
        dispatches.barrier();
        lookUnder();
        dispatches.barrier();
        link();
    }

    private void pack() {
        dispatches.pipeline(programs.pack());
        BracketInput input = programs.input();
        BufferRange from = arguments.input();
        forWindows((first, count) -> {
            int base = dispatches.bind(
                    "BracketInput", from.buffer(), from.offset() + input.bytes(first), input.bytes(count));
            bindSections("BracketWords", 0, BracketLayout.WORD_BYTES, first, count);
            bindSections("BracketOpens", layout.opens(), BracketLayout.OPEN_BYTES, first, count);
            bindSections("BracketNets", layout.depths(), Integer.BYTES, first, count);
            bindSections("BracketLows", layout.lows(), Integer.BYTES, first, count);
            dispatches.dispatch(groups(count), (int) count, base);
        });
    }

    private void turnNetsIntoDepths() {
        BufferRange depths = range(layout.depths(), layout.sections() * Integer.BYTES);
        BufferRange scratch = range(layout.scan(), programs.scan().scratchBytes(layout.sections()));
        programs.scan().record(list, new ScanArguments(ScanKind.EXCLUSIVE, layout.sections(), depths, depths, scratch));
    }

    private void growTree() {
        dispatches.pipeline(layout.sections() > TREE_GROUP ? programs.tree() : programs.smallTree());
        bind("BracketDepths", layout.depths(), layout.sections() * Integer.BYTES);
        bind("BracketLows", layout.lows(), layout.sections() * Integer.BYTES);
        bind("BracketTree", layout.tree(), layout.treeNodes() * Integer.BYTES);
        dispatches.dispatch((layout.sections() + TREE_GROUP - 1) / TREE_GROUP, (int) layout.sections());
    }

    private void lookUnder() {
        dispatches.pipeline(programs.under());
        bind("BracketWords", 0, layout.sections() * BracketLayout.WORD_BYTES);
        bind("BracketOpens", layout.opens(), layout.sections() * BracketLayout.OPEN_BYTES);
        bind("BracketDepths", layout.depths(), layout.sections() * Integer.BYTES);
        bind("BracketTree", layout.tree(), layout.treeNodes() * Integer.BYTES);
        long length = arguments.length();
        dispatches.dispatch(groups(length), (int) length, (int) layout.sections());
    }

    private void link() {
        dispatches.pipeline(programs.link());
        bind("BracketOpens", layout.opens(), layout.sections() * BracketLayout.OPEN_BYTES);
        BufferRange to = arguments.links();
        forWindows((first, count) -> {
            bindSections("BracketWords", 0, BracketLayout.WORD_BYTES, first, count);
            int base = dispatches.bind(
                    "BracketLinks",
                    to.buffer(),
                    to.offset() + first / programs.each() * Integer.BYTES,
                    count / programs.each() * Integer.BYTES);
            long words = (count + Integer.SIZE - 1) / Integer.SIZE;
            long groups = (words + programs.groupWords() - 1) / programs.groupWords();
            dispatches.dispatch(groups, (int) count, base, (int) (first / Integer.SIZE));
        });
    }

    private void forWindows(Window body) {
        long window = programs.limits().window(Integer.BYTES, BracketMatch.WINDOW_STEP);
        for (long first = 0; first < arguments.length(); first += window) {
            body.record(first, Math.min(window, arguments.length() - first));
        }
    }

    private void bindSections(String name, long offset, int bytes, long first, long count) {
        bind(name, offset + BracketLayout.sections(first) * bytes, BracketLayout.sections(count) * bytes);
    }

    private void bind(String name, long offset, long bytes) {
        BufferRange part = range(offset, bytes);
        dispatches.bind(name, part.buffer(), part.offset(), part.bytes());
    }

    private BufferRange range(long offset, long bytes) {
        return new BufferRange(arguments.scratch().buffer(), arguments.scratch().offset() + offset, bytes);
    }

    private long groups(long elements) {
        return (BracketLayout.sections(elements) + programs.group() - 1) / programs.group();
    }

    /** The dispatches for some elements. */
    private interface Window {
        void record(long first, long count);
    }
}
