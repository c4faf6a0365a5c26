package io.frameloom.gpu.compute;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;

/** Devices that say that they have other limits of compute work than they have. */
final class OtherLimits {
    private OtherLimits() {}

    /**
     * Returns such a device.
     *
     * @param limits makes its limits of those of the device
     * @param pipelines what it makes of the description of each pipeline
     */
    static GpuDevice device(
            GpuDevice device,
            UnaryOperator<DeviceLimits.Compute> limits,
            UnaryOperator<ComputePipelineDescription> pipelines) {
        DeviceCapabilities has = device.capabilities();
        DeviceCapabilities says = with(has, limits.apply(has.limits().compute()));
        return (GpuDevice) Proxy.newProxyInstance(
                GpuDevice.class.getClassLoader(), new Class<?>[] {GpuDevice.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("capabilities")) {
                        return says;
                    }
                    if (method.getName().equals("createComputePipeline")) {
                        arguments[0] = pipelines.apply((ComputePipelineDescription) arguments[0]);
                    }
                    try {
                        return method.invoke(device, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Returns the capabilities of a device with other limits of compute work. */
    static DeviceCapabilities with(DeviceCapabilities base, DeviceLimits.Compute compute) {
        DeviceLimits limits = base.limits();
        return new DeviceCapabilities(
                base.name(),
                base.kind(),
                base.driver(),
                base.renders(),
                base.timestamps(),
                base.maxTextureExtent(),
                base.maxStorageRange(),
                base.uniformAlignment(),
                base.storageAlignment(),
                base.maxPushConstantBytes(),
                base.maxAnisotropy(),
                base.robustBufferAccess(),
                new DeviceLimits(
                        limits.textures(),
                        limits.memory(),
                        compute,
                        limits.drawing(),
                        limits.pipelines(),
                        limits.shaders(),
                        limits.depthResolve(),
                        limits.rendering(),
                        limits.samplers(),
                        limits.accelerationStructures(),
                        limits.meshShaders(),
                        limits.rayTracing()),
                base.on());
    }

    /** Returns limits with the Vulkan memory model, or without. */
    static DeviceLimits.Compute vulkanMemoryModel(DeviceLimits.Compute base, boolean model) {
        return new DeviceLimits.Compute(
                base.maxGroups(),
                base.maxGroupSize(),
                base.maxInvocations(),
                base.maxSharedBytes(),
                base.subgroupSize(),
                base.minSubgroupSize(),
                base.maxSubgroupSize(),
                base.subgroupOperations(),
                model,
                base.fullSubgroups());
    }

    /** Returns limits with smaller workgroups. */
    static DeviceLimits.Compute invocations(DeviceLimits.Compute base, int most) {
        return new DeviceLimits.Compute(
                base.maxGroups(),
                new DeviceLimits.Groups(most, most, 64),
                most,
                base.maxSharedBytes(),
                base.subgroupSize(),
                base.minSubgroupSize(),
                base.maxSubgroupSize(),
                base.subgroupOperations(),
                base.vulkanMemoryModel(),
                base.fullSubgroups());
    }

    /** Returns limits without the promise that subgroups are full, as of a device that was created without the feature. */
    static DeviceLimits.Compute withoutFullSubgroups(DeviceLimits.Compute base) {
        return new DeviceLimits.Compute(
                base.maxGroups(),
                base.maxGroupSize(),
                base.maxInvocations(),
                base.maxSharedBytes(),
                base.subgroupSize(),
                base.minSubgroupSize(),
                base.maxSubgroupSize(),
                base.subgroupOperations(),
                base.vulkanMemoryModel(),
                false);
    }
}
