package io.frameloom.gpu.compute;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.BoundResource.BufferRange;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.GpuTimeline;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.Submission;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Finds out whether scans of {@link ScanVariant#LOOK_BACK} come out right on a device: as they are shipped, and with half
 * of the tiles stuck. Takes a few milliseconds on a GPU; what takes longer than five seconds has not passed.
 */
public final class LookBackSelfTest {
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final int TILES = 24;
    private static final int RUNS = 2;
    private static final BarrierBatch FULL =
            new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));

    private final GpuDevice device;
    private final ScanShape shape;
    private final StorageLimits limits;
    private final int length;
    private final Duration longest;
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();

    private LookBackSelfTest(GpuDevice device, ScanOptions options, Duration longest) {
        this.device = device;
        this.longest = longest;
        shape = ScanShape.lookBack(
                ScanOperator.sum(ElementType.U32),
                false,
                options,
                device.capabilities().limits().compute());
        limits = StorageLimits.of(device.capabilities());
        length = (TILES - 1) * shape.tile() + 1;
    }

    /**
     * How a device did.
     *
     * @param passed whether results were right in time, with subgroups where it has them
     * @param passedInShared the same without subgroups
     */
    record Verdict(boolean passed, boolean passedInShared) {}

    /**
     * Returns whether a device passes. It is tested once, on its first queue, and waited for by the first thread that asks.
     *
     * @param subgroups whether scans use subgroups, as {@link ScanOptions#subgroups} says
     */
    public static boolean passes(GpuDevice device, boolean subgroups) {
        return passes(device, subgroups, LONGEST);
    }

    static boolean passes(GpuDevice device, boolean subgroups, Duration longest) {
        Verdict verdict = device.once(
                Verdict.class,
                tested -> new Verdict(
                        run(tested, ScanOptions.DEFAULT, longest),
                        run(tested, ScanOptions.DEFAULT.withoutSubgroups(), longest)));
        return subgroups ? verdict.passed() : verdict.passedInShared();
    }

    private static boolean run(GpuDevice device, ScanOptions options, Duration longest) {
        return new LookBackSelfTest(device, options, longest).run();
    }

    private boolean run() {
        GpuTimeline timeline = device.queues().get(0).timeline();
        long value = 0;
        try {
            Buffer upload = own(device.createBuffer(
                    "look-back self-test input", BufferDescription.upload(4L * length, BufferUsage.COPY_SRC)));
            IntBuffer input = ints(upload);
            for (int i = 0; i < length; i++) {
                input.put(i, element(i));
            }
            List<Buffer> results = new ArrayList<>();
            value = submit(upload, results);
            if (!timeline.await(value, longest)) {
                return false;
            }
            return results.stream().allMatch(this::isRight);
        } finally {
            closeWhenDone(timeline, value);
        }
    }

    private long submit(Buffer upload, List<Buffer> results) {
        GpuQueue queue = device.queues().get(0);
        FrameContext frame = own(device.createFrameContext("look-back self-test"));
        CommandList list = frame.beginCommands(queue, "look-back self-test");
        BufferRange input = storage("input", 4L * length);
        list.beginPass("input", List.of(use(whole(upload), Access.COPY_SRC), use(input, Access.COPY_DST)));
        list.copyBuffer(upload, 0, input.buffer(), 0, input.bytes());
        list.endPass();
        for (LookBackTrial trial : List.of(LookBackTrial.NONE, LookBackTrial.HALF_STUCK)) {
            LookBackScan scan = new LookBackScan(shape, limits, trial, (name, file, defines, includes, kernel) -> {
                ComputePipeline pipeline = ComputeShaders.compile(device, name, file, defines, includes, kernel);
                return own(pipeline);
            });
            BufferRange scratch = storage("scratch", scan.scratchBytes(length));
            BufferRange output = storage("output", 4L * length);
            for (int run = 0; run < RUNS; run++) {
                Buffer result =
                        own(device.createBuffer("look-back self-test result", BufferDescription.readback(4L * length)));
                list.barrier(FULL);
                list.beginPass("poison", List.of(use(output, Access.COPY_DST)));
                list.fillBuffer(output.buffer(), 0, output.bytes(), -1);
                list.endPass();
                list.barrier(FULL);
                list.beginPass(
                        "scan",
                        List.of(
                                use(input, Access.STORAGE_READ_COMPUTE),
                                use(output, Access.STORAGE_WRITE_COMPUTE),
                                use(scratch, Access.STORAGE_READ_WRITE_COMPUTE)));
                scan.record(list, new ScanArguments(ScanKind.INCLUSIVE, length, input, output, scratch));
                list.endPass();
                list.barrier(FULL);
                list.beginPass("result", List.of(use(output, Access.COPY_SRC), use(whole(result), Access.COPY_DST)));
                list.copyBuffer(output.buffer(), 0, result, 0, output.bytes());
                list.endPass();
                results.add(result);
            }
        }
        list.barrier(FULL);
        list.end();
        return queue.submit(new Submission("look-back self-test", List.of(list), List.of()))
                .value();
    }

    private static BufferRange whole(Buffer buffer) {
        return new BufferRange(buffer, 0, buffer.description().bytes());
    }

    private static ResourceUse use(BufferRange range, Access access) {
        return new ResourceUse.OfBuffer(range.buffer(), range.offset(), range.bytes(), access, access.writes());
    }

    private BufferRange storage(String role, long bytes) {
        Buffer buffer = own(device.createBuffer(
                "look-back self-test " + role,
                BufferDescription.device(bytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
        return new BufferRange(buffer, 0, bytes);
    }

    private <T extends AutoCloseable> T own(T thing) {
        owned.push(thing);
        return thing;
    }

    /** The multiplier of Knuth's multiplicative hashing: every tile has another sum. */
    private static int element(int i) {
        return i * 0x9E37_79B1;
    }

    private boolean isRight(Buffer result) {
        IntBuffer words = ints(result);
        int sum = 0;
        for (int i = 0; i < length; i++) {
            sum += element(i);
            if (words.get(i) != sum) {
                return false;
            }
        }
        return true;
    }

    private static IntBuffer ints(Buffer buffer) {
        return buffer.mapped().order(ByteOrder.nativeOrder()).asIntBuffer();
    }

    /** A device that is still at work keeps everything until it is done. */
    private void closeWhenDone(GpuTimeline timeline, long value) {
        if (timeline.completed() >= value) {
            closeAll();
        } else {
            device.taskGraph()
                    .task("close the look-back self-test", this::closeAll)
                    .after(timeline.reached(value))
                    .dispatch();
        }
    }

    private void closeAll() {
        while (!owned.isEmpty()) {
            AutoCloseable thing = owned.pop();
            try {
                thing.close();
            } catch (Exception e) {
                throw new IllegalStateException(thing + " cannot be closed", e);
            }
        }
    }
}
