package io.frameloom.gpu.record;

import io.frameloom.gpu.device.ObjectKind;

/**
 * An object of a device that an application owns and closes; those left open are reported and closed with the device.
 */
public interface DeviceObject {
    /** Returns the kind, by which forgotten objects are closed and described. */
    default ObjectKind objectKind() {
        return ObjectKind.of(this);
    }

    String name();

    void close();

    default String describe() {
        return objectKind().describe(name());
    }
}
