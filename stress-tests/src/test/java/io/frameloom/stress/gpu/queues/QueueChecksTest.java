package io.frameloom.stress.gpu.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All queues of a device at once; {@code ./frameloom stress --gpu-queues} does more of it. */
class QueueChecksTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private List<String> check(String device, int rounds, boolean validation) {
        PrintStream text = new PrintStream(out, true, StandardCharsets.UTF_8);
        return new QueueChecks(text, rounds, 3).run(DeviceSelector.parse(device), QueueCounts.ALL, validation);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "virtual:queues=16+8+2,order=reverse",
                "virtual:queues=4+3+2,seed=5",
                "virtual:queues=2+0+0,seed=6",
                "virtual:queues=1+0+3,order=reverse",
                "virtual:queues=1"
            })
    void onTheVirtualGpu(String device) {
        assertThat(check(device, 4, false)).isEmpty();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("ring of 4 rounds: right", "storm of 40 submissions a queue: right");
    }

    @Test
    void onAVulkanDevice() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        assertThat(check("auto", 4, true)).isEmpty();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("adopted ring of 4 rounds: right", "afterwards storm of 40 submissions a queue: right");
    }

    /** Without its wait a step reads what is not written yet, and the checker says so whatever the device does. */
    @ParameterizedTest
    @ValueSource(strings = {"virtual:queues=16+8+2,order=in-order", "virtual:queues=2+1+1,order=reverse"})
    void aForgottenWaitIsAHazard(String name) {
        HazardChecker checker = new HazardChecker();
        boolean right;
        try (TaskGraph tasks = TaskGraph.builder().name("ring-test").workers(1).build();
                GpuDevice device =
                        GpuDevices.open(DeviceSelector.parse(name), new DeviceOptions(tasks, "ring", false, checker));
                QueueRing ring = new QueueRing(device, device.queues().size() + 1)) {
            right = ring.run(3).isEmpty();
        }
        assertThat(checker.hazards()).extracting(Hazard::kind).contains(Hazard.Kind.READ_AFTER_WRITE);
        assertThat(right).isEqualTo(name.endsWith("in-order"));
    }
}
