package io.frameloom.gpu.error;

import org.jspecify.annotations.Nullable;

/** The device, or its driver on the host, has no memory left for what was asked; less of it may do. */
public final class GpuOutOfMemoryException extends GpuException {
    private static final long serialVersionUID = 1L;

    /** A request that does not fit. */
    public GpuOutOfMemoryException(String message) {
        super(message);
    }

    /** A request that does not fit, with what refused it. */
    public GpuOutOfMemoryException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
