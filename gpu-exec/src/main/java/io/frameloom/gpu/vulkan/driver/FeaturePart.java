package io.frameloom.gpu.vulkan.driver;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;

/**
 * The structure of a few features that is part of the structure of a version of Vulkan, member by member in the same
 * order.
 *
 * @param type its VkStructureType
 * @param version the version: 11, 12 or 13
 * @param offset place of its first member in the structure of the version
 * @param count number of its members
 * @param extension the extension that devices of Vulkan 1.2 have it by, null if they have it in themselves or Frameloom does
 *     not turn it on
 */
record FeaturePart(
        int type,
        int version,
        int offset,
        int count,
        @Nullable String extension) {
    private static final Map<Integer, FeaturePart> ALL = List.of(
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
                            11,
                            VkPhysicalDeviceVulkan11Features.STORAGEBUFFER16BITACCESS,
                            4,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
                            11,
                            VkPhysicalDeviceVulkan11Features.MULTIVIEW,
                            3,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES,
                            11,
                            VkPhysicalDeviceVulkan11Features.VARIABLEPOINTERSSTORAGEBUFFER,
                            2,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
                            11,
                            VkPhysicalDeviceVulkan11Features.PROTECTEDMEMORY,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES,
                            11,
                            VkPhysicalDeviceVulkan11Features.SAMPLERYCBCRCONVERSION,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES,
                            11,
                            VkPhysicalDeviceVulkan11Features.SHADERDRAWPARAMETERS,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.STORAGEBUFFER8BITACCESS,
                            3,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.SHADERBUFFERINT64ATOMICS,
                            2,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.SHADERFLOAT16,
                            2,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.SHADERINPUTATTACHMENTARRAYDYNAMICINDEXING,
                            20,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.SCALARBLOCKLAYOUT,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.IMAGELESSFRAMEBUFFER,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.UNIFORMBUFFERSTANDARDLAYOUT,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.SHADERSUBGROUPEXTENDEDTYPES,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.SEPARATEDEPTHSTENCILLAYOUTS,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.HOSTQUERYRESET,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.TIMELINESEMAPHORE,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.BUFFERDEVICEADDRESS,
                            3,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
                            12,
                            VkPhysicalDeviceVulkan12Features.VULKANMEMORYMODEL,
                            3,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.ROBUSTIMAGEACCESS,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.INLINEUNIFORMBLOCK,
                            2,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.PIPELINECREATIONCACHECONTROL,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.PRIVATEDATA,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.SHADERDEMOTETOHELPERINVOCATION,
                            1,
                            "VK_EXT_shader_demote_to_helper_invocation"),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.SHADERTERMINATEINVOCATION,
                            1,
                            "VK_KHR_shader_terminate_invocation"),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.SUBGROUPSIZECONTROL,
                            2,
                            "VK_EXT_subgroup_size_control"),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.SYNCHRONIZATION2,
                            1,
                            "VK_KHR_synchronization2"),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXTURE_COMPRESSION_ASTC_HDR_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.TEXTURECOMPRESSIONASTC_HDR,
                            1,
                            null),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.SHADERZEROINITIALIZEWORKGROUPMEMORY,
                            1,
                            "VK_KHR_zero_initialize_workgroup_memory"),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.DYNAMICRENDERING,
                            1,
                            "VK_KHR_dynamic_rendering"),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.SHADERINTEGERDOTPRODUCT,
                            1,
                            "VK_KHR_shader_integer_dot_product"),
                    new FeaturePart(
                            VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
                            13,
                            VkPhysicalDeviceVulkan13Features.MAINTENANCE4,
                            1,
                            "VK_KHR_maintenance4"))
            .stream()
            .collect(Collectors.toMap(FeaturePart::type, Function.identity()));

    /** Returns the part of a type, or null if none is. */
    static @Nullable FeaturePart of(int type) {
        return ALL.get(type);
    }

    /** Returns the parts of Vulkan 1.3 that are turned on by extensions in devices of Vulkan 1.2. */
    static List<FeaturePart> ofExtensions() {
        return ALL.values().stream().filter(part -> part.extension != null).toList();
    }
}
