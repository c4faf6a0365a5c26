package io.frameloom.samples.adopt;

import static io.frameloom.samples.adopt.Engine.check;

import java.util.ArrayList;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPresentInfoKHR;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSurfaceCapabilitiesKHR;
import org.lwjgl.vulkan.VkSurfaceFormatKHR;
import org.lwjgl.vulkan.VkSwapchainCreateInfoKHR;

/**
 * The engine's own swapchain. A binary semaphore for each frame under way says that its image is acquired, one for each
 * image that it may be presented. One thread.
 */
final class EngineSwapchain implements AutoCloseable {
    /** There is no image until the swapchain is made again. */
    static final int NO_IMAGE = -1;

    private static final long NEVER = Long.MAX_VALUE;
    private static final int CHOOSE_EXTENT = -1;

    private final Engine engine;
    private final List<Long> acquired = new ArrayList<>();
    private final List<Long> rendered = new ArrayList<>();
    private final List<Long> images = new ArrayList<>();
    private long swapchain;
    private int format;
    private int width;
    private int height;

    EngineSwapchain(Engine engine, int framesUnderWay) {
        this.engine = engine;
        for (int i = 0; i < framesUnderWay; i++) {
            acquired.add(createSemaphore());
        }
    }

    private long createSemaphore() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            VkSemaphoreCreateInfo info = VkSemaphoreCreateInfo.calloc(stack).sType$Default();
            check(VK13.vkCreateSemaphore(engine.device(), info, null, out), "create a semaphore");
            return out.get(0);
        }
    }

    /**
     * Makes the swapchain, or makes it again for another extent. Its images must not be in use.
     *
     * @return whether the window has an area to draw to
     */
    boolean create(EngineWindow window) {
        engine.waitIdle();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkSurfaceCapabilitiesKHR can = VkSurfaceCapabilitiesKHR.calloc(stack);
            check(
                    KHRSurface.vkGetPhysicalDeviceSurfaceCapabilitiesKHR(
                            engine.device().getPhysicalDevice(), engine.surface(), can),
                    "ask what the surface can do");
            boolean free = can.currentExtent().width() == CHOOSE_EXTENT;
            width = free ? window.width() : can.currentExtent().width();
            height = free ? window.height() : can.currentExtent().height();
            if (width == 0 || height == 0) {
                return false;
            }
            VkSurfaceFormatKHR chosen = chooseFormat(stack);
            format = chosen.format();
            int count = can.minImageCount() + 1;
            VkSwapchainCreateInfoKHR info = VkSwapchainCreateInfoKHR.calloc(stack)
                    .sType$Default()
                    .surface(engine.surface())
                    .minImageCount(can.maxImageCount() == 0 ? count : Math.min(count, can.maxImageCount()))
                    .imageFormat(format)
                    .imageColorSpace(chosen.colorSpace())
                    .imageArrayLayers(1)
                    .imageUsage(VK13.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK13.VK_IMAGE_USAGE_TRANSFER_DST_BIT)
                    .preTransform(can.currentTransform())
                    .compositeAlpha(Integer.lowestOneBit(can.supportedCompositeAlpha()))
                    .presentMode(KHRSurface.VK_PRESENT_MODE_FIFO_KHR)
                    .clipped(true)
                    .oldSwapchain(swapchain);
            info.imageExtent().set(width, height);
            var out = stack.mallocLong(1);
            check(KHRSwapchain.vkCreateSwapchainKHR(engine.device(), info, null, out), "create a swapchain");
            destroy();
            swapchain = out.get(0);
            listImages(stack);
        }
        return true;
    }

    private VkSurfaceFormatKHR chooseFormat(MemoryStack stack) {
        var count = stack.mallocInt(1);
        var physical = engine.device().getPhysicalDevice();
        check(
                KHRSurface.vkGetPhysicalDeviceSurfaceFormatsKHR(physical, engine.surface(), count, null),
                "list the formats of the surface");
        VkSurfaceFormatKHR.Buffer formats = VkSurfaceFormatKHR.calloc(count.get(0), stack);
        check(
                KHRSurface.vkGetPhysicalDeviceSurfaceFormatsKHR(physical, engine.surface(), count, formats),
                "list the formats of the surface");
        for (VkSurfaceFormatKHR candidate : formats) {
            if (candidate.format() == VK13.VK_FORMAT_B8G8R8A8_UNORM
                    || candidate.format() == VK13.VK_FORMAT_R8G8B8A8_UNORM) {
                return candidate;
            }
        }
        throw new EngineException("the surface has no format of four bytes for colours");
    }

    private void listImages(MemoryStack stack) {
        var count = stack.mallocInt(1);
        check(
                KHRSwapchain.vkGetSwapchainImagesKHR(engine.device(), swapchain, count, null),
                "list the images of the swapchain");
        var handles = stack.mallocLong(count.get(0));
        check(
                KHRSwapchain.vkGetSwapchainImagesKHR(engine.device(), swapchain, count, handles),
                "list the images of the swapchain");
        for (int i = 0; i < count.get(0); i++) {
            images.add(handles.get(i));
            rendered.add(createSemaphore());
        }
    }

    /**
     * Returns the index of an image, or {@link #NO_IMAGE}. It may be drawn to when the semaphore of the slot is
     * signalled.
     *
     * @param slot of the frame; no wait for its semaphore may be pending
     */
    int acquire(int slot) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocInt(1);
            int result = KHRSwapchain.vkAcquireNextImageKHR(
                    engine.device(), swapchain, NEVER, acquired.get(slot), VK13.VK_NULL_HANDLE, out);
            if (result == KHRSwapchain.VK_ERROR_OUT_OF_DATE_KHR) {
                return NO_IMAGE;
            }
            if (result != KHRSwapchain.VK_SUBOPTIMAL_KHR) {
                check(result, "acquire an image");
            }
            return out.get(0);
        }
    }

    /**
     * Presents an image when its semaphore is signalled, by what is submitted already.
     *
     * @return whether the swapchain still fits the surface
     */
    boolean present(int image) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkPresentInfoKHR info = VkPresentInfoKHR.calloc(stack)
                    .sType$Default()
                    .pWaitSemaphores(stack.longs(rendered.get(image)))
                    .swapchainCount(1)
                    .pSwapchains(stack.longs(swapchain))
                    .pImageIndices(stack.ints(image));
            int result;
            engine.queueLock().lock();
            try {
                result = KHRSwapchain.vkQueuePresentKHR(engine.queue(), info);
            } finally {
                engine.queueLock().unlock();
            }
            if (result == KHRSwapchain.VK_SUBOPTIMAL_KHR || result == KHRSwapchain.VK_ERROR_OUT_OF_DATE_KHR) {
                return false;
            }
            check(result, "present an image");
            return true;
        }
    }

    /** Returns whether it has the extent of the window. */
    boolean fits(EngineWindow window) {
        return width == window.width() && height == window.height();
    }

    /** Returns the VkFormat. */
    int format() {
        return format;
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    List<Long> images() {
        return images;
    }

    /** Returns by slot the semaphore that an acquisition signals. */
    List<Long> acquired() {
        return acquired;
    }

    /** Returns by image the semaphore that its presentation waits for. */
    List<Long> rendered() {
        return rendered;
    }

    private void destroy() {
        rendered.forEach(semaphore -> VK13.vkDestroySemaphore(engine.device(), semaphore, null));
        rendered.clear();
        images.clear();
        KHRSwapchain.vkDestroySwapchainKHR(engine.device(), swapchain, null);
    }

    @Override
    public void close() {
        engine.waitIdle();
        destroy();
        acquired.forEach(semaphore -> VK13.vkDestroySemaphore(engine.device(), semaphore, null));
    }
}
