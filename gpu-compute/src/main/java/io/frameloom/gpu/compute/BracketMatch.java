package io.frameloom.gpu.compute;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.compute.RangeChecks.Part;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Bracket matching, also known as the stack monoid: what is on top of the stack before each element. For an open that
 * is the open around it, for a close the open that it closes, and {@link #NONE} where the stack is empty. Depth is
 * unlimited. Brackets need not be balanced: a close of an empty stack does nothing, an open may stay open.
 *
 * <p>The idea of matching by a monoid over stacks is that of Levien, "The stack monoid revisited" and "Fast GPU
 * bounding boxes on tree-structured scenes". Here the stack within a word of 32 brackets is a bit mask. Sections of
 * 1,024 keep their lowest depth. For the lowest point of each word the open under it is looked up: it is in the last
 * word that went lower, of the last section that did. From there on each word walks down the stack before it by itself.
 * So most of the work for each element is on bits, no workgroup waits for another, and results are the same on every
 * device.
 *
 * <p>A matching takes four dispatches up to a million elements, five up to four million, then some more for the scan of
 * depths. Input and links that exceed one storage binding, or the workgroups of a dispatch, go through windows.
 *
 * <p>Made once and recorded on any thread, by several at a time, until it is closed. The results are those of
 * {@link CpuBracketMatch}.
 */
public final class BracketMatch implements AutoCloseable {
    /** The link of an element before which the stack is empty: all bits set. */
    public static final int NONE = -1;

    private static final String WHAT = "bracket match";
    private static final int SECTION = BracketLayout.SECTION;
    /** Windows have a multiple of so many elements, so that the data of their sections begins where a binding may. */
    static final int WINDOW_STEP = 64 * SECTION;

    /** Links are word numbers, depths have a sign. */
    private static final long MOST = (1L << 31) - WINDOW_STEP;

    static final Map<String, String> SMALL_TREE = Map.of("SCANS", "");

    /** Sections of a workgroup that grows the tree; that of so few scans their depths, too. */
    private static final int TREE_GROUP = 1024;

    /** Threads of a section. */
    private static final int THREADS = 32;

    /** Threads of a workgroup: as many as keep a processor busy. */
    private static final int WORKGROUP = 128;

    private final BracketInput input;
    /** Elements that a link is for. */
    private final int each;

    private final StorageLimits limits;
    private final RangeChecks checks;
    private final ComputeShaders shaders;
    /** Packs the brackets into words, and finds the depths and opens of sections. */
    private final ComputePipeline pack;
    /** Grows the tree of minima. */
    private final ComputePipeline tree;
    /** The same in one workgroup, which scans the depths, too. */
    private final ComputePipeline smallTree;
    /** Finds the open under each word. */
    private final ComputePipeline under;

    private final ComputePipeline link;
    private final PrefixScan scan;
    /** Sections of a workgroup. */
    private final int group;
    /** Words of a workgroup that links them, one for each thread. */
    private final int threads;

    private final int lanes;
    private volatile boolean closed;

    private BracketMatch(
            GpuDevice device, BracketInput input, int each, int threads, boolean subgroups, StorageLimits limits) {
        this.input = input;
        this.each = each;
        this.limits = limits;
        checks = new RangeChecks(device, WHAT, limits);
        DeviceLimits.Compute compute = device.capabilities().limits().compute();
        lanes = subgroups ? lanes(compute) : 0;
        this.threads = threads;
        group = lanes == THREADS ? threads / THREADS : 1;
        shaders = new ComputeShaders(device);
        try {
            pack = compile("pack", defines(input, lanes, group), run -> BracketKernels.pack(run, input));
            tree = compile("tree", Map.of(), run -> {});
            smallTree = compile("tree", SMALL_TREE, run -> {});
            under = compile("under", defines(input, lanes, group), BracketKernels::under);
            link = compile("link", linkDefines(each, lanes, threads), run -> BracketKernels.link(run, each));
            scan = PrefixScan.create(
                    device, ScanOperator.sum(ElementType.I32), false, ScanOptions.DEFAULT, limits, null);
        } catch (RuntimeException | Error e) {
            shaders.close();
            throw e;
        }
    }

    /**
     * Makes the matching of brackets in the form {@code input}. Any thread.
     *
     * @throws GpuException if the driver does not compile its shaders: {@link
     *     io.frameloom.gpu.error.GpuOutOfMemoryException} if there is too little memory, {@link
     *     io.frameloom.gpu.error.DeviceLostException} if the device is lost
     * @throws IllegalStateException if the device is closed
     */
    public static BracketMatch create(GpuDevice device, BracketInput input) {
        return create(device, input, true, StorageLimits.of(device.capabilities()));
    }

    /**
     * Makes the matching of brackets in the form {@code input}, in workgroups of a size. On devices without subgroups
     * of 32 ({@link #sizesSections}) only the linking has workgroups of that size.
     *
     * @param threads threads of a workgroup, a multiple of 32; 128 unless given
     * @throws IllegalArgumentException if the device has no such workgroups
     * @throws GpuException as {@link #create(GpuDevice, BracketInput)}
     * @throws IllegalStateException if the device is closed
     */
    public static BracketMatch create(GpuDevice device, BracketInput input, int threads) {
        DeviceLimits.Compute compute = device.capabilities().limits().compute();
        int most = Math.min(compute.maxInvocations(), compute.maxGroupSize().x());
        if (threads < THREADS || threads > most || threads % THREADS != 0) {
            throw new IllegalArgumentException(WHAT + ": workgroups have a multiple of " + THREADS
                    + " threads, on device '" + device.capabilities().name() + "' up to " + most + ", got " + threads);
        }
        return new BracketMatch(device, input, 1, threads, true, StorageLimits.of(device.capabilities()));
    }

    /**
     * Returns whether sections share workgroups of the size that {@link #create(GpuDevice, BracketInput, int)} is
     * given, as on devices with subgroups of 32. On others only the linking does. Any thread.
     */
    public static boolean sizesSections(GpuDevice device) {
        return lanes(device.capabilities().limits().compute()) == THREADS;
    }

    /** @param subgroups whether the threads of a section exchange values by subgroups, where the device can do that */
    static BracketMatch create(GpuDevice device, BracketInput input, boolean subgroups, StorageLimits limits) {
        return new BracketMatch(device, input, 1, WORKGROUP, subgroups, limits);
    }

    /** Makes a matching where each two bits are one element; its link, one of two, is half that of the first. */
    static BracketMatch createForPairs(GpuDevice device, boolean subgroups, StorageLimits limits) {
        return new BracketMatch(device, BracketInput.BITS, 2, WORKGROUP, subgroups, limits);
    }

    /** Returns the size of the subgroups that a section consists of, or 0 for none. */
    private static int lanes(DeviceLimits.Compute compute) {
        int size = compute.minSubgroupSize();
        boolean fits = size == compute.maxSubgroupSize() && size > 1 && size <= Integer.SIZE;
        return fits && ScanShape.canCountLanes(compute) ? size : 0;
    }

    static Map<String, String> defines(BracketInput input, int lanes, int group) {
        Map<String, String> defines = new HashMap<>();
        defines.put(input.define(), "");
        defines.put("GROUP_SECTIONS", Integer.toString(group));
        if (lanes > 0) {
            defines.put("BRACKET_LANES", Integer.toString(lanes));
        }
        return defines;
    }

    static Map<String, String> linkDefines(int each, int lanes, int words) {
        Map<String, String> defines = new HashMap<>();
        defines.put("GROUP_WORDS", Integer.toString(words));
        if (each == 2) {
            defines.put("LINK_PAIRS", "");
        }
        if (lanes > 0) {
            defines.put("BRACKET_LANES", Integer.toString(lanes));
        }
        return defines;
    }

    static ShaderIncludes includes() {
        return ShaderIncludes.of(Map.of("bracket_lanes.glsl", ComputeShaders.text("bracket_lanes.glsl")));
    }

    private ComputePipeline compile(String stage, Map<String, String> defines, CpuKernel kernel) {
        return shaders.compile("bracket-" + stage, "bracket_" + stage + ".comp", defines, includes(), kernel);
    }

    /** Returns the form of the input. */
    public BracketInput input() {
        return input;
    }

    /**
     * Returns the largest number of elements: 2^31 - 65,536, or four for each byte of a storage binding of the device
     * if that is less. The opens that sections leave are looked up anywhere, so they lie in one binding. With 128 MiB,
     * the least that Vulkan promises, it is 536,869,888.
     */
    public long maxLength() {
        long sections = (limits.maxRange() - limits.alignment()) / BracketLayout.OPEN_BYTES;
        return Math.min(MOST, sections * SECTION);
    }

    /**
     * Returns the alignment of the offset of scratch memory in bytes, a power of two, as the device binds storage. For
     * a range of another offset a dispatch may bind up to so many bytes before it.
     */
    public int storageAlignment() {
        return limits.alignment();
    }

    /**
     * Returns how much scratch memory a matching takes; at least 1. Less than half a byte for each element.
     *
     * @param length number of elements, from 0 to {@link #maxLength}
     */
    public long scratchBytes(long length) {
        checks.length(length, maxLength(), "what links and one storage binding of this device can hold");
        return layout(length).bytes();
    }

    private BracketLayout layout(long length) {
        return BracketLayout.of(length, scan, limits);
    }

    /**
     * Returns what {@link #record} uses, to be declared by the pass it is recorded in. Nothing for length 0.
     *
     * @throws NullPointerException if something is missing
     * @throws IllegalArgumentException naming what does not fit
     * @throws IllegalStateException if this or a buffer is closed
     */
    public List<ResourceUse> uses(BracketArguments arguments) {
        List<Part> parts = check(arguments);
        return arguments.length() == 0 ? List.of() : RangeChecks.uses(parts);
    }

    private List<Part> check(BracketArguments arguments) {
        checks.open(closed);
        checks.present("arguments", arguments);
        long length = arguments.length();
        long scratch = scratchBytes(length);
        long links = length / each * Integer.BYTES;
        List<Part> parts = List.of(
                checks.part("input", arguments.input(), input.bytes(length), Access.STORAGE_READ_COMPUTE, false),
                checks.part("links", arguments.links(), links, Access.STORAGE_WRITE_COMPUTE, true),
                checks.scratch(arguments.scratch(), scratch));
        checks.fit(parts);
        return parts;
    }

    /**
     * Records a matching: dispatches and the barriers between them. The caller orders the work before and after it. The
     * list has another pipeline and other bindings afterwards. Nothing is recorded if something does not fit.
     *
     * @param list a list of a graphics or compute queue of the device, outside of render passes
     * @throws NullPointerException if something is missing
     * @throws IllegalArgumentException naming what does not fit
     * @throws IllegalStateException if this or a buffer is closed
     */
    public void record(CommandList list, BracketArguments arguments) {
        checks.sameDevice(list, check(arguments));
        if (arguments.length() == 0) {
            return;
        }
        new Recording(list, arguments).record();
    }

    private final class Recording {
        private final CommandList list;
        private final BracketArguments arguments;
        private final BracketLayout layout;
        private final Dispatches dispatches;

        Recording(CommandList list, BracketArguments arguments) {
            this.list = list;
            this.arguments = arguments;
            this.layout = layout(arguments.length());
            this.dispatches = new Dispatches(list, limits);
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
            dispatches.pipeline(pack);
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
            BufferRange scratch = range(layout.scan(), scan.scratchBytes(layout.sections()));
            scan.record(list, new ScanArguments(ScanKind.EXCLUSIVE, layout.sections(), depths, depths, scratch));
        }

        private void growTree() {
            dispatches.pipeline(layout.sections() > TREE_GROUP ? tree : smallTree);
            bind("BracketDepths", layout.depths(), layout.sections() * Integer.BYTES);
            bind("BracketLows", layout.lows(), layout.sections() * Integer.BYTES);
            bind("BracketTree", layout.tree(), layout.treeNodes() * Integer.BYTES);
            dispatches.dispatch((layout.sections() + TREE_GROUP - 1) / TREE_GROUP, (int) layout.sections());
        }

        private void lookUnder() {
            dispatches.pipeline(under);
            bind("BracketWords", 0, layout.sections() * BracketLayout.WORD_BYTES);
            bind("BracketOpens", layout.opens(), layout.sections() * BracketLayout.OPEN_BYTES);
            bind("BracketDepths", layout.depths(), layout.sections() * Integer.BYTES);
            bind("BracketTree", layout.tree(), layout.treeNodes() * Integer.BYTES);
            long length = arguments.length();
            dispatches.dispatch(groups(length), (int) length, (int) layout.sections());
        }

        private void link() {
            dispatches.pipeline(link);
            bind("BracketOpens", layout.opens(), layout.sections() * BracketLayout.OPEN_BYTES);
            BufferRange to = arguments.links();
            forWindows((first, count) -> {
                bindSections("BracketWords", 0, BracketLayout.WORD_BYTES, first, count);
                int base = dispatches.bind(
                        "BracketLinks",
                        to.buffer(),
                        to.offset() + first / each * Integer.BYTES,
                        count / each * Integer.BYTES);
                long words = (count + Integer.SIZE - 1) / Integer.SIZE;
                long groups = (words + threads - 1) / threads;
                dispatches.dispatch(groups, (int) count, base, (int) (first / Integer.SIZE));
            });
        }

        private void forWindows(Dispatches.Window body) {
            Dispatches.forWindows(arguments.length(), limits.window(Integer.BYTES, WINDOW_STEP), body);
        }

        private void bindSections(String name, long offset, int bytes, long first, long count) {
            bind(name, offset + BracketLayout.sections(first) * bytes, BracketLayout.sections(count) * bytes);
        }

        private void bind(String name, long offset, long bytes) {
            dispatches.bind(name, arguments.scratch(), 1, offset, bytes);
        }

        private BufferRange range(long offset, long bytes) {
            return new BufferRange(
                    arguments.scratch().buffer(), arguments.scratch().offset() + offset, bytes);
        }

        private long groups(long elements) {
            return (BracketLayout.sections(elements) + group - 1) / group;
        }
    }

    /** Closes the pipelines, when everything recorded with them was submitted; a second call does nothing. */
    @Override
    public void close() {
        closed = true;
        shaders.close();
        scan.close();
    }

    /** Returns how many sections a workgroup has in a shader that works on the sections of a matching. */
    int sectionGroup() {
        return group;
    }

    /** Returns the definitions of such a shader. */
    Map<String, String> sectionDefines() {
        return defines(input, lanes, group);
    }

    /**
     * Binds the words and opens of some sections after a matching.
     *
     * @param length of the matching
     * @param scratch its scratch memory
     * @param first first bracket, a multiple of {@link #WINDOW_STEP}
     * @param count number of brackets
     */
    void bindSections(Dispatches dispatches, long length, BufferRange scratch, long first, long count) {
        long opens = layout(length).opens();
        long from = BracketLayout.sections(first);
        long sections = BracketLayout.sections(count);
        dispatches.bind("BracketWords", scratch, BracketLayout.WORD_BYTES, from, sections);
        long begin = opens + from * BracketLayout.OPEN_BYTES;
        dispatches.bind("BracketOpens", scratch, 1, begin, sections * BracketLayout.OPEN_BYTES);
    }
}
