package io.frameloom.gpu.vulkan.driver;

import java.util.ArrayList;
import java.util.List;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;

/**
 * The chain of feature structures of Vulkan 1.0 to 1.3, in memory that lives as long as this object. Not to be changed
 * once it is made.
 *
 * @param all head of the chain
 * @param v11 features of 1.1
 * @param v12 features of 1.2
 * @param v13 features of 1.3
 */
public record DeviceFeatures(
        VkPhysicalDeviceFeatures2 all,
        VkPhysicalDeviceVulkan11Features v11,
        VkPhysicalDeviceVulkan12Features v12,
        VkPhysicalDeviceVulkan13Features v13) {

    /** Every structure begins with its type and the address of the next one. */
    private static final int HEADER_BYTES = 2 * Long.BYTES;

    private static DeviceFeatures none() {
        var v11 = VkPhysicalDeviceVulkan11Features.create().sType$Default();
        var v12 = VkPhysicalDeviceVulkan12Features.create().sType$Default();
        var v13 = VkPhysicalDeviceVulkan13Features.create().sType$Default();
        var all = VkPhysicalDeviceFeatures2.create().sType$Default();
        all.pNext(v11).pNext(v12).pNext(v13);
        return new DeviceFeatures(all, v11, v12, v13);
    }

    /** Asks a device of version 1.3 what it supports. */
    public static DeviceFeatures supported(VkPhysicalDevice device) {
        DeviceFeatures features = none();
        VK13.vkGetPhysicalDeviceFeatures2(device, features.all);
        return features;
    }

    /**
     * Reads the features that an engine has enabled; the structures are copied.
     *
     * @param core address of a VkPhysicalDeviceFeatures, or 0
     * @param chain address of the first structure of a chain, or 0; structures without features that Frameloom uses are
     *     passed over
     */
    public static DeviceFeatures read(long core, long chain) {
        DeviceFeatures features = none();
        if (core != MemoryUtil.NULL) {
            join(features.all.features().address(), core, 0, VkPhysicalDeviceFeatures.SIZEOF);
        }
        for (long at = chain; at != MemoryUtil.NULL; at = MemoryUtil.memGetAddress(at + Long.BYTES)) {
            features.readStructure(MemoryUtil.memGetInt(at), at);
        }
        return features;
    }

    /** The structures of one version hold those of single features, member by member in the same order. */
    private void readStructure(int type, long from) {
        switch (type) {
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2 ->
                join(all.features().address(), from + HEADER_BYTES, 0, VkPhysicalDeviceFeatures.SIZEOF);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES ->
                join(
                        v11.address(),
                        from,
                        HEADER_BYTES,
                        VkPhysicalDeviceVulkan11Features.SHADERDRAWPARAMETERS + Integer.BYTES);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES ->
                join(
                        v12.address(),
                        from,
                        HEADER_BYTES,
                        VkPhysicalDeviceVulkan12Features.SUBGROUPBROADCASTDYNAMICID + Integer.BYTES);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES ->
                join(v13.address(), from, HEADER_BYTES, VkPhysicalDeviceVulkan13Features.MAINTENANCE4 + Integer.BYTES);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES ->
                part(v11.address() + VkPhysicalDeviceVulkan11Features.STORAGEBUFFER16BITACCESS, from, 4);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES ->
                part(v11.address() + VkPhysicalDeviceVulkan11Features.MULTIVIEW, from, 3);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES ->
                part(v11.address() + VkPhysicalDeviceVulkan11Features.VARIABLEPOINTERSSTORAGEBUFFER, from, 2);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES ->
                part(v11.address() + VkPhysicalDeviceVulkan11Features.PROTECTEDMEMORY, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES ->
                part(v11.address() + VkPhysicalDeviceVulkan11Features.SAMPLERYCBCRCONVERSION, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES ->
                part(v11.address() + VkPhysicalDeviceVulkan11Features.SHADERDRAWPARAMETERS, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES ->
                part(v12.address() + VkPhysicalDeviceVulkan12Features.STORAGEBUFFER8BITACCESS, from, 3);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES ->
                part(v12.address() + VkPhysicalDeviceVulkan12Features.SHADERBUFFERINT64ATOMICS, from, 2);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES ->
                part(v12.address() + VkPhysicalDeviceVulkan12Features.SHADERFLOAT16, from, 2);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES ->
                part(
                        v12.address() + VkPhysicalDeviceVulkan12Features.SHADERINPUTATTACHMENTARRAYDYNAMICINDEXING,
                        from,
                        20);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES ->
                part(v12.address() + VkPhysicalDeviceVulkan12Features.SCALARBLOCKLAYOUT, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES ->
                part(v12.address() + VkPhysicalDeviceVulkan12Features.IMAGELESSFRAMEBUFFER, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES ->
                part(v12.address() + VkPhysicalDeviceVulkan12Features.UNIFORMBUFFERSTANDARDLAYOUT, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES ->
                part(v12.address() + VkPhysicalDeviceVulkan12Features.SHADERSUBGROUPEXTENDEDTYPES, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES ->
                part(v12.address() + VkPhysicalDeviceVulkan12Features.SEPARATEDEPTHSTENCILLAYOUTS, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES ->
                part(v12.address() + VkPhysicalDeviceVulkan12Features.HOSTQUERYRESET, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES ->
                part(v12.address() + VkPhysicalDeviceVulkan12Features.TIMELINESEMAPHORE, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES ->
                part(v12.address() + VkPhysicalDeviceVulkan12Features.BUFFERDEVICEADDRESS, from, 3);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES ->
                part(v12.address() + VkPhysicalDeviceVulkan12Features.VULKANMEMORYMODEL, from, 3);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.ROBUSTIMAGEACCESS, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.INLINEUNIFORMBLOCK, from, 2);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.PIPELINECREATIONCACHECONTROL, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.PRIVATEDATA, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.SHADERDEMOTETOHELPERINVOCATION, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.SHADERTERMINATEINVOCATION, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.SUBGROUPSIZECONTROL, from, 2);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.SYNCHRONIZATION2, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXTURE_COMPRESSION_ASTC_HDR_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.TEXTURECOMPRESSIONASTC_HDR, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.SHADERZEROINITIALIZEWORKGROUPMEMORY, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.DYNAMICRENDERING, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.SHADERINTEGERDOTPRODUCT, from, 1);
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES ->
                part(v13.address() + VkPhysicalDeviceVulkan13Features.MAINTENANCE4, from, 1);
            default -> {}
        }
    }

    /** Enables the features of the structure of a single feature. */
    private static void part(long target, long from, int count) {
        join(target, from + HEADER_BYTES, 0, count * Integer.BYTES);
    }

    /** Enables the features of another structure of the same kind; both consist of VkBool32 from {@code begin} on. */
    private static void join(long target, long from, int begin, int end) {
        for (int at = begin; at < end; at += Integer.BYTES) {
            if (MemoryUtil.memGetInt(from + at) != 0) {
                MemoryUtil.memPutInt(target + at, VK13.VK_TRUE);
            }
        }
    }

    /** Names the missing required features, and their structures. */
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        require(missing, 12, "timelineSemaphore", v12.timelineSemaphore());
        require(missing, 12, "hostQueryReset", v12.hostQueryReset());
        require(missing, 12, "separateDepthStencilLayouts", v12.separateDepthStencilLayouts());
        require(missing, 13, "synchronization2", v13.synchronization2());
        require(missing, 13, "dynamicRendering", v13.dynamicRendering());
        require(missing, 13, "maintenance4", v13.maintenance4());
        return missing;
    }

    private static void require(List<String> missing, int version, String name, boolean supported) {
        if (!supported) {
            missing.add("VkPhysicalDeviceVulkan" + version + "Features." + name);
        }
    }

    /** Returns whether shaders cannot leave buffers. */
    boolean robustBufferAccess() {
        return all.features().robustBufferAccess();
    }

    /**
     * Returns the chain that enables the required features, and all supported ones that shaders and draws may use.
     *
     * @param robustBufferAccess whether shaders are to be kept within buffers, which costs something
     */
    DeviceFeatures enabled(boolean robustBufferAccess) {
        // robustBufferAccess2 and null descriptors stay off: not every device has them, and every binding is demanded.
        DeviceFeatures on = none();
        on.v12.timelineSemaphore(true).hostQueryReset(true).separateDepthStencilLayouts(true);
        on.v13.synchronization2(true).dynamicRendering(true).maintenance4(true);

        VkPhysicalDeviceFeatures has = all.features();
        on.all
                .features()
                .robustBufferAccess(robustBufferAccess)
                .samplerAnisotropy(has.samplerAnisotropy())
                .depthClamp(has.depthClamp())
                .multiDrawIndirect(has.multiDrawIndirect())
                .drawIndirectFirstInstance(has.drawIndirectFirstInstance())
                .imageCubeArray(has.imageCubeArray())
                .independentBlend(has.independentBlend())
                .sampleRateShading(has.sampleRateShading())
                .wideLines(has.wideLines())
                .fillModeNonSolid(has.fillModeNonSolid())
                .largePoints(has.largePoints())
                .depthBiasClamp(has.depthBiasClamp())
                .occlusionQueryPrecise(has.occlusionQueryPrecise())
                .pipelineStatisticsQuery(has.pipelineStatisticsQuery())
                .textureCompressionBC(has.textureCompressionBC())
                .textureCompressionETC2(has.textureCompressionETC2())
                .textureCompressionASTC_LDR(has.textureCompressionASTC_LDR());
        enableForShaders(on);
        on.v12.drawIndirectCount(v12.drawIndirectCount()).samplerFilterMinmax(v12.samplerFilterMinmax());
        on.v13.subgroupSizeControl(v13.subgroupSizeControl()).computeFullSubgroups(v13.computeFullSubgroups());
        return on;
    }

    /** Enables everything that shaders may use without help of Frameloom. */
    private void enableForShaders(DeviceFeatures on) {
        VkPhysicalDeviceFeatures has = all.features();
        // Without geometry shaders, their feature opens gl_PrimitiveID and gl_Layer in fragment shaders.
        on.all
                .features()
                .geometryShader(has.geometryShader())
                .fragmentStoresAndAtomics(has.fragmentStoresAndAtomics())
                .vertexPipelineStoresAndAtomics(has.vertexPipelineStoresAndAtomics())
                .shaderStorageImageReadWithoutFormat(has.shaderStorageImageReadWithoutFormat())
                .shaderStorageImageWriteWithoutFormat(has.shaderStorageImageWriteWithoutFormat())
                .shaderStorageImageExtendedFormats(has.shaderStorageImageExtendedFormats())
                .shaderStorageImageMultisample(has.shaderStorageImageMultisample())
                .shaderUniformBufferArrayDynamicIndexing(has.shaderUniformBufferArrayDynamicIndexing())
                .shaderSampledImageArrayDynamicIndexing(has.shaderSampledImageArrayDynamicIndexing())
                .shaderStorageBufferArrayDynamicIndexing(has.shaderStorageBufferArrayDynamicIndexing())
                .shaderStorageImageArrayDynamicIndexing(has.shaderStorageImageArrayDynamicIndexing())
                .shaderImageGatherExtended(has.shaderImageGatherExtended())
                .shaderResourceMinLod(has.shaderResourceMinLod())
                .shaderClipDistance(has.shaderClipDistance())
                .shaderCullDistance(has.shaderCullDistance())
                .shaderFloat64(has.shaderFloat64())
                .shaderInt64(has.shaderInt64())
                .shaderInt16(has.shaderInt16());
        on.v11
                .storageBuffer16BitAccess(v11.storageBuffer16BitAccess())
                .uniformAndStorageBuffer16BitAccess(v11.uniformAndStorageBuffer16BitAccess())
                .storagePushConstant16(v11.storagePushConstant16())
                .storageInputOutput16(v11.storageInputOutput16())
                .variablePointersStorageBuffer(v11.variablePointersStorageBuffer())
                .variablePointers(v11.variablePointers())
                .shaderDrawParameters(v11.shaderDrawParameters());
        on.v12
                .storageBuffer8BitAccess(v12.storageBuffer8BitAccess())
                .uniformAndStorageBuffer8BitAccess(v12.uniformAndStorageBuffer8BitAccess())
                .storagePushConstant8(v12.storagePushConstant8())
                .shaderBufferInt64Atomics(v12.shaderBufferInt64Atomics())
                .shaderSharedInt64Atomics(v12.shaderSharedInt64Atomics())
                .shaderFloat16(v12.shaderFloat16())
                .shaderInt8(v12.shaderInt8())
                .shaderUniformBufferArrayNonUniformIndexing(v12.shaderUniformBufferArrayNonUniformIndexing())
                .shaderSampledImageArrayNonUniformIndexing(v12.shaderSampledImageArrayNonUniformIndexing())
                .shaderStorageBufferArrayNonUniformIndexing(v12.shaderStorageBufferArrayNonUniformIndexing())
                .shaderStorageImageArrayNonUniformIndexing(v12.shaderStorageImageArrayNonUniformIndexing())
                .scalarBlockLayout(v12.scalarBlockLayout())
                .uniformBufferStandardLayout(v12.uniformBufferStandardLayout())
                .shaderSubgroupExtendedTypes(v12.shaderSubgroupExtendedTypes())
                .vulkanMemoryModel(v12.vulkanMemoryModel())
                .vulkanMemoryModelDeviceScope(v12.vulkanMemoryModelDeviceScope())
                .shaderOutputViewportIndex(v12.shaderOutputViewportIndex())
                .shaderOutputLayer(v12.shaderOutputLayer())
                .subgroupBroadcastDynamicId(v12.subgroupBroadcastDynamicId());
        on.v13
                .shaderDemoteToHelperInvocation(v13.shaderDemoteToHelperInvocation())
                .shaderTerminateInvocation(v13.shaderTerminateInvocation())
                .shaderZeroInitializeWorkgroupMemory(v13.shaderZeroInitializeWorkgroupMemory())
                .shaderIntegerDotProduct(v13.shaderIntegerDotProduct());
    }
}
