package io.frameloom.samples.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class DevicesCommandTest {
    private record Run(int code, String out, String err) {}

    private static Run run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Run(code, out.toString(), err.toString());
    }

    @Test
    void listsEveryDeviceWithOneDefault() {
        Run run = run("devices");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        for (VulkanDeviceInfo device : GpuDevices.list()) {
            assertThat(run.out())
                    .contains(device.name() + ": ", "Vulkan " + device.apiVersion(), "#" + device.index())
                    .contains("has       " + Capability.list(device.capabilities()))
                    .contains(device.usable() ? device.uuid() : "lacks " + device.missing());
        }
        assertThat(run.out()).containsOnlyOnce("(the default)");
        assertThat(run.out().substring(run.out().indexOf("Frameloom virtual GPU")))
                .containsPattern("queues    \\d+ graphics, \\d+ compute, \\d+ copy")
                .contains("memory    heap 0, ", "limits    textures of ");
        String reason = VulkanDevices.unavailableReason();
        if (reason.isEmpty()) {
            assertThat(run.out()).containsPattern("Vulkan 1\\.\\d+\\.\\d+ \\(the default\\)");
        } else {
            assertThat(run.out()).contains(reason, "without a driver (the default)");
        }
    }

    @Test
    void aDeviceThatAPropertyChoosesChangesNoOther() {
        System.setProperty("frameloom.gpu.device", "virtual:queues=8+8+8");
        try {
            Run run = run("devices");
            assertThat(run.code()).isZero();
            assertThat(run.out())
                    .contains("queues    1 graphics, 1 compute, 0 copy")
                    .contains("frameloom.gpu.device=virtual:queues=8+8+8 wins")
                    .doesNotContain("8 graphics");
        } finally {
            System.clearProperty("frameloom.gpu.device");
        }
    }

    @ParameterizedTest
    @CsvSource({"memoryLimit,much", "device,virtual:queues=0"})
    void aWrongPropertyIsOneLine(String property, String value) {
        System.setProperty("frameloom.gpu." + property, value);
        try {
            Run run = run("devices");
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err())
                    .startsWith("frameloom devices: system property frameloom.gpu." + property)
                    .hasLineCount(1);
        } finally {
            System.clearProperty("frameloom.gpu." + property);
        }
    }
}
