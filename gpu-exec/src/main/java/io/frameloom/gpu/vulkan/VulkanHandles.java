package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.command.VulkanCommandList;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkQueue;

/**
 * The Vulkan objects of a {@link VulkanDevice} and of what was made on it, for code that calls Vulkan itself. Any
 * thread.
 *
 * <p>Handles live as long as the objects they belong to; Frameloom destroys them. What is closed is destroyed when the
 * device has done what was submitted before. A list does not know what {@linkplain #recordNative native commands} use,
 * so what these name stays open until their list is submitted. To wait for Frameloom's work, let a
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

    /**
     * Returns the VkPipeline of a pipeline. With {@link io.frameloom.gpu.Capability#GRAPHICS_PIPELINE_LIBRARY} a later
     * call may return another, which is faster; both live as long as the pipeline.
     */
    long pipeline(Pipeline pipeline);

    /** Returns the VkPipelineLayout of a pipeline, for sets and push constants. */
    long pipelineLayout(Pipeline pipeline);

    /**
     * Returns the VkDescriptorSet of a set, which is never written again. Its storage textures are in
     * VK_IMAGE_LAYOUT_GENERAL and the others in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, whatever a pass declares.
     */
    long descriptorSet(BindingSet set);

    /**
     * Returns the VkSampler of a sampler, which then lives as long as the device. So ask for few: a device has room for
     * some thousand.
     *
     * @throws IllegalArgumentException if the sampler is of another device
     * @throws IllegalStateException if the device is closed
     */
    long sampler(Sampler sampler);

    /** Returns the native queue; hold its {@link #guard} around every use. */
    VkQueue queue(GpuQueue queue);

    /** Returns the lock that is held around every use of the native queue. */
    Lock guard(GpuQueue queue);

    /** Returns the timeline VkSemaphore of a queue; its values are those of the queue's points. */
    long timeline(GpuQueue queue);

    /**
     * Lets code of the application record into the VkCommandBuffer of a list. The thread that records the list.
     *
     * <p>The commands belong to the open pass, under the uses that it declares: its resources are in the layouts of
     * these uses and are left so. They are inside of the open render pass if there is one, and do not end it. Only
     * validation layers look at the commands themselves.
     *
     * <p>Afterwards nothing is bound, as at the begin of a list. Viewport and scissor are the area of the open render
     * pass; in a secondary list they must be set again. Other values that were set on the list, such as a depth bias,
     * hold for its next draws.
     *
     * @param list a list of a {@link VulkanDevice} that is being recorded
     * @param commands gets the VkCommandBuffer, which must not be used when this has returned. The list itself takes no
     *     command meanwhile. What this throws is thrown on, and the list can be continued
     * @throws UnsupportedOperationException if the list is of a device without Vulkan
     * @throws IllegalStateException if the list takes no commands now
     */
    static void recordNative(CommandList list, Consumer<? super VkCommandBuffer> commands) {
        Objects.requireNonNull(list, "list must not be null");
        Objects.requireNonNull(commands, "commands must not be null");
        if (!(list instanceof VulkanCommandList ours)) {
            throw new UnsupportedOperationException("recordNative in command list '" + list.label()
                    + "': the list is of a device without Vulkan and has no VkCommandBuffer; ask whether the device is a"
                    + " VulkanDevice, and record commands of the list otherwise");
        }
        ours.recordNative(commands);
    }
}
