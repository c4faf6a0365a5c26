package io.frameloom.gpu.internal;

import org.jspecify.annotations.Nullable;

/**
 * What lists record again and again, such as the barriers before a pass of a plan. A list keeps here what it has found
 * out about it, for those that record it later. Any threads may record it at the same time.
 *
 * @param <T> barriers, uses of a pass, or a render pass; immutable
 */
public final class RepeatedCommand<T> {
    private final T command;
    private volatile @Nullable Object known;

    /** A command of which nothing is known. */
    public RepeatedCommand(T command) {
        this.command = command;
    }

    public T command() {
        return command;
    }

    /** Returns what a list has found out last, or null. */
    public @Nullable Object known() {
        return known;
    }

    /** Keeps what a list has found out: immutable, or safe to be used by any threads. */
    public void know(Object found) {
        known = found;
    }
}
