package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.device.CallGate;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import org.lwjgl.vulkan.VK13;

/**
 * The timeline semaphore of a queue, which may be asked and waited for while it is being closed: closing waits for
 * calls in the driver to return. Any thread; closed once, when all waits are about to return.
 */
final class TimelineSemaphore implements AutoCloseable {
    /** Says that the semaphore may be destroyed; no result of the functions called here. */
    static final int GONE = VK13.VK_NOT_READY;

    private final DeviceCore core;
    private final QueueDriver driver;
    private final long handle;
    private final CallGate calls = new CallGate();

    /** Creates one with value 0. */
    TimelineSemaphore(String queue, DeviceCore core, QueueDriver driver) {
        this.core = core;
        this.driver = driver;
        this.handle = core.create(
                VK13.VK_OBJECT_TYPE_SEMAPHORE,
                queue + " timeline",
                "the timeline of queue '" + queue + "'",
                (stack, out) -> driver.createTimeline(core.handle(), false, out));
    }

    long handle() {
        return handle;
    }

    /** Asks the driver to write the value to an address; {@link #GONE} once closing. */
    int value(long address) {
        if (!calls.enter()) {
            return GONE;
        }
        try {
            return driver.counterValue(core.handle(), handle, address);
        } finally {
            calls.leave();
        }
    }

    /** Waits in the driver for a value; {@link #GONE} once closing. */
    int await(long value, long timeoutNanos) {
        if (!calls.enter()) {
            return GONE;
        }
        try {
            return driver.waitSemaphore(core.handle(), handle, value, timeoutNanos);
        } finally {
            calls.leave();
        }
    }

    @Override
    public void close() {
        calls.close();
        driver.destroySemaphore(core.handle(), handle);
    }
}
