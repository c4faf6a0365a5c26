package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkFenceCreateInfo;

/**
 * The fences of the presentations of one VkSwapchainKHR. A fence is signalled when a presentation needs its semaphore no
 * more, which nothing else says: a queue that is idle may still have presentations. Guarded by the swapchain's lock.
 */
final class PresentFences {
    private final DeviceCore core;
    private final QueueDriver driver;
    private final String name;
    private final Deque<Long> free = new ArrayDeque<>();
    private final Deque<Long> pending = new ArrayDeque<>();

    PresentFences(DeviceCore core, QueueDriver driver, String name) {
        this.core = core;
        this.driver = driver;
        this.name = name;
    }

    /** Returns one that is not signalled; {@link #use} it, or {@link #giveBack} it. */
    long take() {
        for (Iterator<Long> all = pending.iterator(); all.hasNext(); ) {
            long fence = all.next();
            if (driver.waitFence(core.handle(), fence, 0) != VK13.VK_SUCCESS
                    || VK13.vkResetFences(core.handle(), fence) != VK13.VK_SUCCESS) {
                break;
            }
            all.remove();
            free.add(fence);
        }
        return free.isEmpty() ? create() : free.remove();
    }

    private long create() {
        String what = name + " presentation " + pending.size();
        return core.create(
                VK13.VK_OBJECT_TYPE_FENCE,
                what,
                "fence '" + what + "'",
                (stack, out) -> VK13.vkCreateFence(
                        core.handle(), VkFenceCreateInfo.calloc(stack).sType$Default(), null, out));
    }

    void use(long fence) {
        pending.add(fence);
    }

    void giveBack(long fence) {
        free.add(fence);
    }

    /** Waits for all presentations; returns false if one is not over in time. */
    boolean await(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long fence : pending) {
            int result = driver.waitFence(core.handle(), fence, Math.max(0, end - System.nanoTime()));
            // A lost device presents nothing any more.
            if (result == VK13.VK_TIMEOUT) {
                return false;
            }
        }
        return true;
    }

    /** Destroys all; presentations must be over. */
    void close() {
        free.addAll(pending);
        pending.clear();
        free.forEach(fence -> VK13.vkDestroyFence(core.handle(), fence, null));
        free.clear();
    }
}
