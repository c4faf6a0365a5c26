package io.frameloom.gpu.error;

/** No device matches the request; the message lists those present. */
public final class NoSuchDeviceException extends GpuException {
    private static final long serialVersionUID = 1L;

    /** No such device. */
    public NoSuchDeviceException(String message) {
        super(message);
    }
}
