package io.frameloom.taskgraph;

import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.task.InheritedBindings;
import io.frameloom.taskgraph.task.TaskThread;
import java.util.NoSuchElementException;

/**
 * A value that a scope hands down to all work launched in it, without a parameter through every body: the current
 * frame, a view, a memory tag.
 *
 * <pre>{@code
 * static final InheritedValue<Frame> FRAME = InheritedValue.named("frame");
 *
 * FRAME.where(frame, () -> graph.task("cull", () -> cull(FRAME.get())).dispatch());
 * }</pre>
 *
 * <p>Inside {@link #where} the value is visible on the calling thread and in every piece of a {@code parallelFor}
 * called there. It is also visible in every task launched there (by {@code dispatch}, {@code hold}, {@code
 * fireAndForget} or {@code fork}), wherever and whenever that runs. Tasks launched by those see it, too. A task has the values of its
 * launch and no others: it does not see those of the thread that runs it, such as a worker inside a wait or a named
 * thread that pumps inside of a scope. A value cannot be changed, only hidden by an inner scope. What depends on an
 * event by other means, such as a {@code CompletableFuture}, inherits nothing.
 *
 * <p>All methods may be called from any thread. Reading walks the scopes from the innermost outwards. Launching inside
 * a scope costs one small object per task; outside of all scopes a task carries nothing. The idea is that of scoped
 * values (JEP 506, "Scoped Values").
 *
 * @param <T> type of the value
 */
public final class InheritedValue<T> {
    private final String name;

    private InheritedValue(String name) {
        this.name = name;
    }

    /**
     * Makes a value that is not bound. Usually kept in a static final field.
     *
     * @param <T> type of the value
     * @param name non-blank name, for errors
     * @throws IllegalArgumentException if the name is blank
     */
    public static <T> InheritedValue<T> named(String name) {
        return new InheritedValue<>(Arguments.requiredName(name, "an inherited value"));
    }

    /**
     * Calls the body with this value bound. The binding ends with the call, and goes on in tasks launched by it.
     *
     * @param body the scope
     */
    public void where(T value, Runnable body) {
        required(value, "value");
        required(body, "body");
        InheritedBindings outer = TaskThread.inherited();
        TaskThread.inherit(new InheritedBindings(this, value, outer));
        try {
            body.run();
        } finally {
            TaskThread.inherit(outer);
        }
    }

    /**
     * The value of the innermost scope.
     *
     * @throws NoSuchElementException if it is not bound here
     */
    public T get() {
        T bound = find();
        if (bound == null) {
            throw new NoSuchElementException("inherited value '" + name
                    + "' is not bound here; launch the task inside its where(value, body), or ask isBound()");
        }
        return bound;
    }

    /**
     * The value of the innermost scope, or another one if it is not bound here.
     *
     * @return one of them
     */
    public T orElse(T other) {
        required(other, "other");
        T bound = find();
        return bound == null ? other : bound;
    }

    /**
     * Whether the value is bound here.
     *
     * @return true inside of a scope
     */
    public boolean isBound() {
        return InheritedBindings.find(this) != null;
    }

    private void required(Object value, String parameter) {
        Arguments.required(value, parameter, "inherited value", name);
    }

    /** Only {@link #where} makes bindings of this key. */
    @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
    private T find() {
        return (T) InheritedBindings.find(this);
    }

    @Override
    public String toString() {
        return "InheritedValue[" + name + "]";
    }
}
