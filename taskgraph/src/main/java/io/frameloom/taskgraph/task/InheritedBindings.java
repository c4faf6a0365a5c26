package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.InheritedValue;
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
    /** Returns the value of a key, or null if it is not bound. */
    public static @Nullable Object find(@Nullable InheritedBindings innermost, InheritedValue<?> wanted) {
        for (InheritedBindings at = innermost; at != null; at = at.outer) {
            if (at.key == wanted) {
                return at.value;
            }
        }
        return null;
    }
}
