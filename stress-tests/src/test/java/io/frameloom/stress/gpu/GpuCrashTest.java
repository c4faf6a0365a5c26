package io.frameloom.stress.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the virtual GPU: drivers here compute on the CPU. */
class GpuCrashTest {
    @Test
    void theReportNamesThePassAndLiesInAFolder(@TempDir Path dir) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(GpuCrashMain.run("virtual", dir, new PrintStream(out, true, StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("pass 'before': ended", "pass 'wild store': begun, not ended", "pass 'after': not begun")
                .endsWith("the report names the pass\n");
        try (Stream<Path> folders = Files.list(dir)) {
            List<Path> made = folders.toList();
            assertThat(made).hasSize(1);
            assertThat(made.get(0).resolve("device-lost.json")).isNotEmptyFile();
        }
    }

    /** It is not run: it would end this process. */
    @Test
    void theWildStoreIsAShaderOfADriver() {
        String none = VulkanDevices.unavailableReason();
        assumeTrue(none.isEmpty(), none);
        try (TaskGraph tasks = TaskGraph.builder().name("crash").workers(1).build();
                VulkanDevice device = VulkanDevices.open(
                        "", DeviceOptions.of(tasks, "crash").prefer(Capability.BUFFER_DEVICE_ADDRESS))) {
            assumeTrue(
                    device.capabilities().has(Capability.BUFFER_DEVICE_ADDRESS),
                    device.capabilities().name() + " has no BUFFER_DEVICE_ADDRESS");
            try (ComputePipeline store = GpuCrashMain.pipeline(device, GpuCrashMain.STORE)) {
                assertThat(store.pushConstantBytes()).isEqualTo(8);
            }
        }
    }
}
