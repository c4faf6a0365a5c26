package io.frameloom.gpu.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GpuDevicesTest {
    private TaskGraph tasks;
    private DeviceOptions options;

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("devices-test").workers(1).build();
        options = new DeviceOptions(tasks, "gpu-exec tests", false, null);
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    @Test
    void autoTakesAVulkanDeviceWhereThereIsOne() {
        try (GpuDevice device = GpuDevices.open(DeviceSelector.parse("auto"), options)) {
            boolean vulkan = VulkanDevices.unavailableReason().isEmpty();
            assertThat(device.capabilities().kind() == DeviceKind.SIMULATED).isEqualTo(!vulkan);
            assertThat(device.capabilities().renders()).isEqualTo(vulkan);
        }
    }

    @Test
    void virtualTakesItsQueuesFromTheSelector() {
        try (GpuDevice device = GpuDevices.open(DeviceSelector.parse("virtual:queues=3,seed=7"), options)) {
            assertThat(device.capabilities().kind()).isEqualTo(DeviceKind.SIMULATED);
            assertThat(device.queues()).hasSize(3);
        }
    }

    @Test
    void unknownNamesListTheDevicesPresentAndTheWayOut() {
        assertThatThrownBy(() -> GpuDevices.open(DeviceSelector.parse("no such device"), options))
                .isInstanceOf(NoSuchDeviceException.class)
                .hasMessageContaining("no such device")
                .hasMessageContaining("auto, or virtual")
                .satisfies(e -> {
                    for (VulkanDeviceInfo info : GpuDevices.list()) {
                        assertThat(e.getMessage()).contains(info.name());
                    }
                });
    }

    @Test
    void withoutALoaderAutoIsTheVirtualGpu() throws Exception {
        assertThat(probe(Map.of("JDK_JAVA_OPTIONS", "-Dorg.lwjgl.vulkan.libname=libno-such-loader.so")))
                .contains("kind=SIMULATED")
                .contains("reason=no Vulkan loader")
                .contains("list=[]")
                .contains("named=no Vulkan device has 'anything' in its name: no Vulkan loader")
                .contains("or fail=no Vulkan device: no Vulkan loader");
    }

    @Test
    void withoutADriverAutoIsTheVirtualGpu() throws Exception {
        String output = probe(drivers("/no/such/driver.json"));
        assertThat(output)
                .contains("kind=SIMULATED")
                .contains("list=[]")
                .contains("or fail=no Vulkan device: the Vulkan loader finds no driver");
        assertThat(output.lines().filter(line -> line.contains("device of 'probe'")))
                .as("that it is the virtual GPU, and once that what draws have left is no picture")
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains(
                                        "taking the virtual GPU, which renders no picture, because the Vulkan loader"),
                        line -> assertThat(line).contains("what is read back of 'picture' is noise"));
        assertThat(output.indexOf("is noise")).isGreaterThan(output.indexOf("cleared"));
    }

    /** As after an installation for many machines, of which this one has another GPU or none. */
    @Test
    void withADriverThatFindsNoDeviceAutoIsTheVirtualGpu() throws Exception {
        Path driver = Path.of("/usr/share/vulkan/icd.d/radeon_icd.x86_64.json");
        assumeTrue(Files.exists(driver) && Files.notExists(Path.of("/dev/dri")), "no driver without a device here");
        assertThat(probe(drivers(driver.toString())))
                .contains("kind=SIMULATED")
                .contains("reason=the Vulkan drivers that are installed find no device")
                .contains("list=[]")
                .contains("named=no Vulkan device has 'anything' in its name: the Vulkan drivers");
    }

    private static Map<String, String> drivers(String file) {
        return Map.of("VK_DRIVER_FILES", file, "VK_ICD_FILENAMES", file);
    }

    private static String probe(Map<String, String> environment) throws IOException, InterruptedException {
        return String.join("\n", ChildJvm.run(ChildJvm.USUAL, environment, AutoDeviceProbe.class));
    }
}
