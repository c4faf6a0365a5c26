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
 * Clip boxes of a row of elements that draw, begin and end nested clips: the rectangle that each can touch, cut by all
 * clips around it. Also the BEGIN around each. Nesting is of any depth and need not be balanced: an END without BEGIN
 * pops nothing, a BEGIN may stay open.
 *
 * <p>A coordinate that is not a number makes its box empty, minus zero is zero, and everything else is exact. So
 * results are the same bits on every device. Empty boxes are not normalised.
 *
 * <p>That clips form a stack monoid is from Levien, "Fast GPU bounding boxes on tree-structured scenes". Here each
 * element is two brackets, both open for a BEGIN, both close for an END and one of each for a DRAW. So {@link
 * BracketMatch} finds what is around each without moving the clips together first. In partitions of 512 elements those
 * that stay open are cut by each other. All elements that a partition leaves open have the same nearest clip before the
 * partition. This makes a forest of the partitions, whose nodes jump to their roots, each dispatch eight times as far.
 * At last pointer doubling cuts the boxes of each partition.
 *
 * <p>Data that exceeds one storage binding goes through windows. Boxes are then cut within their partitions first. A
 * dispatch for each pair of a window and one at or before it cuts them by what is before these.
 *
 * <p>Made once and recorded on any thread, by several at a time, until it is closed. The results are those of {@link
 * CpuClipBoxes}.
 */
public final class ClipBoxes implements AutoCloseable {
    /** An element that draws. */
    public static final int DRAW = 0;

    /** An element that begins a clip. */
    public static final int BEGIN = 1;

    /** An element that ends the last clip that has begun. */
    public static final int END = 2;

    static final int PARTITION = 512;

    private static final int GROUP = 128;

    /** Factor by which a dispatch extends the jumps of the forest's nodes. */
    static final int REACH = 8;

    static final int BOX_BYTES = ClipKeys.WORDS * Integer.BYTES;

    /** Windows have a multiple of so many elements, so that the data of their partitions begins where a binding may. */
    static final int WINDOW_STEP = BracketMatch.WINDOW_STEP / 2;

    private static final String WHAT = "clip boxes";
    private static final String MOST = "what links and one storage binding of this device can hold";

    private final StorageLimits limits;
    private final RangeChecks checks;
    private final ComputeShaders shaders;
    private final BracketMatch match;
    /** Turns operations into brackets. */
    private final ComputePipeline expand;
    /** Cuts the elements that partitions leave open. */
    private final ComputePipeline cut;
    /** Plants the forest. */
    private final ComputePipeline plant;
    /** Moves its nodes further. */
    private final ComputePipeline jump;
    /** Writes the results. */
    private final ComputePipeline apply;
    /** The same for boxes at multiples of 16 bytes. */
    private final ComputePipeline applyAligned;
    /** The same without the clips before partitions. */
    private final ComputePipeline applyInside;
    /** Adds these. */
    private final ComputePipeline gather;

    private volatile boolean closed;

    private ClipBoxes(GpuDevice device, StorageLimits limits, BracketMatch match) {
        this.limits = limits;
        checks = new RangeChecks(device, WHAT, limits);
        this.match = match;
        shaders = new ComputeShaders(device);
        try {
            int threads = threads(device.capabilities().limits().compute());
            expand = compile("expand", Map.of(), ClipKernels::expand);
            cut = compile("cut", match.sectionDefines(), ClipKernels::cut);
            plant = compile("plant", Map.of(), ClipKernels::plant);
            jump = compile("jump", Map.of(), ClipKernels::jump);
            apply = apply("", defines(threads, false, false), ClipKernels::apply);
            applyAligned = apply("-aligned", defines(threads, true, false), ClipKernels::apply);
            applyInside = apply("-inside", defines(threads, false, true), ClipKernels::applyInside);
            gather = compile("gather", Map.of(), ClipKernels::gather);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Makes it for a device. Any thread.
     *
     * @throws GpuException if the driver does not compile its shaders: {@link
     *     io.frameloom.gpu.error.GpuOutOfMemoryException} if there is too little memory, {@link
     *     io.frameloom.gpu.error.DeviceLostException} if the device is lost
     * @throws IllegalStateException if the device is closed
     */
    public static ClipBoxes create(GpuDevice device) {
        return create(
                device,
                StorageLimits.of(device.capabilities()),
                BracketMatch.createForPairs(device, true, StorageLimits.of(device.capabilities())));
    }

    /** Makes it on a matching of pairs, which it closes. */
    static ClipBoxes create(GpuDevice device, StorageLimits limits, BracketMatch match) {
        return new ClipBoxes(device, limits, match);
    }

    /** Returns how many threads work on a partition: one for each element if the device allows it. */
    private static int threads(DeviceLimits.Compute limits) {
        int most = Math.min(limits.maxInvocations(), limits.maxGroupSize().x());
        return Math.min(PARTITION, Integer.highestOneBit(most));
    }

    /**
     * Returns the definitions of the last shader.
     *
     * @param aligned whether the boxes that are read and written begin at multiples of 16 bytes
     * @param windowed whether it leaves what is before partitions to other dispatches
     */
    static Map<String, String> defines(int threads, boolean aligned, boolean windowed) {
        Map<String, String> defines = new HashMap<>();
        defines.put("THREADS", Integer.toString(threads));
        defines.put("SOURCE", aligned ? "ivec4" : "int");
        if (aligned) {
            defines.put("ALIGNED", "");
        }
        if (windowed) {
            defines.put("WINDOWED", "");
        }
        return defines;
    }

    private ComputePipeline compile(String stage, Map<String, String> defines, CpuKernel kernel) {
        return shaders.compile("clip-" + stage, "clip_" + stage + ".comp", defines, includes(), kernel);
    }

    /** Compiles a form of the last shader, which its pipeline is named for. */
    private ComputePipeline apply(String form, Map<String, String> defines, CpuKernel kernel) {
        return shaders.compile("clip-apply" + form, "clip_apply.comp", defines, includes(), kernel);
    }

    static ShaderIncludes includes() {
        return ShaderIncludes.of(Map.of(
                "clip_keys.glsl",
                ComputeShaders.text("clip_keys.glsl"),
                "bracket_lanes.glsl",
                ComputeShaders.text("bracket_lanes.glsl")));
    }

    /**
     * Returns the largest number of elements: 2^30 less a few, or two for each byte of a storage binding of the device
     * if that is less.
     */
    public long maxLength() {
        // Half of what is matched. Nodes of the forest need an eighth of the binding that the matching needs.
        return match.maxLength() / 2;
    }

    /**
     * Returns the alignment of the offset of scratch memory in bytes, a power of two, as the device binds storage. For
     * a range of another offset a dispatch may bind up to so many bytes before it.
     */
    public int storageAlignment() {
        return limits.alignment();
    }

    /**
     * Returns how much scratch memory it takes; at least 1. About 17 bytes for each element, 21 where four words for
     * each exceed one storage binding.
     *
     * @param length number of elements, from 0 to {@link #maxLength}
     */
    public long scratchBytes(long length) {
        checks.length(length, maxLength(), MOST);
        return ClipLayout.of(length, match, limits).bytes();
    }

    /**
     * Returns the access to the effective boxes: written, and read again where four words for each element exceed one
     * storage binding. Their old contents are lost in either case.
     *
     * @param length number of elements, from 0 to {@link #maxLength}
     */
    public Access effectiveAccess(long length) {
        checks.length(length, maxLength(), MOST);
        boolean windowed = length > ClipLayout.of(length, match, limits).window();
        return windowed ? Access.STORAGE_READ_WRITE_COMPUTE : Access.STORAGE_WRITE_COMPUTE;
    }

    /**
     * Returns what {@link #record} uses, to be declared by the pass it is recorded in. Nothing for length 0.
     *
     * @throws NullPointerException if something is missing
     * @throws IllegalArgumentException naming what does not fit
     * @throws IllegalStateException if this or a buffer is closed
     */
    public List<ResourceUse> uses(ClipArguments arguments) {
        List<Part> parts = check(arguments);
        return arguments.length() == 0 ? List.of() : RangeChecks.uses(parts);
    }

    private List<Part> check(ClipArguments arguments) {
        checks.open(closed);
        checks.present("arguments", arguments);
        checks.present("end", arguments.end());
        checks.present("viewport", arguments.viewport());
        long length = arguments.length();
        long scratch = scratchBytes(length);
        long words = length * Integer.BYTES;
        Access effective = effectiveAccess(length);
        List<Part> parts = List.of(
                checks.part("operations", arguments.operations(), words, Access.STORAGE_READ_COMPUTE, false),
                checks.part("boxes", arguments.boxes(), length * BOX_BYTES, Access.STORAGE_READ_COMPUTE, false),
                checks.part("effective", arguments.effective(), length * BOX_BYTES, effective, true),
                checks.part("links", arguments.links(), words, Access.STORAGE_READ_WRITE_COMPUTE, true),
                checks.scratch(arguments.scratch(), scratch));
        checks.fit(parts);
        return parts;
    }

    /**
     * Records it: dispatches and the barriers between them. The caller orders the work before and after it. The list
     * has another pipeline and other bindings afterwards. Nothing is recorded if something does not fit.
     *
     * @param list a list of a graphics or compute queue of the device, outside of render passes
     * @throws NullPointerException if something is missing
     * @throws IllegalArgumentException naming what does not fit
     * @throws IllegalStateException if this or a buffer is closed
     */
    public void record(CommandList list, ClipArguments arguments) {
        checks.sameDevice(list, check(arguments));
        if (arguments.length() == 0) {
            return;
        }
        new Recording(list, arguments).record();
    }

    private final class Recording {
        private final CommandList list;
        private final ClipArguments arguments;
        private final ClipLayout layout;
        private final int length;
        private final Dispatches dispatches;

        Recording(CommandList list, ClipArguments arguments) {
            this.list = list;
            this.arguments = arguments;
            this.layout = ClipLayout.of(arguments.length(), match, limits);
            this.length = (int) arguments.length();
            this.dispatches = new Dispatches(list, limits);
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
            dispatches.pipeline(expand);
            forWindows((first, count) -> {
                int operations = dispatches.bind("ClipOperations", arguments.operations(), Integer.BYTES, first, count);
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
            dispatches.pipeline(cut);
            BufferRange matched = range(layout.match(), match.scratchBytes(2L * length));
            long group = match.sectionGroup();
            forWindows((first, count) -> {
                match.bindSections(dispatches, 2L * length, matched, 2 * first, 2 * count);
                int boxes = dispatches.bind("ClipSources", arguments.boxes(), BOX_BYTES, first, count);
                int links = dispatches.bind("ClipLinks", arguments.links(), Integer.BYTES, first, count);
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
            dispatches.pipeline(plant);
            forWindows((first, count) -> {
                bindProducts(first, count);
                bind("ClipBottoms", layout.bottoms(), bottomBytes(length));
                bindNodes("ClipNodes", layout.nodes());
                dispatches.dispatch(groups, partitions, (int) first, (int) count);
                dispatches.barrier();
            });
            for (long reach = 1; reach < partitions; reach *= REACH) {
                dispatches.pipeline(jump);
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
                dispatches.pipeline(aligned ? applyAligned : apply);
                bindProducts(0, length);
                bindNodes("ClipNodes", forest);
                apply(0, length);
                return;
            }
            dispatches.pipeline(applyInside);
            forWindows((first, count) -> {
                bindAnchors(first, count);
                apply(first, count);
            });
            dispatches.pipeline(gather);
            bindNodes("ClipNodes", forest);
            forWindows((first, count) -> {
                bindAnchors(first, count);
                int effective = dispatches.bind("ClipEffective", arguments.effective(), BOX_BYTES, first, count);
                // Backwards: the anchor of an END may be the link of its BEGIN, in an earlier window.
                for (long from = first; from >= 0; from -= layout.window()) {
                    long there = Math.min(layout.window(), length - from);
                    int links = dispatches.bind("ClipLinks", arguments.links(), Integer.BYTES, from, there);
                    bindProducts(from, there);
                    dispatches.barrier();
                    dispatches.dispatch(
                            (count + GROUP - 1) / GROUP, (int) count, effective, links, (int) from, (int) there);
                }
            });
        }

        private void apply(long first, long count) {
            int operations = dispatches.bind("ClipOperations", arguments.operations(), Integer.BYTES, first, count);
            int boxes = dispatches.bind("ClipSources", arguments.boxes(), BOX_BYTES, first, count);
            int effective = dispatches.bind("ClipEffective", arguments.effective(), BOX_BYTES, first, count);
            int links = dispatches.bind("ClipLinks", arguments.links(), Integer.BYTES, first, count);
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

        private void forWindows(Dispatches.Window body) {
            Dispatches.forWindows(length, layout.window(), body);
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

        private void bind(String name, long offset, long bytes) {
            dispatches.bind(name, arguments.scratch(), 1, offset, bytes);
        }

        private BufferRange range(long offset, long bytes) {
            return new BufferRange(
                    arguments.scratch().buffer(), arguments.scratch().offset() + offset, bytes);
        }

        private static long partitions(long elements) {
            return (elements + PARTITION - 1) / PARTITION;
        }

        private static long bottomBytes(long elements) {
            return partitions(elements) * Integer.BYTES;
        }

        private static long bracketBytes(long elements) {
            return BracketInput.BITS.bytes(2 * elements);
        }
    }

    /** Closes the pipelines, when everything recorded with them was submitted; a second call does nothing. */
    @Override
    public void close() {
        closed = true;
        shaders.close();
        match.close();
    }
}
