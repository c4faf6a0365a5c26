package io.frameloom.gpu.compute;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BoundResource.BufferRange;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.CpuKernel;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.ShaderIncludes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Clip boxes: for a row of elements that draw, begin and end nested clips, the rectangle that each can touch, cut by all
 * clips around it, and which BEGIN is around it. Nesting is of any depth and need not be balanced: an END without BEGIN
 * pops nothing, a BEGIN may stay open.
 *
 * <p>A coordinate that is not a number makes its box empty, minus zero is zero, and everything else is exact, so results
 * are the same bits on every device. Empty boxes are not normalised.
 *
 * <p>That clips form a stack monoid is from Levien, "Fast GPU bounding boxes on tree-structured scenes". Here each element
 * is two brackets, both open for a BEGIN, both close for an END and one of each for a DRAW, so that {@link BracketMatch}
 * finds what is around each without moving the clips together first. In partitions of 512 elements those that stay open are
 * cut by each other. All that a partition leaves open has the same nearest clip before the partition: this makes a forest
 * of the partitions, whose nodes jump to their roots, each dispatch eight times as far. At last pointer doubling cuts the
 * boxes of each partition.
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

    /** How much further a dispatch takes the nodes of the forest. */
    static final int REACH = 8;

    private static final String WHAT = "clip boxes";
    private static final int GROUP = 128;
    private static final int BOX_BYTES = ClipKeys.WORDS * Integer.BYTES;

    private final StorageLimits limits;
    private final RangeChecks checks = new RangeChecks(WHAT);
    private final List<ComputePipeline> made = new ArrayList<>();
    private final ComputePipeline expand;
    private final ComputePipeline cut;
    private final ComputePipeline plant;
    private final ComputePipeline jump;
    private final ComputePipeline apply;
    private final ComputePipeline applyAligned;
    private final BracketMatch match;
    private volatile boolean closed;

    private ClipBoxes(GpuDevice device, StorageLimits limits, BracketMatch match) {
        this.limits = limits;
        this.match = match;
        boolean whole = false;
        try {
            int threads = threads(device.capabilities().limits().compute());
            expand = compile(device, "expand", Map.of(), new ClipKernels.Expand());
            cut = compile(device, "cut", match.sectionDefines(), new ClipKernels.Cut());
            plant = compile(device, "plant", Map.of(), new ClipKernels.Plant());
            jump = compile(device, "jump", Map.of(), new ClipKernels.Jump());
            apply = compile(device, "apply", defines(threads, false), new ClipKernels.Apply());
            applyAligned = compile(device, "apply", defines(threads, true), new ClipKernels.Apply());
            whole = true;
        } finally {
            if (!whole) {
                close();
            }
        }
    }

    /** Makes it for a device. */
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

    /** @param aligned whether the boxes that are read and written begin at multiples of 16 bytes */
    static Map<String, String> defines(int threads, boolean aligned) {
        String count = Integer.toString(threads);
        return aligned
                ? Map.of("THREADS", count, "SOURCE", "ivec4", "ALIGNED", "")
                : Map.of("THREADS", count, "SOURCE", "int");
    }

    private ComputePipeline compile(GpuDevice device, String stage, Map<String, String> defines, CpuKernel kernel) {
        ComputePipeline pipeline =
                ComputeShaders.compile(device, "clip-" + stage, "clip_" + stage + ".comp", defines, includes(), kernel);
        made.add(pipeline);
        return pipeline;
    }

    static ShaderIncludes includes() {
        return ShaderIncludes.of(Map.of(
                "clip_keys.glsl",
                ComputeShaders.text("clip_keys.glsl"),
                "bracket_lanes.glsl",
                ComputeShaders.text("bracket_lanes.glsl")));
    }

    /** Returns the largest number of elements: what fits one storage binding of the device at four words each. */
    public long maxLength() {
        return Math.min(match.maxLength() / 2, (limits.maxRange() - limits.alignment()) / BOX_BYTES);
    }

    /**
     * Returns how much scratch memory it takes; at least 1. About 17 bytes for each element.
     *
     * @param length number of elements, from 0 to {@link #maxLength}
     */
    public long scratchBytes(long length) {
        checks.length(length, maxLength(), "what one storage binding of this device holds");
        return ClipLayout.of(length, match, limits).bytes();
    }

    /**
     * Returns what {@link #record} uses, to be declared by the pass it is recorded in. Nothing for length 0.
     *
     * @throws NullPointerException if something is missing
     * @throws IllegalArgumentException naming what does not fit
     */
    public List<ResourceUse> uses(ClipArguments arguments) {
        List<ResourceUse> uses = new ArrayList<>();
        for (Part part : check(arguments)) {
            if (arguments.length() > 0) {
                uses.add(new ResourceUse.OfBuffer(
                        part.range().buffer(),
                        part.range().offset(),
                        part.bytes(),
                        part.access(),
                        part.access().writes()));
            }
        }
        return uses;
    }

    /** What is done with one of the ranges. */
    private record Part(String role, BufferRange range, long bytes, Access access) {}

    private List<Part> check(ClipArguments arguments) {
        checks.present("arguments", arguments);
        checks.present("end", arguments.end());
        checks.present("viewport", arguments.viewport());
        long length = arguments.length();
        long scratch = scratchBytes(length);
        List<Part> parts = List.of(
                part("operations", arguments.operations(), length * Integer.BYTES, Access.STORAGE_READ_COMPUTE),
                part("boxes", arguments.boxes(), length * BOX_BYTES, Access.STORAGE_READ_COMPUTE),
                part("effective", arguments.effective(), length * BOX_BYTES, Access.STORAGE_WRITE_COMPUTE),
                part("links", arguments.links(), length * Integer.BYTES, Access.STORAGE_READ_WRITE_COMPUTE),
                part("scratch", arguments.scratch(), scratch, Access.STORAGE_READ_WRITE_COMPUTE));
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            boolean own = part.role().equals("scratch");
            checks.range(part.role(), part.range(), part.bytes(), own ? limits.alignment() : Integer.BYTES);
            for (Part other : parts.subList(0, i)) {
                if (part.access().writes() || other.access().writes()) {
                    checks.apart(other.role(), other.range(), other.bytes(), part.role(), part.range(), part.bytes());
                }
            }
        }
        return parts;
    }

    private Part part(String role, BufferRange range, long bytes, Access access) {
        return new Part(role, checks.present(role, range), bytes, access);
    }

    /**
     * Records it: dispatches and the barriers between them. What is before and after is ordered by the caller; the
     * pipeline and bindings of the list are others afterwards. Nothing is recorded if something does not fit.
     *
     * @param list a list of a graphics or compute queue, outside of render passes
     * @throws NullPointerException if something is missing
     * @throws IllegalArgumentException naming what does not fit
     * @throws IllegalStateException if this or a buffer is closed
     */
    public void record(CommandList list, ClipArguments arguments) {
        if (closed) {
            throw new IllegalStateException(WHAT + " is closed; record it before that");
        }
        check(arguments);
        if (arguments.length() == 0) {
            return;
        }
        Recording recording = new Recording(list, arguments);
        recording.expand();
        recording.dispatches.barrier();
        recording.match();
        recording.dispatches.barrier();
        recording.cut();
        recording.dispatches.barrier();
        long forest = recording.grow();
        recording.apply(forest);
    }

    /** Closes the pipelines, when everything recorded with them was submitted; a second call does nothing. */
    @Override
    public void close() {
        closed = true;
        made.forEach(ComputePipeline::close);
        match.close();
    }

    /** One recording. */
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

        void expand() {
            dispatches.pipeline(expand);
            int operations = bind("ClipOperations", arguments.operations(), Integer.BYTES);
            long words = BracketInput.BITS.bytes(2L * length) / Integer.BYTES;
            bind("ClipBrackets", 0, words * Integer.BYTES);
            dispatches.dispatch((words + GROUP - 1) / GROUP, length, operations);
        }

        void match() {
            long bits = 2L * length;
            match.record(
                    list,
                    new BracketArguments(
                            bits,
                            range(0, BracketInput.BITS.bytes(bits)),
                            arguments.links(),
                            range(layout.match(), match.scratchBytes(bits))));
        }

        void cut() {
            dispatches.pipeline(cut);
            match.bindSections(dispatches, 2L * length, range(layout.match(), match.scratchBytes(2L * length)));
            int boxes = bind("ClipSources", arguments.boxes(), BOX_BYTES);
            int links = bind("ClipLinks", arguments.links(), Integer.BYTES);
            bind("ClipProducts", layout.products(), (long) length * BOX_BYTES);
            bind("ClipBottoms", layout.bottoms(), layout.partitions() * Integer.BYTES);
            long group = match.sectionGroup();
            dispatches.dispatch((layout.partitions() + group - 1) / group, length, boxes, links);
        }

        /** Returns where the grown forest lies. */
        long grow() {
            int partitions = (int) layout.partitions();
            long groups = (layout.partitions() + GROUP - 1) / GROUP;
            long nodes = layout.nodes();
            long other = layout.farther();
            dispatches.pipeline(plant);
            bind("ClipProducts", layout.products(), (long) length * BOX_BYTES);
            bind("ClipBottoms", layout.bottoms(), layout.partitions() * Integer.BYTES);
            bindNodes("ClipNodes", nodes);
            dispatches.dispatch(groups, partitions);
            dispatches.barrier();
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

        void apply(long forest) {
            boolean aligned =
                    (arguments.boxes().offset() | arguments.effective().offset()) % BOX_BYTES == 0;
            dispatches.pipeline(aligned ? applyAligned : apply);
            int operations = bind("ClipOperations", arguments.operations(), Integer.BYTES);
            int boxes = bind("ClipSources", arguments.boxes(), BOX_BYTES);
            int effective = bind("ClipEffective", arguments.effective(), BOX_BYTES);
            int links = bind("ClipLinks", arguments.links(), Integer.BYTES);
            bind("ClipProducts", layout.products(), (long) length * BOX_BYTES);
            bindNodes("ClipNodes", forest);
            int[] box = ClipKeys.of(arguments.viewport());
            dispatches.dispatch(
                    layout.partitions(),
                    length,
                    operations,
                    boxes,
                    effective,
                    links,
                    arguments.end().ordinal(),
                    box[0],
                    box[1],
                    box[2],
                    box[3]);
        }

        private void bindNodes(String name, long offset) {
            bind(name, offset, ClipLayout.nodeBytes(layout.partitions()));
        }

        private int bind(String name, BufferRange range, long elementBytes) {
            return dispatches.bind(name, range.buffer(), range.offset(), length * elementBytes);
        }

        private void bind(String name, long offset, long bytes) {
            BufferRange part = range(offset, bytes);
            dispatches.bind(name, part.buffer(), part.offset(), part.bytes());
        }

        private BufferRange range(long offset, long bytes) {
            return new BufferRange(
                    arguments.scratch().buffer(), arguments.scratch().offset() + offset, bytes);
        }
    }
}
