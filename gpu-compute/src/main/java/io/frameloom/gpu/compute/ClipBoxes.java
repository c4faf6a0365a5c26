package io.frameloom.gpu.compute;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.compute.RangeChecks.Part;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import java.util.ArrayList;
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

    /** Factor by which a dispatch extends the jumps of the forest's nodes. */
    static final int REACH = 8;

    static final int BOX_BYTES = ClipKeys.WORDS * Integer.BYTES;

    /** Windows have a multiple of so many elements, so that the data of their partitions begins where a binding may. */
    static final int WINDOW_STEP = BracketMatch.WINDOW_STEP / 2;

    private static final String WHAT = "clip boxes";
    private static final String MOST = "what links and one storage binding of this device can hold";

    private final StorageLimits limits;
    private final RangeChecks checks;
    private final List<ComputePipeline> made = new ArrayList<>();
    private final ClipRecording.Programs programs;
    private final BracketMatch match;
    private volatile boolean closed;

    private ClipBoxes(GpuDevice device, StorageLimits limits, BracketMatch match) {
        this.limits = limits;
        checks = new RangeChecks(device, WHAT, limits);
        this.match = match;
        boolean whole = false;
        try {
            int threads = threads(device.capabilities().limits().compute());
            programs = new ClipRecording.Programs(
                    compile(device, "expand", Map.of(), new ClipKernels.Expand()),
                    compile(device, "cut", match.sectionDefines(), new ClipKernels.Cut()),
                    compile(device, "plant", Map.of(), new ClipKernels.Plant()),
                    compile(device, "jump", Map.of(), new ClipKernels.Jump()),
                    apply(device, "", defines(threads, false, false), new ClipKernels.Apply()),
                    apply(device, "-aligned", defines(threads, true, false), new ClipKernels.Apply()),
                    apply(device, "-inside", defines(threads, false, true), new ClipKernels.ApplyInside()),
                    compile(device, "gather", Map.of(), new ClipKernels.Gather()),
                    match,
                    limits);
            whole = true;
        } finally {
            if (!whole) {
                close();
            }
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

    private ComputePipeline compile(GpuDevice device, String stage, Map<String, String> defines, CpuKernel kernel) {
        return compile(device, "clip-" + stage, "clip_" + stage + ".comp", defines, kernel);
    }

    /** Compiles a form of the last shader, which its pipeline is named for. */
    private ComputePipeline apply(GpuDevice device, String form, Map<String, String> defines, CpuKernel kernel) {
        return compile(device, "clip-apply" + form, "clip_apply.comp", defines, kernel);
    }

    private ComputePipeline compile(
            GpuDevice device, String name, String file, Map<String, String> defines, CpuKernel kernel) {
        ComputePipeline pipeline = ComputeShaders.compile(device, name, file, defines, includes(), kernel);
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
        new ClipRecording(programs, list, arguments).record();
    }

    /** Closes the pipelines, when everything recorded with them was submitted; a second call does nothing. */
    @Override
    public void close() {
        closed = true;
        made.forEach(ComputePipeline::close);
        match.close();
    }
}
