package io.frameloom.stress.gpu.litmus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every experiment and ordering, a few trials each: in the usual run each experiment with one of the orderings on a
 * queue, by turns; {@code ./frameloom stress --gpu-litmus} runs more.
 */
@Timeout(180)
class BarrierLitmusTest {
    private static final List<Ordering> ORDERED =
            Stream.of(Ordering.values()).filter(Ordering::orders).toList();

    /** Experiments come in groups of kinds of work between; a group has every ordering. */
    private static List<Ordering> turn(List<Ordering> orderings, int experiment) {
        return TestEffort.share(orderings, experiment % orderings.size(), orderings.size());
    }

    @Test
    void countsTheExperiments() {
        // 6 + 6 + 9 pairs, each alone and with 3 kinds of work between; without dispatches 2 + 2 + 4, alone and with 2.
        assertThat(Experiment.on(QueueKind.COMPUTE)).hasSize(21 * 4);
        assertThat(Experiment.on(QueueKind.COPY)).hasSize(8 * 3);
    }

    @Test
    void theVirtualGpuShowsEveryHazardWithoutABarrierAndTheCheckerEveryKind() {
        HazardChecker checker = new HazardChecker();
        onTheVirtualGpu(
                checker,
                List.of(Ordering.NONE),
                (what, outcome) -> assertThat(outcome.wrongTrials()).as(what).isEqualTo(outcome.trials()));
        assertThat(checker.hazards())
                .extracting(hazard -> hazard.kind().name())
                .contains("READ_AFTER_WRITE", "WRITE_AFTER_READ", "WRITE_AFTER_WRITE");
    }

    @Test
    void theVirtualGpuShowsNoHazardWithABarrierAndTheCheckerNone() {
        HazardChecker checker = new HazardChecker();
        onTheVirtualGpu(
                checker,
                ORDERED,
                (what, outcome) -> assertThat(outcome.firstWrong()).as(what).isEmpty());
        assertThat(checker.hazards()).isEmpty();
    }

    private static void onTheVirtualGpu(
            HazardChecker checker, List<Ordering> orderings, BiConsumer<String, BarrierLitmus.Outcome> judge) {
        try (TaskGraph tasks = TaskGraph.builder().name("litmus").workers(1).build();
                GpuDevice device = GpuDevices.open(
                        DeviceSelector.parse("virtual:queues=3,order=reverse"),
                        new DeviceOptions(tasks, "litmus", false, checker));
                BarrierLitmus litmus = new BarrierLitmus(device, 3, 0)) {
            for (GpuQueue queue : device.queues()) {
                List<Experiment> experiments = Experiment.on(queue.kind());
                for (int i = 0; i < experiments.size(); i++) {
                    Experiment experiment = experiments.get(i);
                    for (Ordering ordering : turn(orderings, i)) {
                        judge.accept(
                                experiment + ", " + ordering + ", " + queue.name(),
                                litmus.run(queue, experiment, ordering));
                    }
                }
            }
        }
    }

    @Test
    void aVulkanDeviceKeepsWhatItsBarriersPromise() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        try (TaskGraph tasks = TaskGraph.builder().name("litmus").workers(1).build();
                GpuDevice device =
                        GpuDevices.open(DeviceSelector.parse("auto"), new DeviceOptions(tasks, "litmus", true, null));
                BarrierLitmus litmus = new BarrierLitmus(device, 3, 50)) {
            GpuQueue queue = device.queues().get(0);
            List<Experiment> experiments = Experiment.on(queue.kind());
            for (int i = 0; i < experiments.size(); i++) {
                for (Ordering ordering : turn(ORDERED, i)) {
                    assertThat(litmus.run(queue, experiments.get(i), ordering).firstWrong())
                            .as("%s, %s", experiments.get(i), ordering)
                            .isEmpty();
                }
            }
            assertThat(device.validationMessages()).isEmpty();
        }
    }
}
