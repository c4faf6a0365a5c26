package io.frameloom.gpu.compute;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.BoundResource.BufferRange;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.DeviceLostException;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.GpuTimeline;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.Submission;
import io.frameloom.taskgraph.FailurePolicy;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether scans of {@link ScanVariant#LOOK_BACK} come out right on a device: as they are shipped, over more
 * tiles than two looks of the largest subgroup reach, within segments, and with half of the tiles stuck. Takes a few
 * milliseconds on a GPU; what takes longer than five seconds has not passed.
 */
public final class LookBackSelfTest {
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final int RUNS = 2;
    private static final int SHIPPED_TILES = 24;
    private static final int FEW_ITEMS = 4;
    private static final int LARGEST_SUBGROUP = 128;
    private static final int SEGMENT = 3_001;
    private static final BarrierBatch FULL =
            new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));

    private final GpuDevice device;
    private final ScanOptions options;
    private final StorageLimits limits;
    private final Duration longest;
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private @Nullable FrameContext frame;

    /** A scan in the shape that is shipped, and in one with small tiles, of which there are many. */
    private record Form(ScanShape shape, LookBackTrial trial, int length) {}

    /** What a form left, once its device is done. */
    private record Result(Form form, Buffer words) {}

    private LookBackSelfTest(GpuDevice device, ScanOptions options, Duration longest) {
        this.device = device;
        this.options = options;
        this.longest = longest;
        limits = StorageLimits.of(device.capabilities());
    }

    private List<Form> forms() {
        ScanShape shipped = shape(false, options);
        ScanOptions small = options.withTile(options.threads(), FEW_ITEMS);
        ScanShape many = shape(false, small);
        ScanShape segments = shape(true, small);
        return List.of(
                new Form(shipped, LookBackTrial.NONE, SHIPPED_TILES * shipped.tile() + 1),
                new Form(many, LookBackTrial.NONE, length(many)),
                new Form(many, LookBackTrial.HALF_STUCK, length(many)),
                new Form(segments, LookBackTrial.HALF_STUCK, length(segments)));
    }

    /** Each lane of a subgroup, or thread of a workgroup without them, looks at one tile at a time. */
    private static int length(ScanShape shape) {
        int looks = shape.lanes() == 0 ? shape.threads() : LARGEST_SUBGROUP;
        return (2 * looks + 2) * shape.tile() + 1;
    }

    private ScanShape shape(boolean segmented, ScanOptions tiles) {
        return ScanShape.lookBack(
                ScanOperator.sum(ElementType.U32),
                segmented,
                tiles,
                device.capabilities().limits().compute());
    }

    /** Whether a device came out right in time with what {@link ScanOptions#subgroups} asks for. */
    record InRegisters(boolean passed) {}

    /** Whether a device came out right in time without subgroups. */
    record InShared(boolean passed) {}

    /**
     * Returns whether a device passes. It is tested once, on its first queue, and waited for by the first thread that asks.
     *
     * @param subgroups whether scans use subgroups, as {@link ScanOptions#subgroups} says
     */
    public static boolean passes(GpuDevice device, boolean subgroups) {
        return passes(device, subgroups, LONGEST);
    }

    static boolean passes(GpuDevice device, boolean subgroups, Duration longest) {
        return subgroups
                ? device.once(InRegisters.class, tested -> new InRegisters(run(tested, ScanOptions.DEFAULT, longest)))
                        .passed()
                : device.once(
                                InShared.class,
                                tested -> new InShared(run(tested, ScanOptions.DEFAULT.withoutSubgroups(), longest)))
                        .passed();
    }

    private static boolean run(GpuDevice device, ScanOptions options, Duration longest) {
        return new LookBackSelfTest(device, options, longest).run();
    }

    private boolean run() {
        GpuTimeline timeline = device.queues().get(0).timeline();
        long value = 0;
        boolean lost = false;
        try {
            List<Form> forms = forms();
            int most = forms.stream().mapToInt(Form::length).max().orElseThrow();
            List<Result> results = new ArrayList<>();
            value = submit(forms, elements(most), heads(most), results);
            if (!timeline.await(value, longest)) {
                return false;
            }
            return results.stream().allMatch(LookBackSelfTest::isRight);
        } catch (DeviceLostException loss) {
            lost = true;
            throw loss;
        } finally {
            close(timeline, value, lost);
        }
    }

    private BufferRange elements(int count) {
        BufferRange range = upload("input", count);
        IntBuffer words = ints(range.buffer());
        for (int i = 0; i < count; i++) {
            words.put(i, element(i));
        }
        return range;
    }

    private BufferRange heads(int count) {
        BufferRange range = upload("heads", (count + Integer.SIZE - 1) / Integer.SIZE);
        IntBuffer words = ints(range.buffer());
        for (int i = 0; i < count; i += SEGMENT) {
            words.put(i / Integer.SIZE, words.get(i / Integer.SIZE) | 1 << i % Integer.SIZE);
        }
        return range;
    }

    private BufferRange upload(String role, int words) {
        Buffer buffer = own(device.createBuffer(
                "look-back self-test " + role,
                BufferDescription.upload((long) words * Integer.BYTES, BufferUsage.STORAGE)));
        IntBuffer all = ints(buffer);
        for (int i = 0; i < words; i++) {
            all.put(i, 0);
        }
        return whole(buffer);
    }

    private long submit(List<Form> forms, BufferRange input, BufferRange heads, List<Result> results) {
        GpuQueue queue = device.queues().get(0);
        FrameContext recording = device.createFrameContext("look-back self-test");
        frame = recording;
        CommandList list = recording.beginCommands(queue, "look-back self-test");
        BufferRange output = storage("output", input.bytes());
        for (Form form : forms) {
            LookBackScan scan =
                    new LookBackScan(form.shape, limits, form.trial, (name, file, defines, includes, kernel) -> {
                        ComputePipeline pipeline =
                                ComputeShaders.compile(device, name, file, defines, includes, kernel);
                        return own(pipeline);
                    });
            BufferRange scratch = storage("scratch", scan.scratchBytes(form.length));
            long bytes = (long) form.length * Integer.BYTES;
            for (int run = 0; run < RUNS; run++) {
                Buffer words =
                        own(device.createBuffer("look-back self-test result", BufferDescription.readback(bytes)));
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
                BufferRange flags = form.shape.segmented() ? heads : null;
                scan.record(list, new ScanArguments(ScanKind.INCLUSIVE, form.length, input, output, scratch, flags));
                list.endPass();
                list.barrier(FULL);
                list.beginPass("result", List.of(use(output, Access.COPY_SRC), use(whole(words), Access.COPY_DST)));
                list.copyBuffer(output.buffer(), 0, words, 0, bytes);
                list.endPass();
                results.add(new Result(form, words));
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

    private static boolean isRight(Result result) {
        IntBuffer words = ints(result.words);
        boolean segmented = result.form.shape.segmented();
        int sum = 0;
        for (int i = 0; i < result.form.length; i++) {
            sum = segmented && i % SEGMENT == 0 ? element(i) : sum + element(i);
            if (words.get(i) != sum) {
                return false;
            }
        }
        return true;
    }

    private static IntBuffer ints(Buffer buffer) {
        return buffer.mapped().order(ByteOrder.nativeOrder()).asIntBuffer();
    }

    /** Closes everything; a device that is still at work keeps its commands until it is done. */
    private void close(GpuTimeline timeline, long value, boolean lost) {
        closeAll();
        FrameContext commands = frame;
        if (commands == null) {
            return;
        }
        if (lost || timeline.completed() >= value) {
            commands.close();
        } else {
            device.taskGraph()
                    .task("close the look-back self-test", commands::close)
                    .after(timeline.reached(value))
                    .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
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
