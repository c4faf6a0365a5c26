package io.frameloom.gpu.error;

import org.jspecify.annotations.Nullable;

/** A failure of the GPU executor; the message names the object and the way out. */
public class GpuException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure. */
    public GpuException(String message) {
        super(message);
    }

    /** A failure with its cause. */
    public GpuException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
