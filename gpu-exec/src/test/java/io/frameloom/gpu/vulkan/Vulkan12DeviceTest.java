package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.vulkan.device.DriverDevice;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.NativeQueueDriver;
import io.frameloom.gpu.vulkan.driver.VulkanAdapter;
import io.frameloom.gpu.vulkan.driver.VulkanInstance;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTCalibratedTimestamps;
import org.lwjgl.vulkan.VK12;
import org.lwjgl.vulkan.VKCapabilitiesDevice;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDeviceDynamicRenderingFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceExtendedDynamicStateFeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceImageRobustnessFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceMaintenance4Features;
import org.lwjgl.vulkan.VkPhysicalDeviceSynchronization2Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkQueue;

/**
 * Devices of Vulkan 1.2 whose extensions have what Frameloom needs of 1.3. An instance of 1.2 makes such a device of any:
 * its functions of 1.3 are not there, and the validation layer reports what is not of 1.2.
 */
@Timeout(60)
class Vulkan12DeviceTest {
    private TaskGraph tasks;
    private DeviceOptions options;

    @BeforeEach
    void begin() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("vulkan 1.2").workers(2).build();
        options = new DeviceOptions(tasks, "vulkan 1.2", true, null);
    }

    @AfterEach
    void end() {
        if (tasks != null) {
            tasks.close();
        }
    }

    private static DeviceSeams without(String... extensions) {
        return new DeviceSeams(new NativeQueueDriver(), Set.of(extensions), VK12.VK_API_VERSION_1_2);
    }

    private static void assertNothingOf13(VulkanDevice device) {
        VKCapabilitiesDevice functions = device.handles().device().getCapabilities();
        assertThat(functions.Vulkan13).isFalse();
        assertThat(functions.vkCmdPipelineBarrier2).isEqualTo(MemoryUtil.NULL);
        assertThat(functions.vkCmdPipelineBarrier2KHR).isNotEqualTo(MemoryUtil.NULL);
    }

    /** Everything that a device does, with the calibration of clocks by the driver and without. */
    @Test
    void everythingWorks() {
        HazardChecker checker = new HazardChecker();
        for (DeviceSeams seams :
                List.of(without(), without(EXTCalibratedTimestamps.VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME))) {
            DeviceOptions checked = options.withObserver(checker);
            for (FaultProgram program :
                    List.of(new FaultScenario(checked, seams), new TransferScenario(checked, seams))) {
                assertThat(program.run()).isEmpty();
                assertThat(program.finished()).isTrue();
                assertThat(program.messages()).isEmpty();
            }
        }
        assertThat(checker.hazards()).isEmpty();
    }

    @Test
    void limitsAndFeaturesAreThoseOfTheSameDeviceWith13() {
        try (VulkanDevice old = SeamedDevices.open("", options, without());
                VulkanDevice current = VulkanDevices.open("", options)) {
            assertNothingOf13(old);
            assertThat(old.capabilities()).isEqualTo(current.capabilities());
        }
    }

    @Test
    void capabilitiesAreOnHereAsWell() {
        VulkanDevice device =
                SeamedDevices.open("", options.require(Capability.MULTIVIEW).prefer(Capability.values()), without());
        try (device) {
            assertNothingOf13(device);
            assertThat(device.capabilities().on())
                    .contains(Capability.MULTIVIEW, Capability.BUFFER_DEVICE_ADDRESS, Capability.PUSH_DESCRIPTORS);
        }
        assertThat(VulkanCapabilitiesTest.messages(device)).isEmpty();
    }

    /** The structure of 1.3 is not in the chain then, so each part goes there by itself. */
    @Test
    void featuresOf13AreOnWithTheirExtensions() {
        ValidatedDevice.assumeExtension("VK_EXT_image_robustness");
        try (var robust = VkPhysicalDeviceImageRobustnessFeatures.calloc()
                        .sType$Default()
                        .robustImageAccess(true);
                DriverDevice device = SeamedDevices.open(
                        options, VulkanExtensions.of("VK_EXT_image_robustness").withFeatures(robust), without())) {
            assertNothingOf13(device);
            assertThat(device.core().features().others().get(robust.sType()))
                    .as("the structure in the chain")
                    .isNotNull()
                    .satisfies(structure -> assertThat(
                                    structure.getInt(VkPhysicalDeviceImageRobustnessFeatures.ROBUSTIMAGEACCESS))
                            .isNotZero());
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    /** Vulkan 1.3 has these in itself. */
    @Test
    void shaderExtensionsOf13NeedThoseOfTheDevice() {
        ComputePipelineDescription printing = printing();
        GraphicsPipelineDescription ending = ending();
        try (VulkanDevice device = SeamedDevices.open("", options, without("VK_KHR_shader_terminate_invocation"))) {
            refused(() -> device.createComputePipeline(printing), "SPV_KHR_non_semantic_info");
            refused(() -> device.createGraphicsPipeline(ending), "SPV_KHR_terminate_invocation");
            assertThat(device.validationMessages()).isEmpty();
        }
        try (VulkanDevice device = VulkanDevices.open("", options)) {
            device.createComputePipeline(printing).close();
            device.createGraphicsPipeline(ending).close();
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    private static void refused(ThrowingCallable creation, String extension) {
        assertThatThrownBy(creation)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("declares SPIR-V extension " + extension + ", which is not of Vulkan 1.2, and"
                        + " whose extension is not on");
    }

    @Test
    void shadersEndInvocationsWithTheExtensionOfTheDevice() {
        ValidatedDevice.assumeExtension("VK_KHR_shader_terminate_invocation");
        try (VulkanDevice device = SeamedDevices.open("", options, without())) {
            device.createGraphicsPipeline(ending()).close();
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    @Test
    void shadersPrintWithTheExtensionOfTheDevice() {
        ValidatedDevice.assumeExtension("VK_KHR_shader_non_semantic_info");
        VulkanExtensions extension = VulkanExtensions.of("VK_KHR_shader_non_semantic_info");
        try (VulkanDevice device = SeamedDevices.open(options, extension, without())) {
            device.createComputePipeline(printing()).close();
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    private static ComputePipelineDescription printing() {
        return new ComputePipelineDescription("printing", shader(ShaderStage.COMPUTE, """
                        #extension GL_EXT_debug_printf : require
                        layout(local_size_x = 1) in;
                        void main() { debugPrintfEXT("here"); }
                        """), null);
    }

    private static GraphicsPipelineDescription ending() {
        return new GraphicsPipelineDescription(
                "ending",
                shader(ShaderStage.VERTEX, "void main() { gl_Position = vec4(0, 0, 0, 1); }"),
                shader(ShaderStage.FRAGMENT, """
                        #extension GL_EXT_terminate_invocation : require
                        layout(location = 0) out vec4 color;
                        void main() { if (gl_FragCoord.x > 1) terminateInvocation; color = vec4(1); }
                        """),
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                null);
    }

    private static ShaderSource shader(ShaderStage stage, String body) {
        return new ShaderSource("some." + stage, stage, "#version 450\n" + body);
    }

    @Test
    void whatLacksIsNamed() {
        assertThatThrownBy(() -> SeamedDevices.open("", options, without("VK_KHR_synchronization2")))
                .isInstanceOf(NoSuchDeviceException.class)
                .hasMessageContaining("(lacks VK_KHR_synchronization2 or Vulkan 1.3)");
        assertThatThrownBy(() ->
                        SeamedDevices.open("", options, without("VK_KHR_dynamic_rendering", "VK_KHR_maintenance4")))
                .hasMessageContaining(
                        "(lacks VK_KHR_dynamic_rendering or Vulkan 1.3, VK_KHR_maintenance4 or" + " Vulkan 1.3)");
    }

    /** Shaders are compiled for the device; code for a newer one is refused. */
    @Test
    void shadersAreOfVersion15() {
        ShaderSource text = new ShaderSource(
                "nothing.comp", ShaderStage.COMPUTE, "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}");
        ByteBuffer newer;
        try (ShaderCompiler compiler = new ShaderCompiler()) {
            newer = compiler.compile(text).spirv();
        }
        assertThat(newer.getInt(4)).isEqualTo(0x10600);
        try (VulkanDevice device = SeamedDevices.open("", options, without())) {
            device.createComputePipeline(new ComputePipelineDescription("text", text, null))
                    .close();
            byte[] bytes = new byte[newer.remaining()];
            newer.duplicate().get(bytes);
            ShaderSource code = ShaderSource.spirv("nothing.spv", ShaderStage.COMPUTE, bytes, "main");
            assertThatThrownBy(() -> device.createComputePipeline(new ComputePipelineDescription("code", code, null)))
                    .isInstanceOf(ShaderCompilationException.class)
                    .hasMessageContaining("'nothing.spv' is not valid SPIR-V for Vulkan 1.2");
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    /** An engine's device of Vulkan 1.2 with these extensions is adopted, and refused without one. */
    @Test
    void suchADeviceIsAdopted() {
        List<String> all = List.of(
                "VK_KHR_synchronization2",
                "VK_KHR_dynamic_rendering",
                "VK_EXT_extended_dynamic_state",
                "VK_KHR_maintenance4");
        try (VulkanInstance instance =
                VulkanInstance.create("engine", true, Set.of(), Set.of(), VK12.VK_API_VERSION_1_2)) {
            adopt(
                    instance,
                    all.subList(0, 3),
                    true,
                    description -> assertThatThrownBy(() -> VulkanDevices.adopt(description, options))
                            .isInstanceOf(AdoptionException.class)
                            .hasMessageContaining("extension VK_KHR_maintenance4 or Vulkan 1.3 is not on"));
            adopt(
                    instance,
                    all,
                    false,
                    description -> assertThatThrownBy(() -> VulkanDevices.adopt(description, options))
                            .isInstanceOf(AdoptionException.class)
                            .hasMessageContaining("feature VkPhysicalDeviceExtendedDynamicStateFeaturesEXT"
                                    + ".extendedDynamicState is not on"));
            adopt(instance, all, true, description -> {
                try (VulkanDevice device = VulkanDevices.adopt(description, options)) {
                    assertNothingOf13(device);
                    device.waitIdle();
                    assertThat(device.validationMessages()).isEmpty();
                }
                assertThatThrownBy(() -> VulkanDevices.adopt(description, options.require(Capability.MULTIVIEW)))
                        .isInstanceOf(AdoptionException.class)
                        .hasMessageContaining("capability MULTIVIEW is required by the options, but feature"
                                + " VkPhysicalDeviceVulkan11Features.multiview is not on");
            });
        }
    }

    private static void adopt(
            VulkanInstance instance,
            Collection<String> extensions,
            boolean dynamicState,
            Consumer<AdoptedDevice> test) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VulkanAdapter adapter = instance.adapters().get(0);
            VkDeviceQueueCreateInfo.Buffer queues = VkDeviceQueueCreateInfo.calloc(1, stack);
            queues.get(0).sType$Default().pQueuePriorities(stack.floats(1));
            PointerBuffer names = stack.mallocPointer(extensions.size());
            extensions.forEach(name -> names.put(stack.UTF8(name)));
            VkDeviceCreateInfo info = VkDeviceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pQueueCreateInfos(queues)
                    .ppEnabledExtensionNames(names.flip())
                    .pNext(VkPhysicalDeviceVulkan12Features.calloc(stack)
                            .sType$Default()
                            .timelineSemaphore(true)
                            .hostQueryReset(true)
                            .separateDepthStencilLayouts(true))
                    .pNext(VkPhysicalDeviceSynchronization2Features.calloc(stack)
                            .sType$Default()
                            .synchronization2(true))
                    .pNext(VkPhysicalDeviceDynamicRenderingFeatures.calloc(stack)
                            .sType$Default()
                            .dynamicRendering(true))
                    .pNext(VkPhysicalDeviceExtendedDynamicStateFeaturesEXT.calloc(stack)
                            .sType$Default()
                            .extendedDynamicState(dynamicState));
            if (extensions.contains("VK_KHR_maintenance4")) {
                info.pNext(VkPhysicalDeviceMaintenance4Features.calloc(stack)
                        .sType$Default()
                        .maintenance4(true));
            }
            PointerBuffer out = stack.mallocPointer(1);
            TestEngine.done(VK12.vkCreateDevice(adapter.handle(), info, null, out));
            VkDevice device = new VkDevice(out.get(0), adapter.handle(), info);
            try {
                VK12.vkGetDeviceQueue(device, 0, 0, out);
                test.accept(AdoptedDevice.of(device)
                        .createdWith(info)
                        .ownQueue(QueueKind.GRAPHICS, new VkQueue(out.get(0), device), 0)
                        .build());
            } finally {
                VK12.vkDestroyDevice(device, null);
            }
        }
    }
}
