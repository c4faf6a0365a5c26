package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A driver is installed whose GPU is not there. */
class NoDeviceTest {
    private static final String REASON =
            "the Vulkan drivers that are installed find no device (VK_ERROR_INITIALIZATION_FAILED)";

    /** LWJGL asks for the devices first, and takes any answer. */
    @Test
    void aDriverWithoutItsGpuIsNoDevice() throws Exception {
        ValidatedDevice.assumeDriver();
        List<String> lines = ChildJvm.run(
                NoDeviceProbe.class,
                "vkCreateInstance",
                1,
                "vkEnumeratePhysicalDevices",
                3,
                "vkEnumeratePhysicalDevices",
                4);
        List<String> said =
                List.of("list=[]", "reason=" + REASON, "open=no Vulkan device: " + REASON, "auto=SIMULATED", "left=[]");
        for (String call :
                List.of("vkCreateInstance 1", "vkEnumeratePhysicalDevices 3", "vkEnumeratePhysicalDevices 4")) {
            assertThat(lines).as(call).contains("fails " + call);
            assertThat(lines.subList(lines.indexOf("fails " + call), lines.size()).stream()
                            .filter(line -> line.matches("(list|reason|open|auto|left)=.*"))
                            .limit(said.size()))
                    .as(call)
                    .zipSatisfy(said, (line, begin) -> assertThat(line).startsWith(begin));
        }
    }
}
