package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.InheritedValue;
import io.frameloom.taskgraph.TaskBody;
import org.jspecify.annotations.Nullable;

/**
 * The values of {@link InheritedValue}s in a scope, innermost first. Immutable, hence shared by threads.
 *
 * @param outer the bindings of the scope around it
 */
public record InheritedBindings(
        InheritedValue<?> key, Object value, @Nullable InheritedBindings outer) {
    /** Returns the value of a key on the calling thread, or null if it is not bound. */
    public static @Nullable Object find(InheritedValue<?> wanted) {
        for (InheritedBindings at = TaskThread.inherited(); at != null; at = at.outer) {
            if (at.key == wanted) {
                return at.value;
            }
        }
        return null;
    }

    public TaskBody around(TaskBody body) {
        return () -> {
            InheritedBindings before = TaskThread.inherited();
            TaskThread.inherit(this);
            try {
                body.run();
            } finally {
                TaskThread.inherit(before);
            }
        };
    }
}
