package io.frameloom.gpu.cache;

import org.jspecify.annotations.Nullable;

/**
 * A folder that cannot be used as a program cache, or a bundle that cannot be imported or exported; the message names
 * it.
 */
public final class ProgramCacheException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A refusal with its cause. */
    public ProgramCacheException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
