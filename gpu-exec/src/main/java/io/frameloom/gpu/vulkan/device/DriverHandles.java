package io.frameloom.gpu.vulkan.device;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.record.OwnedView;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.VulkanHandles;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanObject;
import io.frameloom.gpu.vulkan.pipeline.VulkanBindingSet;
import io.frameloom.gpu.vulkan.pipeline.VulkanPipeline;
import io.frameloom.gpu.vulkan.queue.VulkanQueue;
import io.frameloom.gpu.vulkan.resource.SamplerCache.VulkanSampler;
import io.frameloom.gpu.vulkan.resource.VulkanResource;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkQueue;

/** The objects of one device. */
final class DriverHandles implements VulkanHandles {
    private final VkInstance instance;
    private final DeviceCore core;

    DriverHandles(VkInstance instance, DeviceCore core) {
        this.instance = instance;
        this.core = core;
    }

    @Override
    public VkInstance instance() {
        return instance;
    }

    @Override
    public VkPhysicalDevice physicalDevice() {
        return core.adapter().handle();
    }

    @Override
    public VkDevice device() {
        return core.handle();
    }

    @Override
    public long image(Texture texture) {
        Objects.requireNonNull(texture, "texture must not be null");
        return ours(texture).handle();
    }

    @Override
    public long imageView(TextureView view) {
        Objects.requireNonNull(view, "view must not be null");
        ours(view.texture());
        if (!(view instanceof VulkanTexture.View made)) {
            throw new IllegalArgumentException("texture '" + view.texture().name() + "' " + OwnedView.REFUSAL);
        }
        return made.handle();
    }

    @Override
    public long buffer(Buffer buffer) {
        Objects.requireNonNull(buffer, "buffer must not be null");
        return ours(buffer).handle();
    }

    private VulkanResource ours(Resource resource) {
        return open(
                VulkanResource.class, resource, resource instanceof Texture ? "texture" : "buffer", resource.name());
    }

    @Override
    public long pipeline(Pipeline pipeline) {
        return ours(pipeline).handle();
    }

    @Override
    public long pipelineLayout(Pipeline pipeline) {
        return ours(pipeline).layout().layout();
    }

    private VulkanPipeline ours(Pipeline pipeline) {
        Objects.requireNonNull(pipeline, "pipeline must not be null");
        return open(VulkanPipeline.class, pipeline, "pipeline", pipeline.name());
    }

    @Override
    public long descriptorSet(BindingSet set) {
        Objects.requireNonNull(set, "set must not be null");
        return open(VulkanBindingSet.class, set, "binding set", set.name()).handle();
    }

    private <T extends VulkanObject> T open(Class<T> type, Object asked, String kind, String name) {
        if (!type.isInstance(asked) || !type.cast(asked).belongsTo(core)) {
            throw new IllegalArgumentException(kind + " '" + name + "' is of another device; ask that one");
        }
        T ours = type.cast(asked);
        if (ours.isClosed()) {
            throw new IllegalStateException("'" + name + "' is closed; use an open one");
        }
        return ours;
    }

    @Override
    public long sampler(Sampler sampler) {
        Objects.requireNonNull(sampler, "sampler must not be null");
        core.requireOpen("the handle of a sampler");
        if (!(sampler instanceof VulkanSampler ours) || ours.device() != core) {
            throw new IllegalArgumentException("sampler " + sampler + " is of another device; ask that one");
        }
        return core.gate().inside(() -> ours.cache().handOut(ours));
    }

    @Override
    public VkQueue queue(GpuQueue queue) {
        return ours(queue).handle();
    }

    @Override
    public Lock guard(GpuQueue queue) {
        return ours(queue).guard();
    }

    @Override
    public long timeline(GpuQueue queue) {
        return ours(queue).vulkanTimeline().semaphore();
    }

    private VulkanQueue ours(GpuQueue queue) {
        Objects.requireNonNull(queue, "queue must not be null");
        core.requireOpen("the handles of queue '" + queue.name() + "'");
        if (!(queue instanceof VulkanQueue ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException("queue '" + queue.name() + "' is of another device");
        }
        return ours;
    }
}
