package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureView;
import java.util.concurrent.locks.Lock;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkQueue;

/**
 * The Vulkan objects of a {@link VulkanDevice} and of what was made on it, for code that calls Vulkan itself. Any
 * thread.
 *
 * <p>Handles live as long as the objects they belong to; Frameloom destroys them. To wait for Frameloom's work, let a
 * submission wait for {@link #timeline} to reach the value of the work's {@link
 * io.frameloom.gpu.command.TimelinePoint}. Never signal that semaphore. For the other direction see {@link
 * VulkanDevice#importTimeline}.
 */
public interface VulkanHandles {
    /** Returns the instance. */
    VkInstance instance();

    /** Returns the physical device. */
    VkPhysicalDevice physicalDevice();

    /** Returns the device. */
    VkDevice device();

    /**
     * Returns the VkImage of a texture.
     *
     * @throws IllegalArgumentException if the texture is of another device
     * @throws IllegalStateException if it is closed; this holds for all objects below
     */
    long image(Texture texture);

    /** Returns the VkImageView of a view. */
    long imageView(TextureView view);

    /** Returns the VkBuffer of a buffer. */
    long buffer(Buffer buffer);

    /** Returns the native queue; hold its {@link #guard} around every use. */
    VkQueue queue(GpuQueue queue);

    /** Returns the lock that is held around every use of the native queue. */
    Lock guard(GpuQueue queue);

    /** Returns the timeline VkSemaphore of a queue; its values are those of the queue's points. */
    long timeline(GpuQueue queue);
}
