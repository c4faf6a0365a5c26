package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequences of frames that overlap on the device equal serial execution, without a hazard. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameSequencesTest {
    private static final int SEEDS = 4;
    private static final int FRAMES = 10;

    private static void run(VirtualGpuOptions gpu, FrameExecutorOptions options, long seed, boolean failing) {
        HazardChecker checker = new HazardChecker();
        try (TaskGraph tasks = TaskGraph.builder().name("sequences").workers(2).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice device =
                            VirtualDevice.open(gpu, new DeviceOptions(tasks, "frame sequences", false, checker));
                    FrameExecutor executor = new FrameExecutor(device, tasks, options)) {
                RdgOptions compile = RdgOptions.defaults().withPassLimits(1, 1 + (int) (seed % 3));
                new RandomSequences(device, executor, compile, seed, failing).run(FRAMES);
            }
        }
        assertThat(checker.hazards()).as("seed %d", seed).isEmpty();
        assertThat(checker.undeclared()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void randomSequencesEqualSerialExecution(int queues) {
        for (long seed = 0; seed < SEEDS; seed++) {
            VirtualGpuOptions gpu = new VirtualGpuOptions(queues, seed).withQueues(counts(queues));
            run(gpu, FrameExecutorOptions.defaults(), seed, false);
            run(gpu.withOrder(VirtualGpuOptions.Order.REVERSE), FrameExecutorOptions.defaults(), seed + 51, false);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void framesAfterFailedOnesEqualSerialExecution(int queues) {
        for (long seed = 100; seed < 100 + SEEDS; seed++) {
            VirtualGpuOptions gpu = new VirtualGpuOptions(queues, seed).withQueues(counts(queues));
            run(gpu, FrameExecutorOptions.defaults().withFramesInFlight(4), seed, true);
        }
    }

    /** Every queue can do what the passes do. */
    private static QueueCounts counts(int queues) {
        return new QueueCounts(1, queues - 1, 0);
    }
}
