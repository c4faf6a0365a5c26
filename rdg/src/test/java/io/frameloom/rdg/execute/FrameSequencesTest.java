package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.check.UnneededSync;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.PlanPolicy;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequences of frames that overlap on the device equal serial execution, without a hazard. */
class FrameSequencesTest {
    private static final int SEEDS = 4;
    private static final int FRAMES = 10;
    private static final int FRAMES_AT_ONCE = 8;

    /** Hands on what is submitted, and not what the host sees complete. */
    private record SubmissionsAlone(HazardChecker checker) implements SubmissionObserver {
        @Override
        public void submitted(SubmissionRecord record) {
            checker.submitted(record);
        }

        @Override
        public void hostWaited(TimelinePoint point) {
            // No frame relies on it.
        }
    }

    private static final RdgOptions COMPILE = RdgOptions.defaults();

    private static void run(VirtualGpuOptions gpu, FrameExecutorOptions options, long seed, RandomSequences.Kind kind) {
        run(gpu, options, COMPILE, seed, kind);
    }

    private static void run(
            VirtualGpuOptions gpu,
            FrameExecutorOptions options,
            RdgOptions compile,
            long seed,
            RandomSequences.Kind kind) {
        HazardChecker checker = new HazardChecker();
        run(gpu, options, compile, seed, kind, FRAMES, checker);
        assertThat(checker.hazards()).as("seed %d", seed).isEmpty();
        assertThat(checker.undeclared()).isEmpty();
    }

    private static void run(
            VirtualGpuOptions gpu,
            FrameExecutorOptions options,
            RdgOptions compile,
            long seed,
            RandomSequences.Kind kind,
            int frames,
            SubmissionObserver checker) {
        try (TaskGraph tasks = TaskGraph.builder().name("sequences").workers(2).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice device =
                            VirtualDevices.open(gpu, new DeviceOptions(tasks, "frame sequences", false, checker));
                    FrameExecutor executor = new FrameExecutor(device, tasks, options)) {
                RdgOptions limited = compile.withPassLimits(1, 1 + (int) (seed % 3));
                new RandomSequences(device, executor, limited, seed, kind).run(frames);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void randomSequencesEqualSerialExecution(int queues) {
        for (long seed = 0; seed < SEEDS; seed++) {
            VirtualGpuOptions gpu = new VirtualGpuOptions(queues, seed).withQueues(counts(queues));
            run(gpu, FrameExecutorOptions.defaults(), seed, RandomSequences.Kind.UNTRACKED);
            run(
                    gpu.withOrder(VirtualGpuOptions.Order.REVERSE),
                    FrameExecutorOptions.defaults().withHeapsPerFrame(true),
                    seed + 51,
                    RandomSequences.Kind.UNTRACKED);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void framesAfterFailedOnesEqualSerialExecution(int queues) {
        for (long seed = 100; seed < 100 + SEEDS; seed++) {
            VirtualGpuOptions gpu = new VirtualGpuOptions(queues, seed).withQueues(counts(queues));
            run(gpu, FrameExecutorOptions.defaults().withFramesInFlight(4), seed, RandomSequences.Kind.FAILING);
        }
    }

    /** The calling thread records and submits every frame. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void framesThatTheCallerSubmitsEqualSerialExecution(int queues) {
        FrameExecutorOptions inline =
                FrameExecutorOptions.defaults().withSerialRecording(true).withInlineSubmission(true);
        for (long seed = 500; seed < 500 + SEEDS; seed++) {
            VirtualGpuOptions gpu = new VirtualGpuOptions(queues, seed).withQueues(counts(queues));
            run(gpu, inline, seed, RandomSequences.Kind.UNTRACKED);
            run(gpu, inline.withFramesInFlight(1), seed, RandomSequences.Kind.GROUPED);
            run(gpu, inline.withFramesInFlight(4), seed, RandomSequences.Kind.FAILING);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void framesOfSeveralGraphsEqualSerialExecution(int queues) {
        for (long seed = 400; seed < 400 + SEEDS; seed++) {
            VirtualGpuOptions gpu = new VirtualGpuOptions(queues, seed).withQueues(counts(queues));
            FrameExecutorOptions options = FrameExecutorOptions.defaults().withFramesInFlight(1 + (int) (seed % 3));
            run(gpu, options.withHeapsPerFrame(seed % 2 == 0), seed, RandomSequences.Kind.GROUPED);
        }
    }

    /** A first half comes before its second, so what it has to wait for of former frames it has to wait for earlier. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void sequencesWithSplitBarriersEqualSerialExecution(int queues) {
        RdgOptions split = COMPILE.withPolicy(PlanPolicy.defaults().withSplitBarriers(true));
        for (long seed = 300; seed < 300 + 2 * SEEDS; seed++) {
            VirtualGpuOptions gpu = new VirtualGpuOptions(queues, seed).withQueues(counts(queues));
            run(gpu, FrameExecutorOptions.defaults(), split, seed, RandomSequences.Kind.UNTRACKED);
            run(gpu, FrameExecutorOptions.defaults().withFramesInFlight(4), split, seed, RandomSequences.Kind.FAILING);
        }
    }

    /**
     * Barriers of several resources may serve each other, so only waits are held to this. The checker is not told what the
     * host sees complete, which no frame waits for here: what that makes needless depends on time.
     */
    @Test
    void noWaitIsImpliedByOthers() {
        for (long seed = 200; seed < 200 + SEEDS; seed++) {
            HazardChecker checker = new HazardChecker(UnneededSync.Search.WHOLE);
            VirtualGpuOptions gpu = new VirtualGpuOptions(3, seed).withQueues(counts(3));
            run(
                    gpu,
                    FrameExecutorOptions.defaults().withFramesInFlight(FRAMES_AT_ONCE),
                    COMPILE,
                    seed,
                    RandomSequences.Kind.DECLARED,
                    FRAMES_AT_ONCE - 1,
                    new SubmissionsAlone(checker));
            checker.finish();
            assertThat(checker.hazards()).as("seed %d", seed).isEmpty();
            assertThat(checker.unneeded())
                    .as("seed %d", seed)
                    .filteredOn(found -> found.kind() == UnneededSync.Kind.WAIT)
                    .isEmpty();
        }
    }

    /** Every queue can do what the passes do. */
    private static QueueCounts counts(int queues) {
        return new QueueCounts(1, queues - 1, 0);
    }
}
