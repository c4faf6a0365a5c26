package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.task.Task;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shares of broadcasts that one thread has yet to run, oldest first. Everything but {@link #hasAny()} is guarded
 * by the lock of {@link Broadcasts}.
 */
final class Mailbox {
    private final ArrayDeque<Task> shares = new ArrayDeque<>(2);

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
        Task share = shares.poll();
        any = !shares.isEmpty();
        return share;
    }

    void remove(@Nullable Task share) {
        shares.removeFirstOccurrence(share);
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
