package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.device.CallGate;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.lwjgl.vulkan.VK13;

/**
 * Waits until nothing that was submitted to a device here is executed any more. Any thread, as long as the device may
 * be asked: {@link #close} lets waits in progress end first, and refuses new ones.
 */
final class DeviceStandstill implements AutoCloseable {
    private static final long POLL_NANOS = 1_000_000;

    private final DeviceCore core;
    private final QueueDriver driver;
    private final List<VulkanQueue> queues;
    private final Object idling = new Object();
    /** Around every wait of {@link #run}. */
    private final CallGate waits = new CallGate();

    DeviceStandstill(DeviceCore core, QueueDriver driver, List<VulkanQueue> queues) {
        this.core = core;
        this.driver = driver;
        this.queues = queues;
    }

    /**
     * Does something when nothing that was submitted here is executed any more. Submissions are refused already, and
     * those on their way are let through. No lock is held while the device works: it may wait for a signal that another
     * thread gives under one. An engine's device is not waited for as a whole, since that would need the locks of all
     * its queues. Once closed everything stands still already.
     */
    void run(Runnable action) {
        if (waits.enter()) {
            try {
                await();
            } finally {
                waits.leave();
            }
        }
        action.run();
    }

    /**
     * The queues are asked repeatedly, and events completed meanwhile: the device may wait for a program that goes on
     * only when it learns what is done already.
     */
    private void await() {
        awaitSubmitters();
        while (!settle()) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        if (core.owned()) {
            waitIdleAlone();
        }
    }

    private boolean settle() {
        boolean settled = true;
        for (VulkanQueue queue : queues) {
            settled &= queue.vulkanTimeline().completeReached();
        }
        return settled;
    }

    /** Returns when no submission is in progress that began before submissions were refused. */
    void awaitSubmitters() {
        queues.forEach(queue -> queue.exclusively(() -> {}));
    }

    /** Waits for the whole device, which one thread at a time may do. */
    private int waitIdleAlone() {
        synchronized (idling) {
            int worst = VK13.VK_SUCCESS;
            for (VulkanQueue queue : queues) {
                int result = waitIdle(queue);
                worst = worst == VK13.VK_SUCCESS ? result : worst;
            }
            return worst;
        }
    }

    /** With the lock of the queue, for which a thread that closes a swapchain waits, too. */
    private int waitIdle(VulkanQueue queue) {
        queue.guard().lock();
        try {
            return driver.waitIdle(queue.handle());
        } finally {
            queue.guard().unlock();
        }
    }

    /** Waits for everything on a device of our own, and for our own work on an engine's. */
    void finish() {
        // The wait for the whole device cannot say what it waits for.
        queues.forEach(queue -> queue.vulkanTimeline().drain());
        if (!core.owned()) {
            return;
        }
        int idle = waitIdleAlone();
        if (idle != VK13.VK_SUCCESS) {
            core.loss().lose("closing it", idle);
        }
    }

    /** The device is about to be destroyed; everything must have been {@linkplain #finish finished}. */
    @Override
    public void close() {
        waits.close();
    }
}
