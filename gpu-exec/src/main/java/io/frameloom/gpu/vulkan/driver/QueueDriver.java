package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.Capability;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Set;
import org.lwjgl.vulkan.VkBindSparseInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkHdrMetadataEXT;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPresentInfoKHR;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo2;

/**
 * The calls by which a device is found to be lost, by which queues are got, which present, and which share semaphores;
 * tests replace them to lose a device at will, to fail half-way through opening one, or to play a display or another
 * device. Results are VkResults.
 */
public interface QueueDriver {
    /** Returns the capabilities that these calls have although the device does not: none, but in tests. */
    default Set<Capability> played() {
        return Set.of();
    }

    VkQueue queue(VkDevice device, int family, int index);

    /** Submits; {@code fence} may be VK_NULL_HANDLE. */
    int submit(VkQueue queue, VkSubmitInfo2.Buffer submission, long fence);

    /** Binds memory of sparse images. */
    int bindSparse(VkQueue queue, VkBindSparseInfo binding);

    /**
     * Waits until a queue has finished everything, presentations included. Devices are waited for queue by queue, as
     * the validation layer 1.3.239 reads address 0 in vkDeviceWaitIdle while an acquired image has no wait.
     */
    int waitIdle(VkQueue queue);

    int waitFence(VkDevice device, long fence, long timeoutNanos);

    int waitSemaphore(VkDevice device, long semaphore, long value, long timeoutNanos);

    int counterValue(VkDevice device, long semaphore, long address);

    int present(VkQueue queue, VkPresentInfoKHR presentation);

    /** Waits until the presentation of an id, or a later one of the swapchain, is displayed. */
    int waitForPresent(VkDevice device, long swapchain, long id, long timeoutNanos);

    void describe(VkDevice device, long swapchain, VkHdrMetadataEXT metadata);

    /** Returns the VkExternalSemaphoreFeatureFlags of timeline semaphores by opaque file descriptors. */
    int timelineSharing(VkPhysicalDevice device);

    /**
     * Creates a timeline semaphore with value 0.
     *
     * @param shared whether file descriptors of it are handed out
     */
    int createTimeline(VkDevice device, boolean shared, LongBuffer semaphore);

    void destroySemaphore(VkDevice device, long semaphore);

    int shareSemaphore(VkDevice device, long semaphore, IntBuffer fileDescriptor);

    /** Gives a semaphore the state behind a file descriptor, which the driver takes if it succeeds. */
    int importSemaphore(VkDevice device, long semaphore, int fileDescriptor);
}
