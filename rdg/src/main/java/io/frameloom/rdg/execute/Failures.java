package io.frameloom.rdg.execute;

import io.frameloom.taskgraph.PrerequisiteFailedException;
import io.frameloom.taskgraph.TaskFailedException;
import java.util.List;

/** Helpers for failures that must not be lost on the way. */
final class Failures {
    private Failures() {}

    /** Throws the first failure with the others suppressed; nothing if there is none. */
    static void throwAll(List<? extends Throwable> failures) {
        if (failures.isEmpty()) {
            return;
        }
        Throwable first = failures.get(0);
        for (Throwable other : failures.subList(1, failures.size())) {
            first.addSuppressed(other);
        }
        if (first instanceof Error error) {
            throw error;
        }
        throw first instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(first);
    }

    /** Adds a failure to the first, unless its root is that of the first or of one added before. */
    static void suppress(Exception first, Exception other) {
        Throwable root = root(other);
        synchronized (first) {
            boolean known = root(first) == root;
            for (Throwable suppressed : first.getSuppressed()) {
                known |= root(suppressed) == root;
            }
            if (!known) {
                first.addSuppressed(other);
            }
        }
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            root = cause;
        }
        return root;
    }

    /** Returns the original failure, without the wrappers that the task graph puts around it for waiters. */
    static Throwable original(Throwable failure) {
        Throwable current = failure;
        while (current instanceof TaskFailedException || current instanceof PrerequisiteFailedException) {
            Throwable cause = current.getCause();
            if (cause == null) {
                return current;
            }
            current = cause;
        }
        return current;
    }
}
