package io.frameloom.gpu.compute;

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
import java.util.List;
import java.util.Map;

/**
 * Stream compaction: moves the elements that stay together, in their order, and counts them. A scan of the counts of
 * each 32 elements gives the place of the first that stays; the flags before each other one give its place.
 *
 * <p>Made once and recorded on any thread, by several at a time, until it is closed.
 */
public final class StreamCompaction implements AutoCloseable {
    private static final String WHAT = "stream compaction";
    /** Threads of a workgroup; the shaders say so, too. */
    private static final int THREADS = 128;
    /** Elements that a workgroup moves. */
    private static final int TILE = 4 * THREADS;

    private final ElementType type;
    private final StorageLimits limits;
    private final RangeChecks checks;
    private final ComputeShaders shaders;
    private final ComputePipeline tally;
    private final ComputePipeline move;
    private final ComputePipeline none;
    private final PrefixScan scan;
    private volatile boolean closed;

    private StreamCompaction(GpuDevice device, ElementType type, StorageLimits limits) {
        this.type = type;
        this.limits = limits;
        checks = new RangeChecks(device, WHAT, limits);
        shaders = new ComputeShaders(device);
        try {
            tally = compile("tally", CompactKernels::tally);
            move = compile("move", CompactKernels::move);
            none = compile("none", CompactKernels::none);
            scan = PrefixScan.create(
                    device, ScanOperator.sum(ElementType.U32), false, ScanOptions.DEFAULT, limits, null);
        } catch (RuntimeException | Error e) {
            shaders.close();
            throw e;
        }
    }

    /**
     * Makes the compaction of elements of a type; only its number of words matters. Any thread.
     *
     * @throws GpuException if the driver does not compile its shaders: {@link
     *     io.frameloom.gpu.error.GpuOutOfMemoryException} if there is too little memory, {@link
     *     io.frameloom.gpu.error.DeviceLostException} if the device is lost
     * @throws IllegalStateException if the device is closed
     */
    public static StreamCompaction create(GpuDevice device, ElementType type) {
        return create(device, type, StorageLimits.of(device.capabilities()));
    }

    static StreamCompaction create(GpuDevice device, ElementType type, StorageLimits limits) {
        return new StreamCompaction(device, type, limits);
    }

    private ComputePipeline compile(String stage, CpuKernel kernel) {
        return shaders.compile("compact-" + stage, "compact_" + stage + ".comp", Map.of(), ShaderIncludes.NONE, kernel);
    }

    /** Returns the type of the elements. */
    public ElementType type() {
        return type;
    }

    /** Returns the largest number of elements: 2^31 - 1 on every device, since places are counted in words. */
    public long maxLength() {
        return Integer.MAX_VALUE;
    }

    /**
     * Returns the alignment of the offset of scratch memory in bytes, a power of two, as the device binds storage. For
     * a range of another offset a dispatch may bind up to so many bytes before it.
     */
    public int storageAlignment() {
        return limits.alignment();
    }

    /**
     * Returns how much scratch memory a compaction takes; at least 1. A little more than 4 bytes for each 32 elements.
     *
     * @param length number of elements, from 0 to {@link #maxLength}
     */
    public long scratchBytes(long length) {
        checks.length(length, maxLength(), "what places can tell");
        return limits.aligned(wordBytes(length)) + scan.scratchBytes(words(length));
    }

    /** Returns how many words of flags there are, and of places. */
    private static long words(long length) {
        return (length + Integer.SIZE - 1) / Integer.SIZE;
    }

    private static long wordBytes(long length) {
        return words(length) * Integer.BYTES;
    }

    /**
     * Returns what {@link #record} uses, to be declared by the pass it is recorded in. For length 0 only the
     * count, which is written then, too.
     *
     * @throws NullPointerException if something is missing
     * @throws IllegalArgumentException naming what does not fit
     * @throws IllegalStateException if this or a buffer is closed
     */
    public List<ResourceUse> uses(CompactArguments arguments) {
        List<Part> parts = check(arguments);
        return RangeChecks.uses(arguments.length() == 0 ? List.of(count(arguments)) : parts);
    }

    private List<Part> check(CompactArguments arguments) {
        checks.open(closed);
        checks.present("arguments", arguments);
        long length = arguments.length();
        long scratch = scratchBytes(length);
        long bytes = length * type.bytes();
        List<Part> parts = List.of(
                checks.part("input", arguments.input(), bytes, Access.STORAGE_READ_COMPUTE, false),
                checks.part("keep", arguments.keep(), wordBytes(length), Access.STORAGE_READ_COMPUTE, false),
                // The rest of the output keeps its contents.
                checks.part("output", arguments.output(), bytes, Access.STORAGE_WRITE_COMPUTE, false),
                count(arguments),
                checks.scratch(arguments.scratch(), scratch));
        checks.fit(parts);
        return parts;
    }

    private Part count(CompactArguments arguments) {
        return checks.part("count", arguments.count(), Integer.BYTES, Access.STORAGE_WRITE_COMPUTE, true);
    }

    /**
     * Records a compaction: dispatches and the barriers between them. The caller orders the work before and after it.
     * The list has another pipeline and other bindings afterwards. Nothing is recorded if something does not fit.
     *
     * @param list a list of a graphics or compute queue of the device, outside of render passes
     * @throws NullPointerException if something is missing
     * @throws IllegalArgumentException naming what does not fit
     * @throws IllegalStateException if this or a buffer is closed
     */
    public void record(CommandList list, CompactArguments arguments) {
        checks.sameDevice(list, check(arguments));
        long length = arguments.length();
        if (length == 0) {
            recordNone(new Dispatches(list, limits), arguments.count());
            return;
        }
        BufferRange memory = arguments.scratch();
        long words = words(length);
        BufferRange places = new BufferRange(memory.buffer(), memory.offset(), wordBytes(length));
        BufferRange rest = new BufferRange(
                memory.buffer(), memory.offset() + limits.aligned(wordBytes(length)), scan.scratchBytes(words));
        Recording recording = new Recording(new Dispatches(list, limits), arguments, places);
        recording.tally();
        recording.dispatches.barrier();
        scan.record(list, new ScanArguments(ScanKind.EXCLUSIVE, words, places, places, rest));
        recording.dispatches.barrier();
        recording.move();
    }

    /** By a shader like all else, so that the count is used in the same way and needs no usage of its own. */
    private void recordNone(Dispatches dispatches, BufferRange count) {
        dispatches.pipeline(none);
        dispatches.dispatch(1, dispatches.bind("CompactCount", count, Integer.BYTES, 0, 1));
    }

    /** One recording: what exceeds a binding or the groups of a dispatch goes through windows of the same elements. */
    private final class Recording {
        private final Dispatches dispatches;
        private final CompactArguments arguments;
        private final BufferRange places;
        private final long length;
        private final long window;

        Recording(Dispatches dispatches, CompactArguments arguments, BufferRange places) {
            this.dispatches = dispatches;
            this.arguments = arguments;
            this.places = places;
            length = arguments.length();
            window = limits.window(type.bytes(), TILE);
        }

        void tally() {
            dispatches.pipeline(tally);
            Dispatches.forWindows(length, window, (first, count) -> {
                int keep = bindWords("CompactKeep", arguments.keep(), first, count);
                int base = bindWords("CompactPlaces", places, first, count);
                dispatches.dispatch(groups(words(count), THREADS), (int) words(count), keep, base);
            });
        }

        /** An element stays where it is or moves towards the beginning, to any window up to its own. */
        void move() {
            dispatches.pipeline(move);
            int counted = dispatches.bind("CompactCount", arguments.count(), Integer.BYTES, 0, 1);
            Dispatches.forWindows(length, window, (first, count) -> {
                int keep = bindWords("CompactKeep", arguments.keep(), first, count);
                int base = bindWords("CompactPlaces", places, first, count);
                int input = dispatches.bind("CompactInput", arguments.input(), type.bytes(), first, count);
                for (long to = 0; to <= first; to += window) {
                    long room = Math.min(window, length - to);
                    int output = dispatches.bind("CompactOutput", arguments.output(), type.bytes(), to, room);
                    boolean last = first + count == length && to == first;
                    dispatches.dispatch(
                            groups(count, TILE),
                            (int) count,
                            keep,
                            input,
                            output,
                            counted,
                            type.words(),
                            (int) to,
                            (int) room,
                            last ? 1 : 0,
                            base);
                }
            });
        }

        private int bindWords(String name, BufferRange range, long first, long count) {
            return dispatches.bind(name, range.buffer(), range.offset() + wordBytes(first), wordBytes(count));
        }
    }

    private static long groups(long count, int each) {
        return (count + each - 1) / each;
    }

    /** Closes the pipelines, when everything recorded with them was submitted; a second call does nothing. */
    @Override
    public void close() {
        closed = true;
        shaders.close();
        scan.close();
    }
}
