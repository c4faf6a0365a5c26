package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.device.CallGate;
import io.frameloom.gpu.device.EventCompleter;
import io.frameloom.gpu.error.CrashReport;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.DeviceQueue;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import io.frameloom.gpu.vulkan.driver.UndoStack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.lwjgl.vulkan.VK13;

/**
 * The queues of a Vulkan device, each with a timeline of its own. They know each other, report to one observer, and
 * stop together. Any thread.
 */
public final class VulkanQueues {
    private static final long POLL_NANOS = 1_000_000;

    private final DeviceCore core;
    private final List<VulkanQueue> all;
    private final List<GpuQueue> exposed;
    private final QueueDriver driver;
    private final Object idling = new Object();
    /** Around every wait of {@link #standStill}, which {@link #finish} lets end first. */
    private final CallGate waits = new CallGate();

    private final ExternalValues externalValues = new ExternalValues();

    /**
     * Makes the queues and starts their timelines.
     *
     * @param undo takes what closes each
     */
    public VulkanQueues(
            List<DeviceQueue> opened, DeviceCore core, QueueDriver driver, DeviceOptions options, UndoStack undo) {
        this.core = core;
        this.driver = driver;
        List<VulkanQueue> made = new ArrayList<>();
        EventCompleter completer = new EventCompleter("frameloom-gpu-events");
        undo.push(completer::close);
        for (DeviceQueue entry : opened) {
            VulkanTimeline timeline =
                    new VulkanTimeline(entry.plan().name(), core, driver, options.taskGraph(), completer);
            undo.push(timeline::close);
            timeline.start();
            VulkanQueue queue = new VulkanQueue(entry, made.size(), core, driver, timeline, options.validation());
            made.add(queue);
            undo.push(queue::close);
        }
        this.all = List.copyOf(made);
        this.exposed = List.copyOf(made);
        all.forEach(queue -> queue.connect(all));
        core.loss().standstill(this::standStill);
        core.loss().reporter(this::report);
        core.feed().connect(exposed, index -> all.get(index).vulkanTimeline().reported());
        core.retired().connect(all.stream().map(VulkanQueue::vulkanTimeline).toList());
    }

    public List<VulkanQueue> all() {
        return all;
    }

    public List<GpuQueue> exposed() {
        return exposed;
    }

    /** Returns the values that submissions signal of an engine's timelines. */
    public ExternalValues externalValues() {
        return externalValues;
    }

    /** Asks the driver only in the gate: another thread may be closing the device. */
    private CrashReport report(String why, boolean byDriver) {
        boolean entered = core.gate().enterToClose();
        boolean asks = entered && byDriver;
        try {
            return new CrashReport(
                    core.capabilities().name(),
                    why,
                    core.evidence().marking(),
                    all.stream().map(queue -> queue.state(asks)).toList(),
                    asks ? core.evidence().fault(core) : null);
        } finally {
            if (entered) {
                core.gate().leave();
            }
        }
    }

    /** Waits until everything submitted is complete; throws if the device is lost. */
    public void awaitIdle() {
        all.forEach(queue -> queue.vulkanTimeline().drain());
        core.loss().check();
    }

    /**
     * Does something when nothing that was submitted here is executed any more. Submissions are refused already, and
     * those on their way are let through. No lock is held while the device works: it may wait for a signal that another
     * thread gives under one. An engine's device is not waited for as a whole, since that would need the locks of all
     * its queues. Once closed everything stands still already.
     */
    private void standStill(Runnable action) {
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
        for (VulkanQueue queue : all) {
            settled &= queue.vulkanTimeline().completeReached();
        }
        return settled;
    }

    /** Returns when no submission is in progress that began before submissions were refused. */
    private void awaitSubmitters() {
        all.forEach(queue -> queue.exclusively(() -> {}));
    }

    /** Waits for the whole device, which one thread at a time may do. */
    private int waitIdleAlone() {
        synchronized (idling) {
            int worst = VK13.VK_SUCCESS;
            for (VulkanQueue queue : all) {
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

    /**
     * Waits for submissions in progress, and for everything on a device of our own, for our own work on an engine's;
     * submissions are refused already. The device may be destroyed then.
     */
    public void finish() {
        awaitSubmitters();
        // The wait for the whole device cannot say what it waits for.
        all.forEach(queue -> queue.vulkanTimeline().drain());
        if (core.owned()) {
            int idle = waitIdleAlone();
            if (idle != VK13.VK_SUCCESS) {
                core.loss().lose("closing it", idle);
            }
        }
        waits.close();
    }
}
