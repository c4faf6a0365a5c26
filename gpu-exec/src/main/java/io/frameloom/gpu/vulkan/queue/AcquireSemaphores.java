package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;

/**
 * The binary semaphores that acquisitions signal. The image of an acquisition is not known before, so they belong to
 * turns, not to images: one is used again when the submission that has waited for it is complete. There are as many as
 * turns were ever in progress at once. Guarded by the swapchain's lock.
 */
final class AcquireSemaphores {
    private final DeviceCore core;
    private final String name;
    private final Deque<Long> free = new ArrayDeque<>();
    private final List<VulkanSwapchainImage> used = new ArrayList<>();
    private int count;

    AcquireSemaphores(DeviceCore core, String name) {
        this.core = core;
        this.name = name;
    }

    /** Returns one that is neither signalled nor waited for; {@link #use} it, or {@link #giveBack} it. */
    long take() {
        for (Iterator<VulkanSwapchainImage> all = used.iterator(); all.hasNext(); ) {
            VulkanSwapchainImage turn = all.next();
            if (turn.isWaitOver()) {
                all.remove();
                free.add(turn.acquired());
            }
        }
        return free.isEmpty() ? create(core, name + " acquisition " + count++) : free.remove();
    }

    void use(VulkanSwapchainImage turn) {
        used.add(turn);
    }

    void giveBack(long semaphore) {
        free.addFirst(semaphore);
    }

    /** Takes all back: the device has finished with them. */
    void reclaim() {
        used.forEach(turn -> free.add(turn.acquired()));
        used.clear();
    }

    /** Destroys all; the device must have finished with them. */
    void close() {
        reclaim();
        free.forEach(semaphore -> VK13.vkDestroySemaphore(core.handle(), semaphore, null));
        free.clear();
    }

    static long create(DeviceCore core, String name) {
        return core.create(
                VK13.VK_OBJECT_TYPE_SEMAPHORE,
                name,
                "semaphore '" + name + "'",
                (stack, out) -> VK13.vkCreateSemaphore(
                        core.handle(), VkSemaphoreCreateInfo.calloc(stack).sType$Default(), null, out));
    }
}
