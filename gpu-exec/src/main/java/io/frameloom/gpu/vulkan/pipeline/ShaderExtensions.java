package io.frameloom.gpu.vulkan.pipeline;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.lwjgl.vulkan.VKCapabilitiesDevice;

/**
 * The SPIR-V extensions and capabilities of Vulkan 1.3 without a feature, and the device extensions that enable others.
 * From the appendix "Vulkan Environment for SPIR-V" in the Vulkan specification. Stateless.
 */
final class ShaderExtensions {
    /** Capabilities of every device of Vulkan 1.3, among them those of float controls, which its properties limit. */
    private static final Set<Integer> CORE_CAPABILITIES = Set.of(
            0, 1, 40, 43, 44, 46, 47, 50, 51, 61, 62, 63, 64, 65, 66, 67, 68, 4437, 4464, 4465, 4466, 4467, 4468, 5301);

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
            Map.entry("SPV_KHR_fragment_shading_rate", device -> device.VK_KHR_fragment_shading_rate),
            Map.entry("SPV_KHR_fragment_shader_barycentric", device -> device.VK_KHR_fragment_shader_barycentric),
            Map.entry("SPV_KHR_cooperative_matrix", device -> device.VK_KHR_cooperative_matrix),
            Map.entry(
                    "SPV_KHR_workgroup_memory_explicit_layout",
                    device -> device.VK_KHR_workgroup_memory_explicit_layout));

    private ShaderExtensions() {}

    /** Returns whether all devices have a capability. */
    static boolean isCoreCapability(int capability) {
        return CORE_CAPABILITIES.contains(capability);
    }

    /** Returns whether all devices have a SPIR-V extension. */
    static boolean isCore(String extension) {
        return CORE_EXTENSIONS.contains(extension);
    }

    /** Returns whether a device extension is known that enables a SPIR-V extension, and is not on. */
    static boolean isOff(String extension, VKCapabilitiesDevice device) {
        Predicate<VKCapabilitiesDevice> on = OPENED.get(extension);
        return on != null && !on.test(device);
    }
}
