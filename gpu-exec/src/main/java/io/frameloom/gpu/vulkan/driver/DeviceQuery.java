package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.DeviceLimits.SubgroupOperation;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.pipeline.RayTracingPipeline.RecordLimits;
import java.nio.IntBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceAccelerationStructurePropertiesKHR;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceLimits;
import org.lwjgl.vulkan.VkPhysicalDeviceMaintenance4Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceMeshShaderPropertiesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceRayTracingPipelinePropertiesKHR;
import org.lwjgl.vulkan.VkPhysicalDeviceSubgroupSizeControlProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Properties;

/** Asks a physical device for its capabilities, as far as the enabled features open them. */
final class DeviceQuery {
    /** Bits of the mask of views. */
    private static final int MOST_VIEWS = 31;

    private DeviceQuery() {}

    /**
     * Asks.
     *
     * @param on enabled features
     * @param timestampBits whether the graphics queue writes timestamps
     */
    static DeviceCapabilities capabilities(
            VulkanAdapter adapter, DeviceFeatures on, Set<Capability> capabilities, boolean timestampBits) {
        VkPhysicalDevice device = adapter.handle();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var v11 = VkPhysicalDeviceVulkan11Properties.calloc(stack).sType$Default();
            var v12 = VkPhysicalDeviceVulkan12Properties.calloc(stack).sType$Default();
            var v13 = VkPhysicalDeviceVulkan13Properties.calloc(stack).sType$Default();
            var all = VkPhysicalDeviceProperties2.calloc(stack).sType$Default();
            all.pNext(v11).pNext(v12);
            if (adapter.core13()) {
                all.pNext(v13);
                VK13.vkGetPhysicalDeviceProperties2(device, all);
            } else {
                askExtensions(device, all, on, v13, stack);
            }
            var properties = all.properties();
            VkPhysicalDeviceLimits limits = properties.limits();
            return new DeviceCapabilities(
                    properties.deviceNameString(),
                    VulkanAdapter.kind(properties.deviceType()),
                    (v12.driverNameString() + " " + v12.driverInfoString()).strip(),
                    true,
                    timestampBits && limits.timestampPeriod() > 0,
                    limits.maxImageDimension2D(),
                    Integer.toUnsignedLong(limits.maxStorageBufferRange()),
                    Math.toIntExact(limits.minUniformBufferOffsetAlignment()),
                    Math.toIntExact(limits.minStorageBufferOffsetAlignment()),
                    clamped(limits.maxPushConstantsSize()),
                    on.all().features().samplerAnisotropy() ? (int) limits.maxSamplerAnisotropy() : 1,
                    on.robustBufferAccess(),
                    limits(
                            limits,
                            v11,
                            v12,
                            v13,
                            on,
                            hasLazyMemory(device, stack),
                            structures(device, capabilities, stack),
                            meshShaders(device, capabilities, stack),
                            rayTracing(device, capabilities, stack)),
                    capabilities);
        }
    }

    /** A device of Vulkan 1.2 has the properties of 1.3 by extensions. */
    private static void askExtensions(
            VkPhysicalDevice device,
            VkPhysicalDeviceProperties2 all,
            DeviceFeatures on,
            VkPhysicalDeviceVulkan13Properties v13,
            MemoryStack stack) {
        var sizes = VkPhysicalDeviceSubgroupSizeControlProperties.calloc(stack).sType$Default();
        var buffers = VkPhysicalDeviceMaintenance4Properties.calloc(stack).sType$Default();
        all.pNext(buffers);
        if (on.v13().subgroupSizeControl()) {
            all.pNext(sizes);
        }
        VK13.vkGetPhysicalDeviceProperties2(device, all);
        long to = v13.address();
        MemoryUtil.memPutInt(to + VkPhysicalDeviceVulkan13Properties.MINSUBGROUPSIZE, sizes.minSubgroupSize());
        MemoryUtil.memPutInt(to + VkPhysicalDeviceVulkan13Properties.MAXSUBGROUPSIZE, sizes.maxSubgroupSize());
        MemoryUtil.memPutLong(to + VkPhysicalDeviceVulkan13Properties.MAXBUFFERSIZE, buffers.maxBufferSize());
    }

    private static DeviceLimits limits(
            VkPhysicalDeviceLimits limits,
            VkPhysicalDeviceVulkan11Properties v11,
            VkPhysicalDeviceVulkan12Properties v12,
            VkPhysicalDeviceVulkan13Properties v13,
            DeviceFeatures on,
            boolean lazilyAllocated,
            DeviceLimits.AccelerationStructures structures,
            DeviceLimits.MeshShaders meshShaders,
            DeviceLimits.RayTracing rayTracing) {
        VkPhysicalDeviceFeatures features = on.all().features();
        boolean sizes = on.v13().subgroupSizeControl();
        return new DeviceLimits(
                new DeviceLimits.Textures(
                        clamped(limits.maxImageDimension3D()),
                        clamped(limits.maxImageDimensionCube()),
                        clamped(limits.maxImageArrayLayers()),
                        limits.framebufferColorSampleCounts() & limits.sampledImageColorSampleCounts(),
                        limits.framebufferDepthSampleCounts() & limits.sampledImageDepthSampleCounts()),
                new DeviceLimits.Memory(
                        clamped(v13.maxBufferSize()),
                        clamped(v11.maxMemoryAllocationSize()),
                        clamped(limits.maxMemoryAllocationCount()),
                        Integer.toUnsignedLong(limits.maxUniformBufferRange()),
                        lazilyAllocated),
                new DeviceLimits.Compute(
                        groups(limits.maxComputeWorkGroupCount()),
                        groups(limits.maxComputeWorkGroupSize()),
                        clamped(limits.maxComputeWorkGroupInvocations()),
                        clamped(limits.maxComputeSharedMemorySize()),
                        v11.subgroupSize(),
                        sizes ? v13.minSubgroupSize() : v11.subgroupSize(),
                        sizes ? v13.maxSubgroupSize() : v11.subgroupSize(),
                        subgroupOperations(v11),
                        on.v12().vulkanMemoryModel() && on.v12().vulkanMemoryModelDeviceScope(),
                        // Without control of their size, the largest one is not known.
                        sizes && on.v13().computeFullSubgroups()),
                new DeviceLimits.Drawing(
                        clamped(limits.maxColorAttachments()),
                        clamped(limits.maxVertexInputBindings()),
                        clamped(limits.maxBoundDescriptorSets()),
                        features.multiDrawIndirect() ? Integer.toUnsignedLong(limits.maxDrawIndirectCount()) : 1,
                        features.multiDrawIndirect(),
                        on.v12().drawIndirectCount(),
                        features.drawIndirectFirstInstance(),
                        queries(features, structures)),
                new DeviceLimits.Pipelines(
                        clamped(limits.maxVertexInputAttributes()),
                        clamped(limits.maxVertexInputBindingStride()),
                        clamped(limits.maxVertexInputAttributeOffset()),
                        features.independentBlend(),
                        features.fillModeNonSolid(),
                        features.depthClamp(),
                        features.depthBiasClamp(),
                        features.sampleRateShading(),
                        features.wideLines() ? limits.lineWidthRange(0) : 1,
                        features.wideLines() ? limits.lineWidthRange(1) : 1),
                shaders(limits),
                new DeviceLimits.DepthResolve(
                        modes(v12.supportedDepthResolveModes()),
                        modes(v12.supportedStencilResolveModes()),
                        v12.independentResolve(),
                        v12.independentResolveNone()),
                new DeviceLimits.Rendering(
                        clamped(limits.maxFramebufferWidth()),
                        clamped(limits.maxFramebufferHeight()),
                        clamped(limits.maxFramebufferLayers()),
                        features.multiViewport() ? clamped(limits.maxViewports()) : 1,
                        on.v11().multiview() ? Math.min(MOST_VIEWS, clamped(v11.maxMultiviewViewCount())) : 1,
                        clamped(limits.maxViewportDimensions(0)),
                        clamped(limits.maxViewportDimensions(1)),
                        limits.viewportBoundsRange(0),
                        limits.viewportBoundsRange(1)),
                new DeviceLimits.Samplers(limits.maxSamplerLodBias(), on.v12().samplerFilterMinmax()),
                structures,
                meshShaders,
                rayTracing);
    }

    private static DeviceLimits.AccelerationStructures structures(
            VkPhysicalDevice device, Set<Capability> capabilities, MemoryStack stack) {
        if (!capabilities.contains(Capability.ACCELERATION_STRUCTURES)) {
            return DeviceLimits.AccelerationStructures.NONE;
        }
        var most =
                VkPhysicalDeviceAccelerationStructurePropertiesKHR.calloc(stack).sType$Default();
        var all = VkPhysicalDeviceProperties2.calloc(stack).sType$Default().pNext(most);
        VK13.vkGetPhysicalDeviceProperties2(device, all);
        return new DeviceLimits.AccelerationStructures(
                clamped(most.maxGeometryCount()),
                clamped(most.maxPrimitiveCount()),
                clamped(most.maxInstanceCount()),
                least(
                        most.maxPerStageDescriptorAccelerationStructures(),
                        most.maxDescriptorSetAccelerationStructures()),
                clamped(most.minAccelerationStructureScratchOffsetAlignment()));
    }

    private static DeviceLimits.MeshShaders meshShaders(
            VkPhysicalDevice device, Set<Capability> capabilities, MemoryStack stack) {
        if (!capabilities.contains(Capability.MESH_SHADERS)) {
            return DeviceLimits.MeshShaders.NONE;
        }
        var most = VkPhysicalDeviceMeshShaderPropertiesEXT.calloc(stack).sType$Default();
        var all = VkPhysicalDeviceProperties2.calloc(stack).sType$Default().pNext(most);
        VK13.vkGetPhysicalDeviceProperties2(device, all);
        return new DeviceLimits.MeshShaders(
                new DeviceLimits.MeshStage(
                        groups(most.maxTaskWorkGroupCount()),
                        clamped(most.maxTaskWorkGroupTotalCount()),
                        groups(most.maxTaskWorkGroupSize()),
                        clamped(most.maxTaskWorkGroupInvocations()),
                        clamped(most.maxTaskSharedMemorySize()),
                        clamped(most.maxTaskPayloadAndSharedMemorySize())),
                new DeviceLimits.MeshStage(
                        groups(most.maxMeshWorkGroupCount()),
                        clamped(most.maxMeshWorkGroupTotalCount()),
                        groups(most.maxMeshWorkGroupSize()),
                        clamped(most.maxMeshWorkGroupInvocations()),
                        clamped(most.maxMeshSharedMemorySize()),
                        clamped(most.maxMeshPayloadAndSharedMemorySize())),
                clamped(most.maxTaskPayloadSize()),
                clamped(most.maxMeshOutputVertices()),
                clamped(most.maxMeshOutputPrimitives()),
                clamped(most.maxMeshOutputComponents()),
                clamped(most.maxMeshOutputMemorySize()),
                clamped(most.maxMeshPayloadAndOutputMemorySize()),
                clamped(most.meshOutputPerVertexGranularity()),
                clamped(most.meshOutputPerPrimitiveGranularity()));
    }

    private static DeviceLimits.RayTracing rayTracing(
            VkPhysicalDevice device, Set<Capability> capabilities, MemoryStack stack) {
        if (!capabilities.contains(Capability.RAY_TRACING_PIPELINES)) {
            return DeviceLimits.RayTracing.NONE;
        }
        var most = VkPhysicalDeviceRayTracingPipelinePropertiesKHR.calloc(stack).sType$Default();
        var all = VkPhysicalDeviceProperties2.calloc(stack).sType$Default().pNext(most);
        VK13.vkGetPhysicalDeviceProperties2(device, all);
        return new DeviceLimits.RayTracing(
                new RecordLimits(
                        clamped(most.shaderGroupHandleSize()),
                        clamped(most.shaderGroupHandleAlignment()),
                        clamped(most.shaderGroupBaseAlignment()),
                        clamped(most.maxShaderGroupStride())),
                clamped(most.maxRayRecursionDepth()),
                Integer.toUnsignedLong(most.maxRayDispatchInvocationCount()),
                clamped(most.maxRayHitAttributeSize()));
    }

    private static Set<QueryKind> queries(
            VkPhysicalDeviceFeatures features, DeviceLimits.AccelerationStructures structures) {
        EnumSet<QueryKind> kinds = EnumSet.of(QueryKind.ANY_SAMPLE);
        if (features.occlusionQueryPrecise()) {
            kinds.add(QueryKind.SAMPLES);
        }
        if (features.pipelineStatisticsQuery()) {
            kinds.add(QueryKind.STATISTICS);
        }
        if (structures.maxInstances() > 0) {
            kinds.add(QueryKind.COMPACTED_BYTES);
            kinds.add(QueryKind.SERIALIZED_BYTES);
        }
        return kinds;
    }

    private static boolean hasLazyMemory(VkPhysicalDevice device, MemoryStack stack) {
        VkPhysicalDeviceMemoryProperties memory = VkPhysicalDeviceMemoryProperties.calloc(stack);
        VK13.vkGetPhysicalDeviceMemoryProperties(device, memory);
        for (int i = 0; i < memory.memoryTypeCount(); i++) {
            if ((memory.memoryTypes(i).propertyFlags() & VK13.VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT) != 0) {
                return true;
            }
        }
        return false;
    }

    private static Set<ResolveMode> modes(int mask) {
        Set<ResolveMode> modes = EnumSet.noneOf(ResolveMode.class);
        for (ResolveMode mode : ResolveMode.values()) {
            if ((mask & VulkanMasks.resolve(mode)) != 0) {
                modes.add(mode);
            }
        }
        return modes;
    }

    private static DeviceLimits.Shaders shaders(VkPhysicalDeviceLimits limits) {
        return new DeviceLimits.Shaders(
                least(limits.maxPerStageDescriptorUniformBuffers(), limits.maxDescriptorSetUniformBuffers()),
                least(limits.maxPerStageDescriptorStorageBuffers(), limits.maxDescriptorSetStorageBuffers()),
                least(limits.maxPerStageDescriptorSampledImages(), limits.maxDescriptorSetSampledImages()),
                least(limits.maxPerStageDescriptorSamplers(), limits.maxDescriptorSetSamplers()),
                least(limits.maxPerStageDescriptorStorageImages(), limits.maxDescriptorSetStorageImages()),
                least(limits.maxPerStageDescriptorInputAttachments(), limits.maxDescriptorSetInputAttachments()),
                clamped(limits.maxPerStageResources()),
                clamped(limits.maxVertexOutputComponents()),
                clamped(limits.maxFragmentInputComponents()));
    }

    private static int least(int perStage, int perPipeline) {
        return Math.min(clamped(perStage), clamped(perPipeline));
    }

    /** The bits of Vulkan's operations are in the order of ours. */
    private static Set<SubgroupOperation> subgroupOperations(VkPhysicalDeviceVulkan11Properties v11) {
        Set<SubgroupOperation> operations = EnumSet.noneOf(SubgroupOperation.class);
        if ((v11.subgroupSupportedStages() & VK10.VK_SHADER_STAGE_COMPUTE_BIT) != 0) {
            for (SubgroupOperation operation : SubgroupOperation.values()) {
                if ((v11.subgroupSupportedOperations() >> operation.ordinal() & 1) != 0) {
                    operations.add(operation);
                }
            }
        }
        return operations;
    }

    private static DeviceLimits.Groups groups(IntBuffer xyz) {
        return new DeviceLimits.Groups(clamped(xyz.get(0)), clamped(xyz.get(1)), clamped(xyz.get(2)));
    }

    /** Unsigned numbers above the largest signed one are as good as that one. */
    private static int clamped(int unsigned) {
        return unsigned < 0 ? Integer.MAX_VALUE : unsigned;
    }

    static long clamped(long unsigned) {
        return unsigned < 0 ? Long.MAX_VALUE : unsigned;
    }
}
