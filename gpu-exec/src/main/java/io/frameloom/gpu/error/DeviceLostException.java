package io.frameloom.gpu.error;

/** The device is lost: every pending event has failed with this; close the device and open a new one. */
public final class DeviceLostException extends GpuException {
    private static final long serialVersionUID = 1L;

    /** A lost device. */
    public DeviceLostException(String message) {
        super(message);
    }
}
