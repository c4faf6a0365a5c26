package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.device.SwapchainChoice;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import io.frameloom.gpu.vulkan.resource.MemoryAllocator;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkSurfaceCapabilitiesKHR;
import org.lwjgl.vulkan.VkSwapchainCreateInfoKHR;

/**
 * A VkSwapchainKHR with its images, and for each of them the semaphore that presentation waits for and its current
 * owner.
 *
 * <p>A present semaphore belongs to an image, not to a frame: only the next acquisition of the same image shows that
 * presentation has waited for it, and only then is it signalled again. Where the device has fences of presentations,
 * they say when the last one has. Guarded by the swapchain's lock.
 */
final class SwapchainImages {
    private final DeviceCore core;
    private final long handle;
    private final SwapchainChoice choice;
    private final List<VulkanTexture> textures = new ArrayList<>();
    private final List<Long> presentable = new ArrayList<>();
    private final List<@Nullable VulkanSwapchainImage> turns = new ArrayList<>();
    private final @Nullable PresentFences fences;
    private long presented;
    private long displayed;

    private SwapchainImages(DeviceCore core, long handle, SwapchainChoice choice, @Nullable PresentFences fences) {
        this.core = core;
        this.handle = handle;
        this.choice = choice;
        this.fences = fences;
    }

    /**
     * Makes a swapchain with images; nothing is left of it if that fails.
     *
     * @param old the handle that it takes over from, which can then only be destroyed, or 0
     */
    static SwapchainImages create(
            DeviceCore core,
            QueueDriver driver,
            MemoryAllocator memory,
            VulkanSurface surface,
            String name,
            SwapchainDescription wished,
            SwapchainChoice choice,
            long old) {
        PresentFences fences = core.capabilities().has(Capability.SWAPCHAIN_MAINTENANCE)
                ? new PresentFences(core, driver, name)
                : null;
        SwapchainImages made =
                new SwapchainImages(core, createSwapchain(core, surface, name, wished, choice, old), choice, fences);
        try {
            core.names().name(KHRSwapchain.VK_OBJECT_TYPE_SWAPCHAIN_KHR, made.handle, name);
            made.takeImages(memory, name, wished);
            return made;
        } catch (RuntimeException | Error failure) {
            made.destroy();
            throw failure;
        }
    }

    private static long createSwapchain(
            DeviceCore core,
            VulkanSurface surface,
            String name,
            SwapchainDescription wished,
            SwapchainChoice choice,
            long old) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkSurfaceCapabilitiesKHR surfaceNow = surface.capabilities(stack);
            int[] families = core.families();
            VkSwapchainCreateInfoKHR info = VkSwapchainCreateInfoKHR.calloc(stack)
                    .sType$Default()
                    .surface(surface.handle())
                    .minImageCount(choice.images())
                    .imageFormat(choice.format().format().vulkan())
                    .imageColorSpace(VulkanSurface.vulkanSpace(choice.format().colorSpace()))
                    .imageArrayLayers(1)
                    .imageUsage(VulkanMasks.textureUsage(wished.usages()))
                    .preTransform(surfaceNow.currentTransform())
                    .compositeAlpha(compositeAlpha(surfaceNow.supportedCompositeAlpha()))
                    .presentMode(VulkanSurface.vulkanMode(choice.mode()))
                    .clipped(true)
                    .oldSwapchain(old);
            info.imageExtent().set(choice.width(), choice.height());
            if (families.length > 1) {
                info.imageSharingMode(VK13.VK_SHARING_MODE_CONCURRENT).pQueueFamilyIndices(stack.ints(families));
                info.queueFamilyIndexCount(families.length);
            }
            var out = stack.mallocLong(1);
            core.check(
                    KHRSwapchain.vkCreateSwapchainKHR(core.handle(), info, null, out),
                    "create swapchain '" + name + "' of " + choice.width() + "x" + choice.height());
            return out.get(0);
        }
    }

    private static int compositeAlpha(int supported) {
        int opaque = KHRSurface.VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
        return (supported & opaque) != 0 ? opaque : Integer.lowestOneBit(supported);
    }

    private void takeImages(MemoryAllocator memory, String name, SwapchainDescription wished) {
        TextureDescription description = new TextureDescription(
                choice.width(), choice.height(), 1, 1, choice.format().format(), wished.usages());
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var count = stack.mallocInt(1);
            String what = "list the images of swapchain '" + name + "'";
            core.check(KHRSwapchain.vkGetSwapchainImagesKHR(core.handle(), handle, count, null), what);
            var images = MemoryUtil.memAllocLong(count.get(0));
            try {
                core.check(KHRSwapchain.vkGetSwapchainImagesKHR(core.handle(), handle, count, images), what);
                for (int i = 0; i < count.get(0); i++) {
                    String image = name + " " + i;
                    textures.add(new VulkanTexture(core, memory, image, description, images.get(i)));
                    presentable.add(AcquireSemaphores.create(core, image + " presentable"));
                    turns.add(null);
                }
            } finally {
                MemoryUtil.memFree(images);
            }
        }
    }

    long handle() {
        return handle;
    }

    SwapchainChoice choice() {
        return choice;
    }

    int count() {
        return textures.size();
    }

    VulkanSwapchainImage begin(VulkanSwapchain swapchain, int index, long acquired) {
        VulkanSwapchainImage turn =
                new VulkanSwapchainImage(core, swapchain, index, textures.get(index), acquired, presentable.get(index));
        turns.set(index, turn);
        return turn;
    }

    int held() {
        int held = 0;
        for (VulkanSwapchainImage turn : turns) {
            held += turn != null && turn.isHeld() ? 1 : 0;
        }
        return held;
    }

    /** Returns the fences of presentations, or null if the device has none. */
    @Nullable
    PresentFences fences() {
        return fences;
    }

    /** Returns the id of the last presentation, 0 if there was none. */
    long presented() {
        return presented;
    }

    void presented(long id) {
        presented = id;
    }

    long displayed() {
        return displayed;
    }

    void displayed(long id) {
        displayed = id;
    }

    /** Takes all images back, and returns those for whose acquisition nothing has waited. */
    List<VulkanSwapchainImage> abandon() {
        List<VulkanSwapchainImage> unwaited = new ArrayList<>();
        for (VulkanSwapchainImage turn : turns) {
            if (turn != null && turn.abandon()) {
                unwaited.add(turn);
            }
        }
        return unwaited;
    }

    /** Destroys everything; the device must have finished with it. */
    void destroy() {
        if (fences != null) {
            fences.close();
        }
        textures.forEach(VulkanTexture::destroyNow);
        presentable.forEach(semaphore -> VK13.vkDestroySemaphore(core.handle(), semaphore, null));
        KHRSwapchain.vkDestroySwapchainKHR(core.handle(), handle, null);
    }
}
