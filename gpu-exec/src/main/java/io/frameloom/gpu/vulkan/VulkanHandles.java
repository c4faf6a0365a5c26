package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureView;
import java.util.concurrent.locks.Lock;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkQueue;

/**
 * The Vulkan objects behind a {@link VulkanDevice} and what was made on it, for code that calls Vulkan itself. Any thread.
 *
 * <p>Handles live as long as the objects they belong to, and stay Frameloom's to destroy. To wait for Frameloom's work, let
 * a submission wait for {@link #timeline} to reach the value of the work's {@link io.frameloom.gpu.TimelinePoint}; never
 * signal that semaphore. For the other direction see {@link VulkanDevice#importTimeline}.
 */
public final class VulkanHandles {
    private final VkInstance instance;
    private final DeviceCore core;

    VulkanHandles(VkInstance instance, DeviceCore core) {
        this.instance = instance;
        this.core = core;
    }

    DeviceCore core() {
        return core;
    }

    /** Returns the instance. */
    public VkInstance instance() {
        return instance;
    }

    /** Returns the physical device. */
    public VkPhysicalDevice physicalDevice() {
        return core.adapter().handle();
    }

    /** Returns the device. */
    public VkDevice device() {
        return core.handle();
    }

    /**
     * Returns the VkImage of a texture.
     *
     * @throws IllegalArgumentException if the texture is of another device
     * @throws IllegalStateException if it is closed; this holds for all objects below
     */
    public long image(Texture texture) {
        return Handles.texture(core, texture).handle();
    }

    /** Returns the VkImageView of a view. */
    public long imageView(TextureView view) {
        return Handles.view(core, view).handle();
    }

    /** Returns the VkBuffer of a buffer. */
    public long buffer(Buffer buffer) {
        return Handles.buffer(core, buffer).handle();
    }

    /** Returns the native queue; hold its {@link #guard} around every use. */
    public VkQueue queue(GpuQueue queue) {
        return ours(queue).handle();
    }

    /** Returns the lock that is held around every use of the native queue. */
    public Lock guard(GpuQueue queue) {
        return ours(queue).guard();
    }

    /** Returns the timeline VkSemaphore of a queue; its values are those of the queue's points. */
    public long timeline(GpuQueue queue) {
        return ours(queue).vulkanTimeline().semaphore();
    }

    private VulkanQueue ours(GpuQueue queue) {
        core.requireOpen("the handles of queue '" + queue.name() + "'");
        if (!(queue instanceof VulkanQueue ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException("queue '" + queue.name() + "' is of another device");
        }
        return ours;
    }
}
