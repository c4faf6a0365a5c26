package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.record.Perishable;

/** An object of a virtual device. Any thread. */
abstract class VirtualObject extends Perishable {
    final SimulatedDevice device;

    VirtualObject(SimulatedDevice device, String name) {
        super(device, name);
        this.device = device;
    }

    final SimulatedDevice device() {
        return device;
    }

    @Override
    public void close() {
        if (end()) {
            retire();
        }
    }

    /** Follows the close: has the device take the memory back when no work in progress may use it. */
    void retire() {
        device.closed(this);
    }
}
