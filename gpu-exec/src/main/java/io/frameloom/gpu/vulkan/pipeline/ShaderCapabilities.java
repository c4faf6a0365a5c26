package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.SpirvModule;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.DeviceFeatures;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VKCapabilitiesDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Properties;

/**
 * Checks what shaders use against the enabled features of the device: a driver need not find a shader that uses a
 * disabled feature. Of "Capabilities" in the SPIR-V environment of the Vulkan specification, it knows those that one
 * feature of Vulkan 1.0 to 1.3 or the subgroups of the device enable. Of extensions it knows which device extension
 * enables which SPIR-V extension, not which feature enables which capability. An engine's device, and one that was opened
 * with extensions that have no {@link io.frameloom.gpu.Capability}, may have others on: there only SPIR-V extensions of
 * known ones that are off are refused.
 * Immutable; any thread.
 */
final class ShaderCapabilities {
    /** In the order of SPIR-V's capabilities and of Vulkan's bits; each is an extension GL_KHR_shader_subgroup_*. */
    private static final String[] SUBGROUP_OPERATIONS = {
        "basic", "vote", "arithmetic", "ballot", "shuffle", "shuffle_relative", "clustered", "quad"
    };

    private static final int FIRST_SUBGROUP_CAPABILITY = 61;

    /** With everything off: no feature enables a capability that is not missing here. */
    private static final DeviceFeatures NONE = DeviceFeatures.read(MemoryUtil.NULL, MemoryUtil.NULL);

    /** Capabilities of every device of Vulkan 1.3, among them those of float controls, which its properties limit. */
    private static final Set<Integer> CORE_CAPABILITIES = Set.of(
            0, 1, 40, 43, 44, 46, 47, 50, 51, 61, 62, 63, 64, 65, 66, 67, 68, 4437, 4464, 4465, 4466, 4467, 4468, 5301);

    /** SPIR-V extensions of Vulkan 1.3, from "Vulkan Environment for SPIR-V" in its specification. */
    private static final Set<String> CORE_EXTENSIONS = Set.of(
            "SPV_KHR_variable_pointers",
            "SPV_KHR_shader_draw_parameters",
            "SPV_KHR_16bit_storage",
            "SPV_KHR_storage_buffer_storage_class",
            "SPV_KHR_device_group",
            "SPV_KHR_multiview",
            "SPV_KHR_8bit_storage",
            "SPV_KHR_float_controls",
            "SPV_KHR_physical_storage_buffer",
            "SPV_EXT_physical_storage_buffer",
            "SPV_KHR_vulkan_memory_model",
            "SPV_EXT_descriptor_indexing",
            "SPV_EXT_shader_viewport_index_layer",
            "SPV_GOOGLE_decorate_string",
            "SPV_GOOGLE_hlsl_functionality1",
            "SPV_GOOGLE_user_type",
            "SPV_KHR_no_integer_wrap_decoration",
            "SPV_KHR_terminate_invocation",
            "SPV_EXT_demote_to_helper_invocation",
            "SPV_KHR_integer_dot_product",
            "SPV_KHR_non_semantic_info");

    /** By SPIR-V extension: whether the device extension that enables it is on. */
    private static final Map<String, Predicate<VKCapabilitiesDevice>> OPENED = Map.ofEntries(
            Map.entry("SPV_EXT_shader_atomic_float_add", device -> device.VK_EXT_shader_atomic_float),
            Map.entry("SPV_EXT_shader_atomic_float16_add", device -> device.VK_EXT_shader_atomic_float2),
            Map.entry("SPV_EXT_shader_atomic_float_min_max", device -> device.VK_EXT_shader_atomic_float2),
            Map.entry("SPV_EXT_shader_image_int64", device -> device.VK_EXT_shader_image_atomic_int64),
            Map.entry("SPV_EXT_shader_stencil_export", device -> device.VK_EXT_shader_stencil_export),
            Map.entry("SPV_EXT_fragment_shader_interlock", device -> device.VK_EXT_fragment_shader_interlock),
            Map.entry("SPV_KHR_post_depth_coverage", device -> device.VK_EXT_post_depth_coverage),
            Map.entry("SPV_KHR_shader_ballot", device -> device.VK_EXT_shader_subgroup_ballot),
            Map.entry("SPV_KHR_subgroup_vote", device -> device.VK_EXT_shader_subgroup_vote),
            Map.entry("SPV_KHR_shader_clock", device -> device.VK_KHR_shader_clock),
            Map.entry("SPV_KHR_ray_query", device -> device.VK_KHR_ray_query),
            Map.entry("SPV_KHR_ray_tracing", device -> device.VK_KHR_ray_tracing_pipeline),
            Map.entry("SPV_EXT_mesh_shader", device -> device.VK_EXT_mesh_shader),
            Map.entry("SPV_KHR_fragment_shading_rate", device -> device.VK_KHR_fragment_shading_rate),
            Map.entry("SPV_KHR_fragment_shader_barycentric", device -> device.VK_KHR_fragment_shader_barycentric),
            Map.entry("SPV_KHR_cooperative_matrix", device -> device.VK_KHR_cooperative_matrix),
            Map.entry(
                    "SPV_KHR_workgroup_memory_explicit_layout",
                    device -> device.VK_KHR_workgroup_memory_explicit_layout));

    /** As {@link #OPENED}, for what Vulkan 1.3 has taken in: devices of 1.2 have it by extensions. */
    private static final Map<String, Predicate<VKCapabilitiesDevice>> OPENED_IN_1_2 = Map.of(
            "SPV_KHR_terminate_invocation", device -> device.VK_KHR_shader_terminate_invocation,
            "SPV_EXT_demote_to_helper_invocation", device -> device.VK_EXT_shader_demote_to_helper_invocation,
            "SPV_KHR_integer_dot_product", device -> device.VK_KHR_shader_integer_dot_product,
            "SPV_KHR_non_semantic_info", device -> device.VK_KHR_shader_non_semantic_info);

    private final DeviceCore core;
    private final DeviceFeatures supported;
    private final int subgroupStages;
    private final int subgroupOperations;

    ShaderCapabilities(DeviceCore core) {
        this.core = core;
        this.supported = core.adapter().features();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var v11 = VkPhysicalDeviceVulkan11Properties.calloc(stack).sType$Default();
            var all = VkPhysicalDeviceProperties2.calloc(stack).sType$Default();
            VK13.vkGetPhysicalDeviceProperties2(core.adapter().handle(), all.pNext(v11));
            subgroupStages = v11.subgroupSupportedStages();
            subgroupOperations = v11.subgroupSupportedOperations();
        }
    }

    /**
     * Checks a shader.
     *
     * @param pipeline kind and name of the pipeline, for messages
     */
    void check(String pipeline, PipelineShaders.Stage stage) {
        CompiledShader shader = stage.shader();
        String where = pipeline + ": shader '" + shader.name() + "'";
        SpirvModule module = stage.module();
        for (int capability : module.capabilities()) {
            String feature = missing(capability, core.features());
            if (feature != null) {
                boolean there = missing(capability, supported) == null;
                throw off(where + " declares SPIR-V capability " + capability + ", but", feature, there);
            }
            subgroups(where, shader.stage(), capability);
        }
        for (String extension : module.extensions()) {
            Predicate<VKCapabilitiesDevice> on = OPENED.get(extension);
            if (on == null && !core.adapter().core13()) {
                on = OPENED_IN_1_2.get(extension);
            }
            boolean off = on == null
                    ? !core.hasUnnamedExtensions() && !CORE_EXTENSIONS.contains(extension)
                    : !on.test(core.handle().getCapabilities());
            if (off) {
                throw foreign(where + " declares SPIR-V extension " + extension);
            }
        }
        boolean extended = module.extensions().stream().anyMatch(OPENED::containsKey);
        for (int capability : module.capabilities()) {
            if (!extended && !core.hasUnnamedExtensions() && !isKnown(capability)) {
                throw foreign(where + " declares SPIR-V capability " + capability);
            }
        }
        for (ShaderBinding.Kind kind : module.dynamicallyIndexed()) {
            require(
                    where + " takes elements of an array of " + kind + " by a number that is no constant, but",
                    indexingCapability(kind));
        }
        for (ShaderBinding binding : shader.reflection().bindings()) {
            stores(where, shader.stage(), binding);
        }
    }

    private IllegalArgumentException foreign(String what) {
        String device = "device '" + core.capabilities().name() + "'";
        return new IllegalArgumentException(what
                + (core.owned()
                        ? ", which is not of Vulkan " + (core.adapter().core13() ? "1.3" : "1.2")
                                + ", and whose extension is not on in " + device
                                + "; write the shader without it, or open the device with DeviceOptions.require or"
                                + " VulkanExtensions"
                        : ", whose Vulkan extension was not switched on when " + device
                                + " was created; switch it on there, or write the shader without it"));
    }

    /** Returns whether a capability is of Vulkan 1.3, with a feature or without. */
    private static boolean isKnown(int capability) {
        return CORE_CAPABILITIES.contains(capability)
                || missing(capability, NONE.all().features()) != null
                || missingLater(capability, NONE) != null;
    }

    private void require(String what, int capability) {
        String feature = missing(capability, core.features());
        if (feature != null) {
            throw off(what, feature, missing(capability, supported) == null);
        }
    }

    private IllegalArgumentException off(String what, String feature, boolean supportedThere) {
        String device = "device '" + core.capabilities().name() + "'";
        if (!supportedThere) {
            return new IllegalArgumentException(what + " " + device + " does not have feature " + feature
                    + "; write the shader without it, or use a device that has it");
        }
        return new IllegalArgumentException(what + " feature " + feature + ", which " + device + " has, "
                + (core.owned()
                        ? "is off; write the shader without it, or open the device with DeviceOptions.require or"
                                + " VulkanExtensions"
                        : "was not switched on when the device was created; switch it on there, or write the shader"
                                + " without it"));
    }

    private void subgroups(String where, ShaderStage stage, int capability) {
        int operation = capability - FIRST_SUBGROUP_CAPABILITY;
        if (operation < 0 || operation >= SUBGROUP_OPERATIONS.length) {
            return;
        }
        String device = "device '" + core.capabilities().name() + "'";
        if ((subgroupStages & PipelineInterface.stage(stage)) == 0) {
            throw new IllegalArgumentException(where + " has operations of subgroups, which " + device
                    + " does not have in stage " + stage + "; write the shader without them");
        }
        if ((subgroupOperations >> operation & 1) == 0) {
            throw new IllegalArgumentException(where + " has operations of GL_KHR_shader_subgroup_"
                    + SUBGROUP_OPERATIONS[operation] + ", which " + device
                    + " does not have; write the shader without them");
        }
    }

    private void stores(String where, ShaderStage stage, ShaderBinding binding) {
        boolean vertex = stage == ShaderStage.VERTEX;
        if (!binding.written() || !(vertex || stage == ShaderStage.FRAGMENT)) {
            return;
        }
        VkPhysicalDeviceFeatures on = core.features().all().features();
        if (vertex ? on.vertexPipelineStoresAndAtomics() : on.fragmentStoresAndAtomics()) {
            return;
        }
        VkPhysicalDeviceFeatures has = supported.all().features();
        throw off(
                where + " may write '" + binding.name() + "', which it does not declare readonly, but",
                vertex ? "vertexPipelineStoresAndAtomics" : "fragmentStoresAndAtomics",
                vertex ? has.vertexPipelineStoresAndAtomics() : has.fragmentStoresAndAtomics());
    }

    private static int indexingCapability(ShaderBinding.Kind kind) {
        return switch (kind) {
            case UNIFORM_BUFFER -> 28;
            // One feature is for arrays of samplers as well.
            case SAMPLED_TEXTURE, SAMPLED_IMAGE, SAMPLER -> 29;
            case STORAGE_BUFFER -> 30;
            case STORAGE_TEXTURE -> 31;
            // Each is one of its own.
            case INPUT_ATTACHMENT -> 40;
            // No feature is for it.
            case ACCELERATION_STRUCTURE -> 1;
        };
    }

    /** Returns the name of the feature that enables a capability, or null if it is enabled or none is known. */
    private static @Nullable String missing(int capability, DeviceFeatures on) {
        String off = missing(capability, on.all().features());
        return off == null ? missingLater(capability, on) : off;
    }

    private static @Nullable String missing(int capability, VkPhysicalDeviceFeatures on) {
        return switch (capability) {
            case 2 -> unless(on.geometryShader(), "geometryShader");
            case 3 -> unless(on.tessellationShader(), "tessellationShader");
            case 10 -> unless(on.shaderFloat64(), "shaderFloat64");
            case 11 -> unless(on.shaderInt64(), "shaderInt64");
            case 22 -> unless(on.shaderInt16(), "shaderInt16");
            case 23, 24 ->
                unless(on.shaderTessellationAndGeometryPointSize(), "shaderTessellationAndGeometryPointSize");
            case 25 -> unless(on.shaderImageGatherExtended(), "shaderImageGatherExtended");
            case 27, 48 -> unless(on.shaderStorageImageMultisample(), "shaderStorageImageMultisample");
            case 28 -> unless(on.shaderUniformBufferArrayDynamicIndexing(), "shaderUniformBufferArrayDynamicIndexing");
            case 29 -> unless(on.shaderSampledImageArrayDynamicIndexing(), "shaderSampledImageArrayDynamicIndexing");
            case 30 -> unless(on.shaderStorageBufferArrayDynamicIndexing(), "shaderStorageBufferArrayDynamicIndexing");
            case 31 -> unless(on.shaderStorageImageArrayDynamicIndexing(), "shaderStorageImageArrayDynamicIndexing");
            case 32 -> unless(on.shaderClipDistance(), "shaderClipDistance");
            case 33 -> unless(on.shaderCullDistance(), "shaderCullDistance");
            case 34, 45 -> unless(on.imageCubeArray(), "imageCubeArray");
            case 35, 52 -> unless(on.sampleRateShading(), "sampleRateShading");
            case 41 -> unless(on.shaderResourceResidency(), "shaderResourceResidency");
            case 42 -> unless(on.shaderResourceMinLod(), "shaderResourceMinLod");
            case 49 -> unless(on.shaderStorageImageExtendedFormats(), "shaderStorageImageExtendedFormats");
            case 55 -> unless(on.shaderStorageImageReadWithoutFormat(), "shaderStorageImageReadWithoutFormat");
            case 56 -> unless(on.shaderStorageImageWriteWithoutFormat(), "shaderStorageImageWriteWithoutFormat");
            case 57 -> unless(on.multiViewport(), "multiViewport");
            default -> null;
        };
    }

    private static @Nullable String missingLater(int capability, DeviceFeatures on) {
        var v11 = on.v11();
        var v12 = on.v12();
        return switch (capability) {
            case 9 -> unless(v12.shaderFloat16(), "shaderFloat16");
            case 12 ->
                unless(
                        v12.shaderBufferInt64Atomics() || v12.shaderSharedInt64Atomics(),
                        "shaderBufferInt64Atomics or shaderSharedInt64Atomics");
            case 39 -> unless(v12.shaderInt8(), "shaderInt8");
            case 69 -> unless(v12.shaderOutputLayer(), "shaderOutputLayer");
            case 70 -> unless(v12.shaderOutputViewportIndex(), "shaderOutputViewportIndex");
            case 4427 -> unless(v11.shaderDrawParameters(), "shaderDrawParameters");
            case 4433 -> unless(v11.storageBuffer16BitAccess(), "storageBuffer16BitAccess");
            case 4434 -> unless(v11.uniformAndStorageBuffer16BitAccess(), "uniformAndStorageBuffer16BitAccess");
            case 4435 -> unless(v11.storagePushConstant16(), "storagePushConstant16");
            case 4436 -> unless(v11.storageInputOutput16(), "storageInputOutput16");
            case 4439 -> unless(v11.multiview(), "multiview");
            case 4441 -> unless(v11.variablePointersStorageBuffer(), "variablePointersStorageBuffer");
            case 4442 -> unless(v11.variablePointers(), "variablePointers");
            case 4448 -> unless(v12.storageBuffer8BitAccess(), "storageBuffer8BitAccess");
            case 4449 -> unless(v12.uniformAndStorageBuffer8BitAccess(), "uniformAndStorageBuffer8BitAccess");
            case 4450 -> unless(v12.storagePushConstant8(), "storagePushConstant8");
            case 5254 ->
                unless(
                        v12.shaderOutputLayer() && v12.shaderOutputViewportIndex(),
                        "shaderOutputLayer or shaderOutputViewportIndex");
            case 5303 ->
                unless(v12.shaderInputAttachmentArrayDynamicIndexing(), "shaderInputAttachmentArrayDynamicIndexing");
            case 5304 ->
                unless(
                        v12.shaderUniformTexelBufferArrayDynamicIndexing(),
                        "shaderUniformTexelBufferArrayDynamicIndexing");
            case 5305 ->
                unless(
                        v12.shaderStorageTexelBufferArrayDynamicIndexing(),
                        "shaderStorageTexelBufferArrayDynamicIndexing");
            case 5310 ->
                unless(
                        v12.shaderInputAttachmentArrayNonUniformIndexing(),
                        "shaderInputAttachmentArrayNonUniformIndexing");
            case 5311 ->
                unless(
                        v12.shaderUniformTexelBufferArrayNonUniformIndexing(),
                        "shaderUniformTexelBufferArrayNonUniformIndexing");
            case 5312 ->
                unless(
                        v12.shaderStorageTexelBufferArrayNonUniformIndexing(),
                        "shaderStorageTexelBufferArrayNonUniformIndexing");
            case 5302 -> unless(v12.runtimeDescriptorArray(), "runtimeDescriptorArray");
            case 5306 ->
                unless(v12.shaderUniformBufferArrayNonUniformIndexing(), "shaderUniformBufferArrayNonUniformIndexing");
            case 5307 ->
                unless(v12.shaderSampledImageArrayNonUniformIndexing(), "shaderSampledImageArrayNonUniformIndexing");
            case 5308 ->
                unless(v12.shaderStorageBufferArrayNonUniformIndexing(), "shaderStorageBufferArrayNonUniformIndexing");
            case 5309 ->
                unless(v12.shaderStorageImageArrayNonUniformIndexing(), "shaderStorageImageArrayNonUniformIndexing");
            case 5345 -> unless(v12.vulkanMemoryModel(), "vulkanMemoryModel");
            case 5346 -> unless(v12.vulkanMemoryModelDeviceScope(), "vulkanMemoryModelDeviceScope");
            case 5347 -> unless(v12.bufferDeviceAddress(), "bufferDeviceAddress");
            case 5379 -> unless(on.v13().shaderDemoteToHelperInvocation(), "shaderDemoteToHelperInvocation");
            case 6016, 6017, 6018, 6019 -> unless(on.v13().shaderIntegerDotProduct(), "shaderIntegerDotProduct");
            default -> null;
        };
    }

    private static @Nullable String unless(boolean on, String feature) {
        return on ? null : feature;
    }
}
