package io.frameloom.gpu.device;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Passes exceptions of foreign code to the uncaught exception handler of the current thread, which goes on: other work
 * must not depend on that code. Stateless; any thread.
 */
public final class Uncaught {
    private Uncaught() {}

    /** Does something for all elements, whatever it throws for some of them, and then reports what it threw. */
    public static <T> void forEach(List<T> all, Consumer<? super T> body) {
        List<Throwable> failures = List.of();
        for (T element : all) {
            try {
                body.accept(element);
            } catch (Throwable e) {
                if (failures.isEmpty()) {
                    failures = new ArrayList<>();
                }
                failures.add(e);
            }
        }
        failures.forEach(Uncaught::report);
    }

    /** Reports a failure. A handler that fails is noted on the standard error output, as when a thread ends by it. */
    public static void report(Throwable failure) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        } catch (Throwable e) {
            System.err.println(e.getClass().getName() + " was thrown by the uncaught exception handler of thread '"
                    + thread.getName() + "', which was to report "
                    + failure.getClass().getName());
        }
    }
}
