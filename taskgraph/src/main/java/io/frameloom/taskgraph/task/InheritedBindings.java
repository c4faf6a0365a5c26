package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.InheritedValue;
import io.frameloom.taskgraph.TaskBody;
import org.jspecify.annotations.Nullable;

/**
 * The values of {@link InheritedValue}s in a scope, innermost first. Immutable, hence shared by threads.
 *
 * @param key what is bound
 * @param value its value
 * @param outer the bindings of the scope around it
 */
public record InheritedBindings(
        InheritedValue<?> key, Object value, @Nullable InheritedBindings outer) {
    /** Those in force on threads without a field for them. */
    private static final ThreadLocal<@Nullable InheritedBindings> OTHERS = new ThreadLocal<>();

    /** Those in force on the calling thread, or null. */
    public static @Nullable InheritedBindings current() {
        return Thread.currentThread() instanceof TaskThread own ? own.inherited : OTHERS.get();
    }

    /** Changes those in force on the calling thread; the caller changes them back, whatever happens. */
    public static void set(@Nullable InheritedBindings innermost) {
        if (Thread.currentThread() instanceof TaskThread own) {
            own.inherited = innermost;
        } else {
            OTHERS.set(innermost);
        }
    }

    /** Returns the value of a key on the calling thread, or null if it is not bound. */
    public static @Nullable Object find(InheritedValue<?> wanted) {
        for (InheritedBindings at = current(); at != null; at = at.outer) {
            if (at.key == wanted) {
                return at.value;
            }
        }
        return null;
    }

    /** A body that runs with these bindings. */
    public TaskBody around(TaskBody body) {
        return () -> {
            InheritedBindings before = current();
            set(this);
            try {
                body.run();
            } finally {
                set(before);
            }
        };
    }
}
