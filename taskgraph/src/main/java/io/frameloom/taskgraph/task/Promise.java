package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.parts.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * An event that the library itself completes; to the application it is the event of a task, which it cannot
 * trigger. Any thread may complete it; the first wins.
 */
public final class Promise {
    private static final VarHandle TASK = Fields.handle(MethodHandles.lookup(), Promise.class, "task", Task.class);

    private final GraphCore graph;
    private final CoreEvent event;

    /** Null from the completion on. */
    private volatile @Nullable Task task;

    public Promise(GraphCore graph, String name, Needs needs) {
        this.graph = graph;
        Task join = new Task(graph, name, needs);
        join.setPlace(null, null, false);
        this.event = join;
        TASK.set(this, join);
    }

    public CoreEvent event() {
        return event;
    }

    /** Completes the event. Returns false if it was complete, or about to be. */
    public boolean tryComplete(@Nullable Throwable failure, Completer completer) {
        Task join = (Task) TASK.getAndSet(this, (Task) null);
        if (join == null) {
            return false;
        }
        completer.finish(join, failure);
        return true;
    }

    /** Fails the event because its graph closes, unless it is complete. */
    public void failByClose() {
        graph.roots().remove(this);
        if (task != null) {
            tryComplete(graph.closedWhilePending(event.name()), graph.completer());
        }
    }
}
