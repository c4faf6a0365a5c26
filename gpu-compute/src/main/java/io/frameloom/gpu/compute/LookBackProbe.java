package io.frameloom.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;

/** One run of a kind of scans with look-back on a device, shipped or with half of its tiles stuck. One thread. */
final class LookBackProbe {
    private static final int RUNS = 2;
    private static final int LEAST_TILES = 24;
    private static final int LARGEST_SUBGROUP = 128;
    private static final int SEGMENT = 3_001;
    private static final BarrierBatch FULL =
            new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));

    private final GpuDevice device;
    private final ScanShape shape;
    private final int words;
    private final int length;
    private final StorageLimits limits;
    private final Waiting waiting;
    private final RunObjects objects;

    /** How a run ended. */
    enum Outcome {
        RIGHT,
        WRONG,
        /** It, or earlier work, has taken too long. */
        LATE
    }

    /** Waits for a value of a timeline that was submitted, and gives up at some time. */
    @FunctionalInterface
    interface Waiting {
        /** Returns whether the value was reached. */
        boolean await(GpuTimeline timeline, long value);
    }

    private LookBackProbe(GpuDevice device, ScanShape shape, Waiting waiting) {
        this.device = device;
        this.shape = shape;
        this.waiting = waiting;
        words = shape.words();
        // Each lane of a subgroup, or thread of a workgroup without them, looks at one tile at a time.
        int looks = switch (shape.lanes()) {
            case 0 -> shape.threads();
            case ScanShape.ANY -> LARGEST_SUBGROUP;
            default -> shape.lanes();
        };
        length = Math.max(LEAST_TILES, 2 * looks + 2) * shape.tile() + 1;
        limits = StorageLimits.of(device.capabilities());
        objects = new RunObjects(device, "look-back self-test");
    }

    /**
     * Runs a kind of scans.
     *
     * @param shape with the operator of {@link ProbeOperators} for its words
     * @throws DeviceLostException if the device is lost meanwhile
     */
    static Outcome run(GpuDevice device, ScanShape shape, Waiting waiting) {
        return new LookBackProbe(device, shape, waiting).run();
    }

    /** Submits nothing after work that does not end. The time of other work does not count for the run. */
    private Outcome run() {
        GpuTimeline timeline = device.queues().get(0).timeline();
        if (!waiting.await(timeline, timeline.submitted())) {
            return Outcome.LATE;
        }
        try (objects) {
            List<Buffer> results = new ArrayList<>();
            long value = submit(elements(), heads(), results);
            if (!waiting.await(timeline, value - 1) || !waiting.await(timeline, value)) {
                return Outcome.LATE;
            }
            return results.stream().allMatch(this::isRight) ? Outcome.RIGHT : Outcome.WRONG;
        }
    }

    private BufferRange elements() {
        BufferRange range = upload("input", length * words);
        IntBuffer all = ints(range.buffer());
        for (int i = 0; i < length; i++) {
            for (int w = 0; w < words; w++) {
                all.put(i * words + w, ProbeOperators.word(i, w));
            }
        }
        return range;
    }

    private BufferRange heads() {
        BufferRange range = upload("heads", (length + Integer.SIZE - 1) / Integer.SIZE);
        IntBuffer all = ints(range.buffer());
        for (int i = 0; i < length; i += SEGMENT) {
            all.put(i / Integer.SIZE, all.get(i / Integer.SIZE) | 1 << i % Integer.SIZE);
        }
        return range;
    }

    private BufferRange upload(String role, int count) {
        Buffer buffer = objects.own(device.createBuffer(
                "look-back self-test " + role,
                BufferDescription.upload((long) count * Integer.BYTES, BufferUsage.STORAGE)));
        IntBuffer all = ints(buffer);
        for (int i = 0; i < count; i++) {
            all.put(i, 0);
        }
        return whole(buffer);
    }

    private long submit(BufferRange input, BufferRange heads, List<Buffer> results) {
        CommandList list = objects.begin();
        BufferRange output = storage("output", input.bytes());
        BufferRange flags = shape.segmented() ? heads : null;
        ComputeShaders shaders = objects.own(new ComputeShaders(device));
        for (LookBackTrial trial : List.of(LookBackTrial.NONE, LookBackTrial.HALF_STUCK)) {
            boolean byNumber = LookBackScan.takesTilesByNumber(device);
            LookBackScan scan = new LookBackScan(shape, limits, byNumber, trial, shaders);
            BufferRange scratch = storage("scratch", scan.scratchBytes(length));
            for (int run = 0; run < RUNS; run++) {
                Buffer result = objects.own(
                        device.createBuffer("look-back self-test result", BufferDescription.readback(output.bytes())));
                list.barrier(FULL);
                list.beginPass("poison", List.of(use(output, Access.COPY_DST)));
                list.fillBuffer(output.buffer(), 0, output.bytes(), -1);
                list.endPass();
                list.barrier(FULL);
                list.beginPass(
                        "scan",
                        List.of(
                                use(input, Access.STORAGE_READ_COMPUTE),
                                use(heads, Access.STORAGE_READ_COMPUTE),
                                use(output, Access.STORAGE_WRITE_COMPUTE),
                                use(scratch, Access.STORAGE_READ_WRITE_COMPUTE)));
                scan.record(list, new ScanArguments(ScanKind.INCLUSIVE, length, input, output, scratch, flags));
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
        return objects.submit(list);
    }

    private static BufferRange whole(Buffer buffer) {
        return new BufferRange(buffer, 0, buffer.description().bytes());
    }

    private static ResourceUse use(BufferRange range, Access access) {
        return new ResourceUse.OfBuffer(range.buffer(), range.offset(), range.bytes(), access, access.writes());
    }

    private BufferRange storage(String role, long bytes) {
        Buffer buffer = objects.own(device.createBuffer(
                "look-back self-test " + role,
                BufferDescription.device(bytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
        return new BufferRange(buffer, 0, bytes);
    }

    private boolean isRight(Buffer result) {
        IntBuffer all = ints(result);
        CpuOperator operator = shape.operator().cpu();
        int[] sum = shape.operator().identity();
        int[] element = new int[words];
        for (int i = 0; i < length; i++) {
            for (int w = 0; w < words; w++) {
                element[w] = ProbeOperators.word(i, w);
            }
            if (shape.segmented() && i % SEGMENT == 0) {
                System.arraycopy(element, 0, sum, 0, words);
            } else {
                operator.combine(sum, 0, element, 0, sum, 0);
            }
            for (int w = 0; w < words; w++) {
                if (all.get(i * words + w) != sum[w]) {
                    return false;
                }
            }
        }
        return true;
    }

    private static IntBuffer ints(Buffer buffer) {
        return buffer.mapped().order(ByteOrder.nativeOrder()).asIntBuffer();
    }
}
