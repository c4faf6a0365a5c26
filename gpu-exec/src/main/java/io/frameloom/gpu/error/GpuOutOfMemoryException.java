package io.frameloom.gpu.error;

import org.jspecify.annotations.Nullable;

/** The device, or its driver on the host, has no memory left for the request; a smaller one may succeed. */
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
