package io.frameloom.taskgraph;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shares of broadcasts that one thread has yet to run, oldest first. Everything but {@link #hasAny()} is guarded
 * by the lock of {@link Broadcasts}.
 */
final class Mailbox {
    /** Not an ArrayDeque, which loses what it holds if there is no memory to grow. */
    private final ArrayList<Task> shares = new ArrayList<>(1);

    private boolean closed;
    private volatile boolean any;

    /** Whether there is a share; any thread. */
    boolean hasAny() {
        return any;
    }

    /** Returns false if the thread takes nothing any more. */
    boolean add(Task share) {
        if (closed) {
            return false;
        }
        shares.add(share);
        any = true;
        return true;
    }

    @Nullable
    Task poll() {
        Task share = shares.isEmpty() ? null : shares.remove(0);
        any = !shares.isEmpty();
        return share;
    }

    void remove(@Nullable Task share) {
        shares.remove(share);
        any = !shares.isEmpty();
    }

    /** Takes nothing from now on. Returns what is left. */
    List<Task> close() {
        closed = true;
        List<Task> left = new ArrayList<>(shares);
        shares.clear();
        any = false;
        return left;
    }
}
