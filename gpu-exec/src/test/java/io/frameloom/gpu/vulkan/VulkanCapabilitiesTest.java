package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.NativeQueueDriver;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPhysicalDeviceConditionalRenderingFeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceCustomBorderColorFeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceFaultFeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceMultiviewFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceShaderAtomicFloatFeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan14Features;

/** Capabilities, extensions and features that are asked for are on under validation, or are refused by name. */
@Timeout(60)
class VulkanCapabilitiesTest {
    /** An extension that both drivers of the tests have and no capability stands for, with two features. */
    private static final String BORDERS = "VK_EXT_custom_border_color";

    private TaskGraph tasks;
    private DeviceOptions options;

    @BeforeEach
    void begin() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("capabilities").workers(1).build();
        options = new DeviceOptions(tasks, "capabilities", true, null);
    }

    @AfterEach
    void end() {
        if (tasks != null) {
            tasks.close();
        }
    }

    /** The device with most capabilities. */
    private static VulkanDeviceInfo richest() {
        return VulkanDevices.list().stream()
                .filter(VulkanDeviceInfo::usable)
                .max(Comparator.comparingInt(device -> device.capabilities().size()))
                .orElseThrow();
    }

    /** What the layer has said, but for extensions of today that a layer of 2022 does not know. */
    static List<String> messages(VulkanDevice device) {
        return device.validationMessages().stream()
                .map(ValidationMessage::text)
                .filter(text ->
                        !text.contains("unknown VkStructureType") && !text.contains("is not supported by this layer"))
                .toList();
    }

    /** Opens a device, and returns what is on in it. */
    private static Set<Capability> opened(DeviceOptions with) {
        return opened("", with);
    }

    private static Set<Capability> opened(String name, DeviceOptions with) {
        VulkanDevice device = VulkanDevices.open(name, with);
        try (device) {
            return device.capabilities().on();
        } finally {
            assertThat(messages(device)).isEmpty();
        }
    }

    @Test
    void nothingIsOnUnlessAskedFor() {
        assertThat(opened(options)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void oneThatTheDeviceHasIsOnAlone(Capability capability) {
        ValidatedDevice.assumeDriver(capability);
        Set<Capability> on = opened(options.require(capability));
        assertThat(on).contains(capability);
        Set<Capability> others = EnumSet.noneOf(Capability.class);
        if (capability == Capability.RAY_TRACING_PIPELINE_LIBRARY) {
            others.add(Capability.RAY_TRACING_PIPELINES);
        }
        if (capability == Capability.RAY_QUERIES
                || capability == Capability.RAY_TRACING_PIPELINES
                || !others.isEmpty()) {
            others.add(Capability.ACCELERATION_STRUCTURES);
        }
        if (!others.isEmpty() || capability == Capability.ACCELERATION_STRUCTURES) {
            others.add(Capability.BUFFER_DEVICE_ADDRESS);
        }
        others.add(capability);
        assertThat(on).isEqualTo(others);
    }

    @Test
    void whatIsPreferredIsOnWhereItIsPresent() {
        VulkanDeviceInfo richest = richest();
        Set<Capability> on = opened("#" + richest.index(), options.prefer(Capability.values()));
        assertThat(on).isEqualTo(richest.capabilities());
    }

    @Test
    void whatIsRequiredAndAbsentIsRefusedBeforeAnythingIsCreated() {
        DeviceSeams hiding = new DeviceSeams(
                new NativeQueueDriver(), Set.of("VK_EXT_conditional_rendering", "VK_KHR_acceleration_structure"));
        DeviceOptions wanted =
                options.require(Capability.CONDITIONAL_RENDERING, Capability.MULTIVIEW, Capability.RAY_QUERIES);
        assertThatThrownBy(() -> SeamedDevices.open("", wanted, hiding))
                .isInstanceOf(NoSuchDeviceException.class)
                .hasMessageContaining("(lacks CONDITIONAL_RENDERING (extension VK_EXT_conditional_rendering)")
                .hasMessageContaining("RAY_QUERIES (extension VK_KHR_acceleration_structure")
                .hasMessageContaining("required: MULTIVIEW, CONDITIONAL_RENDERING, RAY_QUERIES")
                .hasMessageContainingAll("; of capabilities, #0 has ", "MULTIVIEW, PUSH_DESCRIPTORS");
        try (VulkanDevice device = SeamedDevices.open(
                "", options.prefer(Capability.CONDITIONAL_RENDERING, Capability.MULTIVIEW), hiding)) {
            assertThat(device.capabilities().on()).containsExactly(Capability.MULTIVIEW);
            assertThat(device.capabilities().has(Capability.CONDITIONAL_RENDERING))
                    .isFalse();
        }
    }

    @Test
    void extensionsWithoutANameOfOursAreOnWithTheirFeatures() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var borders = VkPhysicalDeviceCustomBorderColorFeaturesEXT.calloc(stack)
                    .sType$Default()
                    .customBorderColors(true);
            var core = VkPhysicalDeviceFeatures2.calloc(stack).sType$Default();
            core.features().logicOp(true);
            VulkanExtensions extensions = VulkanExtensions.of(BORDERS).withFeatures(borders, core);
            VulkanDevice device = VulkanDevices.open("", options.require(Capability.MULTIVIEW), extensions);
            try (device) {
                assertThat(device.handles().device().getCapabilities().VK_EXT_custom_border_color)
                        .isTrue();
                assertThat(device.capabilities().on()).containsExactly(Capability.MULTIVIEW);
            }
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    /** Structures of a version of Vulkan, and of its parts, are added to those that are in the chain anyway. */
    @Test
    void featuresOfVulkanItselfAreAdded() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var multiview = VkPhysicalDeviceMultiviewFeatures.calloc(stack)
                    .sType$Default()
                    .multiview(true);
            var addresses = VkPhysicalDeviceVulkan12Features.calloc(stack)
                    .sType$Default()
                    .bufferDeviceAddress(true);
            VulkanDevice device =
                    VulkanDevices.open("", options, VulkanExtensions.of().withFeatures(multiview, addresses));
            try (device) {
                assertThat(device.capabilities().on())
                        .containsExactlyInAnyOrder(Capability.MULTIVIEW, Capability.BUFFER_DEVICE_ADDRESS);
            }
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    /** Vulkan takes one structure of a type, so the capability shares it. */
    @Test
    void featuresOfACapabilityAreAddedToIt() {
        Capability capability = Capability.CONDITIONAL_RENDERING;
        ValidatedDevice.assumeDriver(capability);
        try (var drawing = VkPhysicalDeviceConditionalRenderingFeaturesEXT.calloc()
                .sType$Default()
                .conditionalRendering(true)) {
            VulkanExtensions given =
                    VulkanExtensions.of("VK_EXT_conditional_rendering").withFeatures(drawing);
            VulkanDevice device = VulkanDevices.open("", options.prefer(capability), given);
            try (device) {
                assertThat(device.capabilities().on()).containsExactly(capability);
            }
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    /** The report of a lost device turns the same structure on. */
    @Test
    void featuresOfFaultsAreAddedToThoseOfTheReport() {
        ValidatedDevice.assumeExtension("VK_EXT_device_fault");
        try (var faults =
                VkPhysicalDeviceFaultFeaturesEXT.calloc().sType$Default().deviceFault(true)) {
            VulkanDevice device =
                    VulkanDevices.open("", options, VulkanExtensions.of().withFeatures(faults));
            device.close();
            assertThat(messages(device)).isEmpty();
        }
    }

    @Test
    void badExtensionsAndFeaturesAreRefusedByName() {
        assertThatThrownBy(() -> VulkanExtensions.of("custom_border_color"))
                .hasMessageStartingWith("'custom_border_color' is no name of a device extension");
        assertThatThrownBy(() -> VulkanDevices.open("", options, VulkanExtensions.of("VK_EXT_no_such_thing")))
                .isInstanceOf(NoSuchDeviceException.class)
                .hasMessageContaining("(lacks extension VK_EXT_no_such_thing)");
        VulkanExtensions none = VulkanExtensions.of();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var drawing = VkPhysicalDeviceConditionalRenderingFeaturesEXT.calloc(stack)
                    .sType$Default()
                    .conditionalRendering(true);
            VulkanExtensions given =
                    VulkanExtensions.of("VK_EXT_conditional_rendering").withFeatures(drawing);
            assertThatThrownBy(() -> given.withFeatures(drawing)).hasMessageContaining("is given twice");
            var first = VkPhysicalDeviceFeatures2.calloc(stack).sType$Default().pNext(drawing.address());
            assertThatThrownBy(() -> none.withFeatures(first))
                    .hasMessage("VkPhysicalDeviceFeatures2 has a pNext; give each structure by itself");
            var untyped = VkPhysicalDeviceCustomBorderColorFeaturesEXT.calloc(stack);
            assertThatThrownBy(() -> none.withFeatures(untyped)).hasMessageContaining("has no sType");
            // The driver would write more features than the structure has room for.
            var larger =
                    VkPhysicalDeviceCustomBorderColorFeaturesEXT.calloc(stack).sType(first.sType());
            assertThatThrownBy(() -> none.withFeatures(larger))
                    .hasMessage("VkPhysicalDeviceCustomBorderColorFeaturesEXT has sType 1000059000, and is 1000287002;"
                            + " set it by sType$Default()");
            assertThatThrownBy(() -> none.withFeatures(first.features()))
                    .hasMessageStartingWith("VkPhysicalDeviceFeatures is no structure of features with a pNext");
            var newest = VkPhysicalDeviceVulkan14Features.calloc(stack).sType$Default();
            assertThatThrownBy(() -> none.withFeatures(newest)).hasMessageContaining("opened as Vulkan 1.4");
        }
    }

    @Test
    void aFeatureThatTheDeviceLacksIsRefusedByItsPlace() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var all = VkPhysicalDeviceFeatures2.calloc(stack).sType$Default();
            var supported = VkPhysicalDeviceFeatures2.calloc(stack).sType$Default();
            try (VulkanDevice device = VulkanDevices.open("", options)) {
                VK13.vkGetPhysicalDeviceFeatures2(device.handles().physicalDevice(), supported);
            }
            assumeTrue(!supported.features().textureCompressionASTC_LDR(), "the device has ASTC textures");
            all.features().textureCompressionASTC_LDR(true);
            assertThatThrownBy(() -> VulkanDevices.open(
                            "", options, VulkanExtensions.of().withFeatures(all)))
                    .isInstanceOf(NoSuchDeviceException.class)
                    .hasMessageContaining("(lacks feature 22 of VkPhysicalDeviceFeatures2)");
        }
    }

    /** What an extension opens in shaders is refused by default, and taken where it is on. */
    @Test
    void shadersUseWhatIsTurnedOn() {
        ShaderSource adding = new ShaderSource("add.comp", ShaderStage.COMPUTE, """
                #version 450
                #extension GL_EXT_shader_atomic_float : require
                layout(local_size_x = 1) in;
                layout(binding = 0) buffer Sum { float sum; };
                void main() { atomicAdd(sum, 1.0); }
                """);
        ValidatedDevice.assumeExtension("VK_EXT_shader_atomic_float");
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var atomics = VkPhysicalDeviceShaderAtomicFloatFeaturesEXT.calloc(stack)
                    .sType$Default()
                    .shaderBufferFloat32AtomicAdd(true);
            VulkanExtensions extensions =
                    VulkanExtensions.of("VK_EXT_shader_atomic_float").withFeatures(atomics);
            VulkanDevice device = VulkanDevices.open("", options, extensions);
            try (device) {
                device.createComputePipeline(new ComputePipelineDescription("add", adding, null))
                        .close();
            }
            assertThat(messages(device)).isEmpty();
        } catch (NoSuchDeviceException lacking) {
            assumeTrue(false, lacking.getMessage());
        }
    }

    @Test
    void theListOfDevicesSaysWhatEachHas() {
        assertThat(List.copyOf(richest().capabilities()))
                .contains(Capability.BUFFER_DEVICE_ADDRESS, Capability.MULTIVIEW);
    }
}
