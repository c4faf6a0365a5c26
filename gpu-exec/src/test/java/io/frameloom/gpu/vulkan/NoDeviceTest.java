package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A driver is installed whose GPU is not there. */
@Timeout(120)
class NoDeviceTest {
    /** LWJGL asks for the devices first, and takes any answer. */
    @ParameterizedTest
    @CsvSource({"vkCreateInstance, 1", "vkEnumeratePhysicalDevices, 3", "vkEnumeratePhysicalDevices, 4"})
    void aDriverWithoutItsGpuIsNoDevice(String function, String call) throws Exception {
        ValidatedDevice.assumeDriver();
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        FaultSweepIT.classPath(),
                        NoDeviceProbe.class.getName(),
                        function,
                        call)
                .redirectErrorStream(true);
        Process process = builder.start();
        String output;
        try {
            output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
        String reason = "the Vulkan drivers that are installed find no device (VK_ERROR_INITIALIZATION_FAILED)";
        assertThat(output)
                .contains("list=[]")
                .contains("reason=" + reason)
                .contains("open=no Vulkan device: " + reason)
                .contains("auto=SIMULATED")
                .contains("left=[]");
    }
}
