package io.frameloom.samples;

import org.jspecify.annotations.Nullable;

/** Looks for the reason inside of the wrappers that a failure collects on its way. Any thread. */
public final class Causes {
    private Causes() {}

    /** Returns the outermost failure of a type in the chain of causes, or null. */
    public static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }

    /** Returns the failure that all others of the chain of causes wrap. */
    public static Throwable innermost(Throwable failure) {
        Throwable innermost = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            innermost = cause;
        }
        return innermost;
    }
}
