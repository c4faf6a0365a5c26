package io.frameloom.taskgraph.task;

import org.jspecify.annotations.Nullable;

/**
 * The bindings that are in force on one thread. Used by that thread only; a worker has its own in a field,
 * because finding it there costs a third of a thread-local variable.
 */
public final class InheritedContext {
    private static final ThreadLocal<InheritedContext> OTHERS = ThreadLocal.withInitial(InheritedContext::new);

    private @Nullable InheritedBindings bindings;

    public static InheritedContext current() {
        return Thread.currentThread() instanceof TaskThread own ? own.inherited : OTHERS.get();
    }

    public @Nullable InheritedBindings bindings() {
        return bindings;
    }

    /** Changes the bindings; the caller changes them back, whatever happens. */
    public void set(@Nullable InheritedBindings innermost) {
        bindings = innermost;
    }
}
