package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is wrong with a description is said by name, the same way on both devices, and leaves nothing behind: the devices
 * close without a word of themselves or of the validation layer.
 */
@Timeout(60)
class PipelineBadInputTest {
    private static final String CASES = "io.frameloom.gpu.vulkan.BadPipeline#";

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    @ParameterizedTest
    @MethodSource({CASES + "onBothDevices", CASES + "beyondTheDevice", CASES + "onVulkan"})
    void isRefusedByTheVulkanDevice(BadPipeline bad) {
        assertRefused(bad, gpu.device());
        // The device is as good as before.
        gpu.own(gpu.device().createGraphicsPipeline(plain()));
    }

    @ParameterizedTest
    @MethodSource({CASES + "onBothDevices", CASES + "beyondTheDevice", CASES + "descriptions"})
    void isRefusedByTheVirtualDevice(BadPipeline bad) {
        try (VirtualDevice device =
                VirtualDevice.open(new VirtualGpuOptions(1, 1), new DeviceOptions(gpu.tasks(), "bad", false, null))) {
            assertRefused(bad, device);
            device.createGraphicsPipeline(plain()).close();
        }
    }

    @Test
    void componentsOfOneLocationMayBeSeveralVariables() {
        GraphicsPipelineDescription packed = BadPipeline.describe(
                BadPipeline.lines(
                        "layout(location = 1, component = 0) out vec2 uv;",
                        "layout(location = 1, component = 2) out vec2 light;",
                        "void main() { uv = vec2(0); light = vec2(1); gl_Position = vec4(0); }"),
                BadPipeline.lines(
                        "layout(location = 1, component = 0) in vec2 uv;",
                        "layout(location = 1, component = 2) in vec2 light;",
                        "layout(location = 0) out vec4 color;",
                        "void main() { color = vec4(uv, light); }"),
                List.of(),
                Format.R8G8B8A8_UNORM);
        gpu.own(gpu.device().createGraphicsPipeline(packed));
        try (VirtualDevice device =
                VirtualDevice.open(new VirtualGpuOptions(1, 1), new DeviceOptions(gpu.tasks(), "good", false, null))) {
            device.createGraphicsPipeline(packed).close();
        }
    }

    private static GraphicsPipelineDescription plain() {
        return BadPipeline.describe(BadPipeline.PLAIN_VERTEX, BadPipeline.WHITE, List.of(), Format.R8G8B8A8_UNORM);
    }

    private static void assertRefused(BadPipeline bad, GpuDevice device) {
        // Twice: a refusal leaves nothing that would change the next one.
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> bad.attempt().accept(device))
                    .hasMessageContainingAll(bad.parts().toArray(new String[0]));
        }
    }
}
