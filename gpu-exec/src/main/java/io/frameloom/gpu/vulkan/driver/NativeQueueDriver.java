package io.frameloom.gpu.vulkan.driver;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTHdrMetadata;
import org.lwjgl.vulkan.KHRExternalSemaphoreFd;
import org.lwjgl.vulkan.KHRPresentWait;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.VK11;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBindSparseInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkExportSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkExternalSemaphoreProperties;
import org.lwjgl.vulkan.VkHdrMetadataEXT;
import org.lwjgl.vulkan.VkImportSemaphoreFdInfoKHR;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceExternalSemaphoreInfo;
import org.lwjgl.vulkan.VkPresentInfoKHR;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreGetFdInfoKHR;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/** The calls themselves. */
public final class NativeQueueDriver implements QueueDriver {
    private static final int FD = VK11.VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;

    @Override
    public VkQueue queue(VkDevice device, int family, int index) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            VK13.vkGetDeviceQueue(device, family, index, out);
            return new VkQueue(out.get(0), device);
        }
    }

    @Override
    public int submit(VkQueue queue, VkSubmitInfo2.Buffer submission, long fence) {
        return Vulkan13.submit(queue, submission, fence);
    }

    @Override
    public int bindSparse(VkQueue queue, VkBindSparseInfo binding) {
        return VK13.vkQueueBindSparse(queue, binding, VK13.VK_NULL_HANDLE);
    }

    @Override
    public int waitIdle(VkQueue queue) {
        return VK13.vkQueueWaitIdle(queue);
    }

    @Override
    public int waitFence(VkDevice device, long fence, long timeoutNanos) {
        return VK13.vkWaitForFences(device, fence, true, timeoutNanos);
    }

    @Override
    public int waitSemaphore(VkDevice device, long semaphore, long value, long timeoutNanos) {
        // Plain words: a frame waits in every round, and should make no garbage by that.
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long info = stack.ncalloc(Long.BYTES, 1, VkSemaphoreWaitInfo.SIZEOF + 2 * Long.BYTES);
            long semaphores = info + VkSemaphoreWaitInfo.SIZEOF;
            long values = semaphores + Long.BYTES;
            MemoryUtil.memPutLong(semaphores, semaphore);
            MemoryUtil.memPutLong(values, value);
            VkSemaphoreWaitInfo.nsType(info, VK13.VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
            VkSemaphoreWaitInfo.nsemaphoreCount(info, 1);
            MemoryUtil.memPutAddress(info + VkSemaphoreWaitInfo.PSEMAPHORES, semaphores);
            MemoryUtil.memPutAddress(info + VkSemaphoreWaitInfo.PVALUES, values);
            return VK13.nvkWaitSemaphores(device, info, timeoutNanos);
        }
    }

    @Override
    public int counterValue(VkDevice device, long semaphore, long address) {
        return VK13.nvkGetSemaphoreCounterValue(device, semaphore, address);
    }

    @Override
    public int present(VkQueue queue, VkPresentInfoKHR presentation) {
        return KHRSwapchain.vkQueuePresentKHR(queue, presentation);
    }

    @Override
    public int waitForPresent(VkDevice device, long swapchain, long id, long timeoutNanos) {
        return KHRPresentWait.vkWaitForPresentKHR(device, swapchain, id, timeoutNanos);
    }

    @Override
    public void describe(VkDevice device, long swapchain, VkHdrMetadataEXT metadata) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            EXTHdrMetadata.vkSetHdrMetadataEXT(
                    device, stack.longs(swapchain), VkHdrMetadataEXT.create(metadata.address(), 1));
        }
    }

    @Override
    public int timelineSharing(VkPhysicalDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var properties = VkExternalSemaphoreProperties.calloc(stack).sType$Default();
            VK11.vkGetPhysicalDeviceExternalSemaphoreProperties(
                    device,
                    VkPhysicalDeviceExternalSemaphoreInfo.calloc(stack)
                            .sType$Default()
                            .handleType(FD)
                            .pNext(timeline(stack)),
                    properties);
            return properties.externalSemaphoreFeatures();
        }
    }

    @Override
    public int createTimeline(VkDevice device, boolean shared, LongBuffer semaphore) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkSemaphoreCreateInfo info =
                    VkSemaphoreCreateInfo.calloc(stack).sType$Default().pNext(timeline(stack));
            if (shared) {
                info.pNext(VkExportSemaphoreCreateInfo.calloc(stack)
                        .sType$Default()
                        .handleTypes(FD));
            }
            return VK13.vkCreateSemaphore(device, info, null, semaphore);
        }
    }

    @Override
    public void destroySemaphore(VkDevice device, long semaphore) {
        VK13.vkDestroySemaphore(device, semaphore, null);
    }

    private static VkSemaphoreTypeCreateInfo timeline(MemoryStack stack) {
        return VkSemaphoreTypeCreateInfo.calloc(stack).sType$Default().semaphoreType(VK13.VK_SEMAPHORE_TYPE_TIMELINE);
    }

    @Override
    public int shareSemaphore(VkDevice device, long semaphore, IntBuffer fileDescriptor) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return KHRExternalSemaphoreFd.vkGetSemaphoreFdKHR(
                    device,
                    VkSemaphoreGetFdInfoKHR.calloc(stack)
                            .sType$Default()
                            .semaphore(semaphore)
                            .handleType(FD),
                    fileDescriptor);
        }
    }

    @Override
    public int importSemaphore(VkDevice device, long semaphore, int fileDescriptor) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return KHRExternalSemaphoreFd.vkImportSemaphoreFdKHR(
                    device,
                    VkImportSemaphoreFdInfoKHR.calloc(stack)
                            .sType$Default()
                            .semaphore(semaphore)
                            .handleType(FD)
                            .fd(fileDescriptor));
        }
    }
}
