package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.Capability;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.EXTConditionalRendering;
import org.lwjgl.vulkan.EXTExtendedDynamicState3;
import org.lwjgl.vulkan.EXTGraphicsPipelineLibrary;
import org.lwjgl.vulkan.EXTMeshShader;
import org.lwjgl.vulkan.EXTShaderObject;
import org.lwjgl.vulkan.EXTSwapchainMaintenance1;
import org.lwjgl.vulkan.EXTVertexInputDynamicState;
import org.lwjgl.vulkan.KHRAccelerationStructure;
import org.lwjgl.vulkan.KHRDynamicRenderingLocalRead;
import org.lwjgl.vulkan.KHRFragmentShadingRate;
import org.lwjgl.vulkan.KHRPresentId;
import org.lwjgl.vulkan.KHRPresentWait;
import org.lwjgl.vulkan.KHRRayQuery;
import org.lwjgl.vulkan.KHRRayTracingPipeline;
import org.lwjgl.vulkan.VK12;
import org.lwjgl.vulkan.VKCapabilitiesDevice;
import org.lwjgl.vulkan.VKCapabilitiesInstance;
import org.lwjgl.vulkan.VkPhysicalDeviceAccelerationStructureFeaturesKHR;
import org.lwjgl.vulkan.VkPhysicalDeviceConditionalRenderingFeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR;
import org.lwjgl.vulkan.VkPhysicalDeviceExtendedDynamicState3FeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceFragmentShadingRateFeaturesKHR;
import org.lwjgl.vulkan.VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceMeshShaderFeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDevicePresentIdFeaturesKHR;
import org.lwjgl.vulkan.VkPhysicalDevicePresentWaitFeaturesKHR;
import org.lwjgl.vulkan.VkPhysicalDeviceRayQueryFeaturesKHR;
import org.lwjgl.vulkan.VkPhysicalDeviceRayTracingPipelineFeaturesKHR;
import org.lwjgl.vulkan.VkPhysicalDeviceShaderObjectFeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;

/**
 * What a capability needs of a Vulkan device. This table alone decides what asking for one turns on, and which ones are
 * on.
 *
 * @param others capabilities that it turns on
 */
public record CapabilityNeeds(
        List<Extension> extensions,
        List<InstanceExtension> instanceExtensions,
        List<Feature> features,
        Set<Capability> others) {
    /** An extension of a device, and whether it is enabled. */
    public record Extension(String name, Predicate<VKCapabilitiesDevice> enabled) {}

    /** An extension of an instance, and whether it is enabled. */
    public record InstanceExtension(String name, Predicate<VKCapabilitiesInstance> enabled) {}

    /**
     * A structure of features.
     *
     * @param type its VkStructureType
     * @param extension the extension that it belongs to, null for those of Vulkan 1.0 to 1.2
     */
    public record Structure(
            int type, int bytes, String name, @Nullable Extension extension) {}

    /** A feature: a VkBool32 of a structure. */
    public record Feature(Structure structure, int offset, String name) {}

    private static final Structure V10 = new Structure(
            VK12.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
            VkPhysicalDeviceFeatures2.SIZEOF,
            "VkPhysicalDeviceFeatures",
            null);
    private static final Structure V11 = new Structure(
            VK12.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
            VkPhysicalDeviceVulkan11Features.SIZEOF,
            "VkPhysicalDeviceVulkan11Features",
            null);
    private static final Structure V12 = new Structure(
            VK12.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
            VkPhysicalDeviceVulkan12Features.SIZEOF,
            "VkPhysicalDeviceVulkan12Features",
            null);

    private static final Extension SWAPCHAIN = new Extension("VK_KHR_swapchain", d -> d.VK_KHR_swapchain);
    private static final Extension LIBRARY = new Extension("VK_KHR_pipeline_library", d -> d.VK_KHR_pipeline_library);
    private static final InstanceExtension SURFACE = new InstanceExtension("VK_KHR_surface", i -> i.VK_KHR_surface);

    private static final Map<Capability, CapabilityNeeds> TABLE = table();

    private static Map<Capability, CapabilityNeeds> table() {
        Map<Capability, CapabilityNeeds> table = new EnumMap<>(Capability.class);
        for (Capability each : Capability.values()) {
            table.put(each, needs(each));
        }
        return table;
    }

    public static CapabilityNeeds of(Capability capability) {
        CapabilityNeeds needs = TABLE.get(capability);
        if (needs == null) {
            throw new IllegalArgumentException("no needs of " + capability);
        }
        return needs;
    }

    private static CapabilityNeeds needs(Capability capability) {
        return switch (capability) {
            case DESCRIPTOR_INDEXING ->
                core(
                        indexing("runtimeDescriptorArray", VkPhysicalDeviceVulkan12Features.RUNTIMEDESCRIPTORARRAY),
                        indexing(
                                "descriptorBindingPartiallyBound",
                                VkPhysicalDeviceVulkan12Features.DESCRIPTORBINDINGPARTIALLYBOUND),
                        indexing(
                                "descriptorBindingUpdateUnusedWhilePending",
                                VkPhysicalDeviceVulkan12Features.DESCRIPTORBINDINGUPDATEUNUSEDWHILEPENDING),
                        indexing(
                                "descriptorBindingSampledImageUpdateAfterBind",
                                VkPhysicalDeviceVulkan12Features.DESCRIPTORBINDINGSAMPLEDIMAGEUPDATEAFTERBIND),
                        indexing(
                                "descriptorBindingStorageImageUpdateAfterBind",
                                VkPhysicalDeviceVulkan12Features.DESCRIPTORBINDINGSTORAGEIMAGEUPDATEAFTERBIND),
                        indexing(
                                "descriptorBindingStorageBufferUpdateAfterBind",
                                VkPhysicalDeviceVulkan12Features.DESCRIPTORBINDINGSTORAGEBUFFERUPDATEAFTERBIND),
                        indexing(
                                "shaderSampledImageArrayNonUniformIndexing",
                                VkPhysicalDeviceVulkan12Features.SHADERSAMPLEDIMAGEARRAYNONUNIFORMINDEXING),
                        indexing(
                                "shaderStorageImageArrayNonUniformIndexing",
                                VkPhysicalDeviceVulkan12Features.SHADERSTORAGEIMAGEARRAYNONUNIFORMINDEXING),
                        indexing(
                                "shaderStorageBufferArrayNonUniformIndexing",
                                VkPhysicalDeviceVulkan12Features.SHADERSTORAGEBUFFERARRAYNONUNIFORMINDEXING));
            case BUFFER_DEVICE_ADDRESS ->
                core(new Feature(V12, VkPhysicalDeviceVulkan12Features.BUFFERDEVICEADDRESS, "bufferDeviceAddress"));
            case MULTIVIEW -> core(new Feature(V11, VkPhysicalDeviceVulkan11Features.MULTIVIEW, "multiview"));
            case PUSH_DESCRIPTORS -> extensions(new Extension("VK_KHR_push_descriptor", d -> d.VK_KHR_push_descriptor));
            case CONDITIONAL_RENDERING ->
                feature(
                        new Structure(
                                EXTConditionalRendering
                                        .VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
                                VkPhysicalDeviceConditionalRenderingFeaturesEXT.SIZEOF,
                                "VkPhysicalDeviceConditionalRenderingFeaturesEXT",
                                new Extension("VK_EXT_conditional_rendering", d -> d.VK_EXT_conditional_rendering)),
                        VkPhysicalDeviceConditionalRenderingFeaturesEXT.CONDITIONALRENDERING,
                        "conditionalRendering");
            case DYNAMIC_RENDERING_LOCAL_READ ->
                feature(
                        new Structure(
                                KHRDynamicRenderingLocalRead
                                        .VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
                                VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR.SIZEOF,
                                "VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR",
                                new Extension(
                                        "VK_KHR_dynamic_rendering_local_read",
                                        d -> d.VK_KHR_dynamic_rendering_local_read)),
                        VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR.DYNAMICRENDERINGLOCALREAD,
                        "dynamicRenderingLocalRead");
            case GRAPHICS_PIPELINE_LIBRARY ->
                feature(
                                new Structure(
                                        EXTGraphicsPipelineLibrary
                                                .VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
                                        VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT.SIZEOF,
                                        "VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT",
                                        new Extension(
                                                "VK_EXT_graphics_pipeline_library",
                                                d -> d.VK_EXT_graphics_pipeline_library)),
                                VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT.GRAPHICSPIPELINELIBRARY,
                                "graphicsPipelineLibrary")
                        .and(extensions(LIBRARY));
            case DYNAMIC_VERTEX_INPUT ->
                feature(
                        new Structure(
                                EXTVertexInputDynamicState
                                        .VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
                                VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT.SIZEOF,
                                "VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT",
                                new Extension(
                                        "VK_EXT_vertex_input_dynamic_state", d -> d.VK_EXT_vertex_input_dynamic_state)),
                        VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT.VERTEXINPUTDYNAMICSTATE,
                        "vertexInputDynamicState");
            case EXTENDED_DYNAMIC_STATE_3 -> dynamicState3();
            case SHADER_OBJECTS ->
                feature(
                        new Structure(
                                EXTShaderObject.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
                                VkPhysicalDeviceShaderObjectFeaturesEXT.SIZEOF,
                                "VkPhysicalDeviceShaderObjectFeaturesEXT",
                                new Extension("VK_EXT_shader_object", d -> d.VK_EXT_shader_object)),
                        VkPhysicalDeviceShaderObjectFeaturesEXT.SHADEROBJECT,
                        "shaderObject");
            case MESH_SHADERS -> meshShaders();
            case FRAGMENT_SHADING_RATE ->
                feature(
                        new Structure(
                                KHRFragmentShadingRate
                                        .VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
                                VkPhysicalDeviceFragmentShadingRateFeaturesKHR.SIZEOF,
                                "VkPhysicalDeviceFragmentShadingRateFeaturesKHR",
                                new Extension("VK_KHR_fragment_shading_rate", d -> d.VK_KHR_fragment_shading_rate)),
                        VkPhysicalDeviceFragmentShadingRateFeaturesKHR.PIPELINEFRAGMENTSHADINGRATE,
                        "pipelineFragmentShadingRate");
            case ACCELERATION_STRUCTURES ->
                feature(
                                new Structure(
                                        KHRAccelerationStructure
                                                .VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
                                        VkPhysicalDeviceAccelerationStructureFeaturesKHR.SIZEOF,
                                        "VkPhysicalDeviceAccelerationStructureFeaturesKHR",
                                        new Extension(
                                                "VK_KHR_acceleration_structure", d -> d.VK_KHR_acceleration_structure)),
                                VkPhysicalDeviceAccelerationStructureFeaturesKHR.ACCELERATIONSTRUCTURE,
                                "accelerationStructure")
                        .and(extensions(new Extension(
                                "VK_KHR_deferred_host_operations", d -> d.VK_KHR_deferred_host_operations)))
                        .turningOn(Capability.BUFFER_DEVICE_ADDRESS);
            case RAY_QUERIES ->
                feature(
                                new Structure(
                                        KHRRayQuery.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR,
                                        VkPhysicalDeviceRayQueryFeaturesKHR.SIZEOF,
                                        "VkPhysicalDeviceRayQueryFeaturesKHR",
                                        new Extension("VK_KHR_ray_query", d -> d.VK_KHR_ray_query)),
                                VkPhysicalDeviceRayQueryFeaturesKHR.RAYQUERY,
                                "rayQuery")
                        .turningOn(Capability.ACCELERATION_STRUCTURES);
            case RAY_TRACING_PIPELINES -> rayTracing();
            case RAY_TRACING_PIPELINE_LIBRARY -> extensions(LIBRARY).turningOn(Capability.RAY_TRACING_PIPELINES);
            case SPARSE_RESIDENCY ->
                core(
                        sparse("sparseBinding", VkPhysicalDeviceFeatures.SPARSEBINDING),
                        sparse("sparseResidencyBuffer", VkPhysicalDeviceFeatures.SPARSERESIDENCYBUFFER),
                        sparse("sparseResidencyImage2D", VkPhysicalDeviceFeatures.SPARSERESIDENCYIMAGE2D));
            case EXTERNAL_MEMORY_FD ->
                extensions(new Extension("VK_KHR_external_memory_fd", d -> d.VK_KHR_external_memory_fd));
            case EXTERNAL_SEMAPHORE_FD ->
                extensions(new Extension("VK_KHR_external_semaphore_fd", d -> d.VK_KHR_external_semaphore_fd));
            case PRESENT_WAIT ->
                feature(
                                new Structure(
                                        KHRPresentId.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR,
                                        VkPhysicalDevicePresentIdFeaturesKHR.SIZEOF,
                                        "VkPhysicalDevicePresentIdFeaturesKHR",
                                        new Extension("VK_KHR_present_id", d -> d.VK_KHR_present_id)),
                                VkPhysicalDevicePresentIdFeaturesKHR.PRESENTID,
                                "presentId")
                        .and(feature(
                                new Structure(
                                        KHRPresentWait.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR,
                                        VkPhysicalDevicePresentWaitFeaturesKHR.SIZEOF,
                                        "VkPhysicalDevicePresentWaitFeaturesKHR",
                                        new Extension("VK_KHR_present_wait", d -> d.VK_KHR_present_wait)),
                                VkPhysicalDevicePresentWaitFeaturesKHR.PRESENTWAIT,
                                "presentWait"))
                        .and(extensions(SWAPCHAIN))
                        .ofInstance(SURFACE);
            case SWAPCHAIN_MAINTENANCE ->
                feature(
                                new Structure(
                                        EXTSwapchainMaintenance1
                                                .VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SWAPCHAIN_MAINTENANCE_1_FEATURES_EXT,
                                        VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT.SIZEOF,
                                        "VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT",
                                        new Extension(
                                                "VK_EXT_swapchain_maintenance1", d -> d.VK_EXT_swapchain_maintenance1)),
                                VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT.SWAPCHAINMAINTENANCE1,
                                "swapchainMaintenance1")
                        .and(extensions(SWAPCHAIN))
                        .ofInstance(
                                SURFACE,
                                new InstanceExtension(
                                        "VK_KHR_get_surface_capabilities2", i -> i.VK_KHR_get_surface_capabilities2),
                                new InstanceExtension(
                                        "VK_EXT_surface_maintenance1", i -> i.VK_EXT_surface_maintenance1));
            case HDR_METADATA ->
                extensions(new Extension("VK_EXT_hdr_metadata", d -> d.VK_EXT_hdr_metadata), SWAPCHAIN)
                        .ofInstance(SURFACE);
        };
    }

    private static CapabilityNeeds dynamicState3() {
        Structure states = new Structure(
                EXTExtendedDynamicState3.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
                VkPhysicalDeviceExtendedDynamicState3FeaturesEXT.SIZEOF,
                "VkPhysicalDeviceExtendedDynamicState3FeaturesEXT",
                new Extension("VK_EXT_extended_dynamic_state3", d -> d.VK_EXT_extended_dynamic_state3));
        return feature(
                        states,
                        VkPhysicalDeviceExtendedDynamicState3FeaturesEXT.EXTENDEDDYNAMICSTATE3POLYGONMODE,
                        "extendedDynamicState3PolygonMode")
                .and(feature(
                        states,
                        VkPhysicalDeviceExtendedDynamicState3FeaturesEXT.EXTENDEDDYNAMICSTATE3RASTERIZATIONSAMPLES,
                        "extendedDynamicState3RasterizationSamples"))
                .and(feature(
                        states,
                        VkPhysicalDeviceExtendedDynamicState3FeaturesEXT.EXTENDEDDYNAMICSTATE3COLORBLENDENABLE,
                        "extendedDynamicState3ColorBlendEnable"))
                .and(feature(
                        states,
                        VkPhysicalDeviceExtendedDynamicState3FeaturesEXT.EXTENDEDDYNAMICSTATE3COLORBLENDEQUATION,
                        "extendedDynamicState3ColorBlendEquation"))
                .and(feature(
                        states,
                        VkPhysicalDeviceExtendedDynamicState3FeaturesEXT.EXTENDEDDYNAMICSTATE3COLORWRITEMASK,
                        "extendedDynamicState3ColorWriteMask"));
    }

    /** One capability stands for both features: the drivers known to have one of them have both. */
    private static CapabilityNeeds meshShaders() {
        Structure mesh = new Structure(
                EXTMeshShader.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
                VkPhysicalDeviceMeshShaderFeaturesEXT.SIZEOF,
                "VkPhysicalDeviceMeshShaderFeaturesEXT",
                new Extension("VK_EXT_mesh_shader", d -> d.VK_EXT_mesh_shader));
        return feature(mesh, VkPhysicalDeviceMeshShaderFeaturesEXT.TASKSHADER, "taskShader")
                .and(feature(mesh, VkPhysicalDeviceMeshShaderFeaturesEXT.MESHSHADER, "meshShader"));
    }

    /** Every device with such pipelines has indirect traces. */
    private static CapabilityNeeds rayTracing() {
        Structure rays = new Structure(
                KHRRayTracingPipeline.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
                VkPhysicalDeviceRayTracingPipelineFeaturesKHR.SIZEOF,
                "VkPhysicalDeviceRayTracingPipelineFeaturesKHR",
                new Extension("VK_KHR_ray_tracing_pipeline", d -> d.VK_KHR_ray_tracing_pipeline));
        return feature(rays, VkPhysicalDeviceRayTracingPipelineFeaturesKHR.RAYTRACINGPIPELINE, "rayTracingPipeline")
                .and(feature(
                        rays,
                        VkPhysicalDeviceRayTracingPipelineFeaturesKHR.RAYTRACINGPIPELINETRACERAYSINDIRECT,
                        "rayTracingPipelineTraceRaysIndirect"))
                .turningOn(Capability.ACCELERATION_STRUCTURES);
    }

    private static Feature indexing(String name, int offset) {
        return new Feature(V12, offset, name);
    }

    private static Feature sparse(String name, int offset) {
        return new Feature(V10, VkPhysicalDeviceFeatures2.FEATURES + offset, name);
    }

    private static CapabilityNeeds core(Feature... features) {
        return new CapabilityNeeds(List.of(), List.of(), List.of(features), Set.of());
    }

    private static CapabilityNeeds extensions(Extension... extensions) {
        return new CapabilityNeeds(List.of(extensions), List.of(), List.of(), Set.of());
    }

    private static CapabilityNeeds feature(Structure structure, int offset, String name) {
        Extension extension = structure.extension();
        return new CapabilityNeeds(
                extension == null ? List.of() : List.of(extension),
                List.of(),
                List.of(new Feature(structure, offset, name)),
                Set.of());
    }

    private CapabilityNeeds and(CapabilityNeeds more) {
        List<Extension> all = new ArrayList<>(extensions);
        more.extensions.stream().filter(extension -> !all.contains(extension)).forEach(all::add);
        List<Feature> bits = new ArrayList<>(features);
        bits.addAll(more.features);
        return new CapabilityNeeds(all, instanceExtensions, bits, others);
    }

    private CapabilityNeeds turningOn(Capability other) {
        return new CapabilityNeeds(extensions, instanceExtensions, features, EnumSet.of(other));
    }

    private CapabilityNeeds ofInstance(InstanceExtension... more) {
        return new CapabilityNeeds(extensions, List.of(more), features, others);
    }

    /** Returns the structures of features of extensions, those of Vulkan itself not among them, each once. */
    static List<Structure> structures() {
        return TABLE.values().stream()
                .flatMap(needs -> needs.features.stream())
                .map(Feature::structure)
                .filter(structure -> structure.extension() != null)
                .distinct()
                .toList();
    }

    /** Returns the capabilities with all that they turn on. */
    public static Set<Capability> withOthers(Set<Capability> capabilities) {
        Set<Capability> all = EnumSet.noneOf(Capability.class);
        for (Capability each : capabilities) {
            all.add(each);
            all.addAll(withOthers(of(each).others));
        }
        return all;
    }

    public static Set<String> instanceExtensions(Set<Capability> capabilities) {
        return withOthers(capabilities).stream()
                .flatMap(each -> of(each).instanceExtensions.stream())
                .map(InstanceExtension::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static Set<String> deviceExtensions(Set<Capability> capabilities) {
        return withOthers(capabilities).stream()
                .flatMap(each -> of(each).extensions.stream())
                .map(Extension::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns all capabilities that lack nothing. */
    static Set<Capability> without(Predicate<Capability> lacking) {
        Set<Capability> all = EnumSet.allOf(Capability.class);
        all.removeIf(each -> withOthers(Set.of(each)).stream().anyMatch(lacking));
        return all;
    }

    /**
     * Names what a device lacks for a capability itself, leaving out those that it turns on.
     *
     * @param extension whether the device has an extension, or has it on
     * @param has the features that the device has, or has on
     */
    List<String> missing(Predicate<Extension> extension, VKCapabilitiesInstance instance, DeviceFeatures has) {
        List<String> missing = new ArrayList<>();
        for (InstanceExtension each : instanceExtensions) {
            if (!each.enabled.test(instance)) {
                missing.add("instance extension " + each.name);
            }
        }
        for (Extension each : extensions) {
            if (!extension.test(each)) {
                missing.add("extension " + each.name);
            }
        }
        for (Feature each : features) {
            // Without its extension a structure has no features, and one name is enough.
            Extension owner = each.structure.extension();
            if ((owner == null || extension.test(owner)) && !has.has(each)) {
                missing.add("feature " + each.structure.name + "." + each.name);
            }
        }
        return missing;
    }
}
