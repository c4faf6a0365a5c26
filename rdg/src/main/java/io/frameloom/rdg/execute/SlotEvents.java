package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.DeviceEventSet;
import org.jspecify.annotations.Nullable;

/**
 * The events of a frame slot, as many as its largest frame takes, made when a plan first has split barriers. Begun on
 * the RENDER thread when the former frame has completed, then used by the recording tasks.
 */
final class SlotEvents {
    private final GpuDevice device;
    private final String name;
    private @Nullable DeviceEventSet events;
    /** Whether the newest frame has events: one that failed may have left some set. */
    private boolean used;

    SlotEvents(GpuDevice device, String name) {
        this.device = device;
        this.name = name;
    }

    /** Takes the events of the former frame back, for one that needs this number. */
    void begin(int count) {
        DeviceEventSet current = events;
        if (current != null && current.count() >= count) {
            if (used || count > 0) {
                current.reset();
            }
            used = count > 0;
            return;
        }
        used = count > 0;
        if (!used) {
            return;
        }
        close();
        events = device.createDeviceEventSet(name, count);
    }

    DeviceEventSet get() {
        DeviceEventSet current = events;
        if (current == null) {
            throw new IllegalStateException(name + " has no events; its frame has no split barriers");
        }
        return current;
    }

    void close() {
        DeviceEventSet current = events;
        if (current != null) {
            events = null;
            current.close();
        }
    }
}
