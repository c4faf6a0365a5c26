package io.frameloom.gpu.device;

import java.util.List;

/**
 * Failures while a device is closed, which goes on nonetheless; thrown at the end, all of them. Stateless; any thread.
 */
public final class ClosingFailures {
    private ClosingFailures() {}

    /** Throws the first one with the others suppressed; returns if there is none. They are unchecked. */
    public static void throwFirst(List<? extends Throwable> failures) {
        if (failures.isEmpty()) {
            return;
        }
        Throwable first = failures.get(0);
        failures.subList(1, failures.size()).forEach(first::addSuppressed);
        if (first instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) first;
    }
}
