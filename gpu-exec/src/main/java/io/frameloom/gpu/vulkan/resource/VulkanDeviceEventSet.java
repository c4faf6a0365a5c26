package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.record.EventLedger;
import io.frameloom.gpu.record.RecordedEvents;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanObject;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkEventCreateInfo;

/**
 * Native events. A reset makes others: validation layers do not follow resets by the host, and check a wait against the
 * last set before.
 */
public final class VulkanDeviceEventSet extends VulkanObject implements RecordedEvents {
    private final EventLedger ledger;
    private final long[] events;

    public VulkanDeviceEventSet(DeviceCore core, String name, int count) {
        super(core, name);
        this.ledger = new EventLedger(name, count);
        this.events = new long[count];
        try {
            for (int i = 0; i < count; i++) {
                events[i] = create();
            }
        } catch (RuntimeException | Error failure) {
            free();
            throw failure;
        }
    }

    private long create() {
        return core.create(
                VK13.VK_OBJECT_TYPE_EVENT,
                name(),
                describe(),
                (stack, out) -> VK13.vkCreateEvent(
                        core.handle(), VkEventCreateInfo.calloc(stack).sType$Default(), null, out));
    }

    /** Those that were not made are null handles, for which the driver does nothing. */
    @Override
    protected void free() {
        for (long event : events) {
            VK13.vkDestroyEvent(core.handle(), event, null);
        }
    }

    @Override
    public EventLedger ledger() {
        return ledger;
    }

    public long event(int index) {
        return events[index];
    }

    @Override
    public int count() {
        return events.length;
    }

    @Override
    public void reset() {
        requireOpen("reset");
        // Out of the gate: code that learns of a loss may close the device.
        ledger.requireComplete((queue, value) ->
                queue.timeline().completed() >= value || core.loss().cause() != null);
        core.gate().enter();
        try {
            requireOpen("reset");
            for (int i = 0; i < events.length; i++) {
                long former = events[i];
                events[i] = create();
                VK13.vkDestroyEvent(core.handle(), former, null);
            }
            ledger.reset();
        } finally {
            core.gate().leave();
        }
        core.feed().takenBack(this);
    }

    @Override
    protected void reportClosed() {
        core.feed().takenBack(this);
    }
}
