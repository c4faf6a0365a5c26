package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.Capability;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import org.lwjgl.BufferUtils;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTExtendedDynamicState;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceExtendedDynamicStateFeaturesEXT;
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
 * @param v13 features of 1.3, also of a device of 1.2, whose extensions have them
 * @param others further structures of the chain, by their types: those of extensions
 */
public record DeviceFeatures(
        VkPhysicalDeviceFeatures2 all,
        VkPhysicalDeviceVulkan11Features v11,
        VkPhysicalDeviceVulkan12Features v12,
        VkPhysicalDeviceVulkan13Features v13,
        Map<Integer, ByteBuffer> others) {

    /** What devices of Vulkan 1.2 must have by extensions. */
    static final List<String> EXTENSIONS_OF_1_2 = List.of(
            "VK_KHR_synchronization2",
            "VK_KHR_dynamic_rendering",
            "VK_KHR_maintenance4",
            EXTExtendedDynamicState.VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME);

    private static final int DYNAMIC_STATE =
            EXTExtendedDynamicState.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT;

    /** Every structure begins with its type and the address of the next one. */
    private static final int HEADER_BYTES = 2 * Long.BYTES;

    /** Returns the chain with every feature off. */
    static DeviceFeatures none() {
        return none(true);
    }

    /** Makes a chain with every feature off, with or without the structure of Vulkan 1.3. */
    private static DeviceFeatures none(boolean core13) {
        var v11 = VkPhysicalDeviceVulkan11Features.create().sType$Default();
        var v12 = VkPhysicalDeviceVulkan12Features.create().sType$Default();
        var v13 = VkPhysicalDeviceVulkan13Features.create().sType$Default();
        var all = VkPhysicalDeviceFeatures2.create().sType$Default();
        all.pNext(v11).pNext(v12);
        if (core13) {
            all.pNext(v13);
        }
        return new DeviceFeatures(all, v11, v12, v13, new HashMap<>());
    }

    /**
     * Makes a chain with every feature off.
     *
     * @param core13 whether the device has Vulkan 1.3; otherwise extensions have its features
     * @param extensions the extensions whose structures are in the chain
     */
    private static DeviceFeatures none(boolean core13, Set<String> extensions) {
        DeviceFeatures features = none(core13);
        if (!core13) {
            FeaturePart.ofExtensions().stream()
                    .filter(part -> extensions.contains(part.extension()))
                    .forEach(part -> features.added(part.type(), bytes(part)));
            if (extensions.contains(EXTExtendedDynamicState.VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME)) {
                features.dynamicState();
            }
        }
        for (CapabilityNeeds.Structure structure : CapabilityNeeds.structures()) {
            CapabilityNeeds.Extension owner = structure.extension();
            if (owner != null && extensions.contains(owner.name())) {
                features.added(structure.type(), structure.bytes());
            }
        }
        return features;
    }

    /** Returns the address of the structure of dynamic state, which devices of Vulkan 1.3 need no feature for. */
    private long dynamicState() {
        return added(DYNAMIC_STATE, VkPhysicalDeviceExtendedDynamicStateFeaturesEXT.SIZEOF);
    }

    private static int bytes(FeaturePart part) {
        return HEADER_BYTES + part.count() * Integer.BYTES;
    }

    /** Asks a device of version 1.3 what it supports. */
    public static DeviceFeatures supported(VkPhysicalDevice device) {
        return supported(device, true, Set.of());
    }

    /**
     * Asks a device what it supports.
     *
     * @param core13 whether it has Vulkan 1.3, and not 1.2
     * @param extensions extensions of the device, whose features are asked for as well
     */
    static DeviceFeatures supported(VkPhysicalDevice device, boolean core13, Set<String> extensions) {
        DeviceFeatures features = none(core13, extensions);
        VK13.vkGetPhysicalDeviceFeatures2(device, features.all);
        features.eachPart(
                (part, at) -> join(features.target(part), at + HEADER_BYTES, 0, part.count() * Integer.BYTES));
        return features;
    }

    private void eachPart(ObjLongConsumer<FeaturePart> each) {
        others.forEach((type, memory) -> {
            FeaturePart part = FeaturePart.of(type);
            if (part != null) {
                each.accept(part, MemoryUtil.memAddress(memory));
            }
        });
    }

    boolean has(CapabilityNeeds.Feature feature) {
        long at = address(feature.structure());
        return at != MemoryUtil.NULL && MemoryUtil.memGetInt(at + feature.offset()) != 0;
    }

    /** Returns the address of a structure, or 0 if it is not in the chain. */
    private long address(CapabilityNeeds.Structure structure) {
        return switch (structure.type()) {
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2 -> all.address();
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES -> v11.address();
            case VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES -> v12.address();
            default -> {
                ByteBuffer memory = others.get(structure.type());
                yield memory == null ? MemoryUtil.NULL : MemoryUtil.memAddress(memory);
            }
        };
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
            default -> readOther(type, from);
        }
    }

    /**
     * Enables the features of a structure, of one that is in the chain or of one more.
     *
     * @param core13 whether the device has Vulkan 1.3
     */
    void add(RawExtensions.Structure structure, boolean core13) {
        int type = structure.type();
        FeaturePart part = FeaturePart.of(type);
        if (part != null && part.version() == 13 && !core13) {
            added(type, bytes(part));
        }
        boolean known = others.containsKey(type);
        readStructure(type, structure.address());
        if (part == null && !isOfVersion(type) && !known) {
            int bytes = structure.memory().capacity();
            join(added(type, bytes), structure.address(), HEADER_BYTES, bytes);
        }
        // A device of Vulkan 1.2 takes the features of 1.3 from the structures of their extensions.
        eachPart((each, at) -> join(at + HEADER_BYTES, target(each), 0, each.count() * Integer.BYTES));
    }

    private static boolean isOfVersion(int type) {
        return type == VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2
                || type == VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES
                || type == VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES
                || type == VK13.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    }

    private void readOther(int type, long from) {
        FeaturePart part = FeaturePart.of(type);
        if (part != null) {
            join(target(part), from + HEADER_BYTES, 0, part.count() * Integer.BYTES);
        }
        if (type == DYNAMIC_STATE) {
            join(dynamicState(), from, HEADER_BYTES, VkPhysicalDeviceExtendedDynamicStateFeaturesEXT.SIZEOF);
        }
        CapabilityNeeds.structures().stream()
                .filter(structure -> structure.type() == type)
                .forEach(structure -> join(added(type, structure.bytes()), from, HEADER_BYTES, structure.bytes()));
    }

    /** Returns where the first member of a part is in the structure of its version. */
    private long target(FeaturePart part) {
        long version = part.version() == 11 ? v11.address() : part.version() == 12 ? v12.address() : v13.address();
        return version + part.offset();
    }

    /** The address of a further structure, which is put into the chain if it is not there. */
    long added(int type, int bytes) {
        return MemoryUtil.memAddress(others.computeIfAbsent(type, absent -> {
            ByteBuffer memory = BufferUtils.createByteBuffer(bytes);
            long address = MemoryUtil.memAddress(memory);
            MemoryUtil.memPutInt(address, type);
            MemoryUtil.memPutAddress(address + Long.BYTES, all.pNext());
            all.pNext(address);
            return memory;
        }));
    }

    /** Enables the features of another structure of the same kind; both consist of VkBool32 from {@code begin} on. */
    private static void join(long target, long from, int begin, int end) {
        for (int at = begin; at < end; at += Integer.BYTES) {
            if (MemoryUtil.memGetInt(from + at) != 0) {
                MemoryUtil.memPutInt(target + at, VK13.VK_TRUE);
            }
        }
    }

    /** Names the missing required features of a device of Vulkan 1.3, and their structures. */
    public List<String> missing() {
        return missing(true, extension -> false);
    }

    /**
     * Names the missing required features, and their structures.
     *
     * @param core13 whether the device has Vulkan 1.3
     */
    List<String> missing(boolean core13, Predicate<String> extensions) {
        List<String> missing = new ArrayList<>();
        if (!core13) {
            for (String extension : EXTENSIONS_OF_1_2) {
                if (!extensions.test(extension)) {
                    missing.add(extension + " or Vulkan 1.3");
                }
            }
            if (!missing.isEmpty()) {
                return missing;
            }
        }
        require(missing, 12, "timelineSemaphore", v12.timelineSemaphore());
        require(missing, 12, "hostQueryReset", v12.hostQueryReset());
        require(missing, 12, "separateDepthStencilLayouts", v12.separateDepthStencilLayouts());
        require(missing, 13, "synchronization2", v13.synchronization2());
        require(missing, 13, "dynamicRendering", v13.dynamicRendering());
        require(missing, 13, "maintenance4", v13.maintenance4());
        ByteBuffer states = others.get(DYNAMIC_STATE);
        if (!core13 && (states == null || states.getInt(HEADER_BYTES) == 0)) {
            missing.add("VkPhysicalDeviceExtendedDynamicStateFeaturesEXT.extendedDynamicState");
        }
        return missing;
    }

    private static void require(List<String> missing, int version, String name, boolean supported) {
        if (!supported) {
            missing.add("VkPhysicalDeviceVulkan" + version + "Features." + name);
        }
    }

    /** Returns the features of extensions: each structure after its type, by ascending types. */
    public byte[] ofExtensions() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        new TreeMap<>(others).forEach((type, memory) -> {
            all.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(type).array());
            byte[] features = new byte[memory.capacity() - HEADER_BYTES];
            memory.duplicate().position(HEADER_BYTES).get(features);
            all.writeBytes(features);
        });
        return all.toByteArray();
    }

    /** Returns whether shaders cannot leave buffers. */
    boolean robustBufferAccess() {
        return all.features().robustBufferAccess();
    }

    /**
     * Returns the chain that enables the required features, and all supported ones that shaders and draws may use.
     *
     * @param robustBufferAccess whether shaders are to be kept within buffers, which costs something
     * @param capabilities capabilities whose features are enabled besides
     * @param core13 whether the device has Vulkan 1.3
     */
    DeviceFeatures enabled(
            boolean robustBufferAccess, Set<Capability> capabilities, boolean core13, Set<String> extensions) {
        // robustBufferAccess2 and null descriptors stay off: not every device has them, and every binding is demanded.
        DeviceFeatures on = none(core13, extensions);
        on.v12.timelineSemaphore(true).hostQueryReset(true).separateDepthStencilLayouts(true);
        on.v13.synchronization2(true).dynamicRendering(true).maintenance4(true);
        if (!core13) {
            VkPhysicalDeviceExtendedDynamicStateFeaturesEXT.nextendedDynamicState(on.dynamicState(), VK13.VK_TRUE);
        }

        VkPhysicalDeviceFeatures has = all.features();
        on.all
                .features()
                .robustBufferAccess(robustBufferAccess)
                .samplerAnisotropy(has.samplerAnisotropy())
                .depthClamp(has.depthClamp())
                .multiViewport(has.multiViewport())
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
        for (Capability capability : capabilities) {
            for (CapabilityNeeds.Feature feature :
                    CapabilityNeeds.of(capability).features()) {
                MemoryUtil.memPutInt(on.address(feature.structure()) + feature.offset(), VK13.VK_TRUE);
            }
        }
        on.eachPart((part, at) -> join(at + HEADER_BYTES, on.target(part), 0, part.count() * Integer.BYTES));
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
