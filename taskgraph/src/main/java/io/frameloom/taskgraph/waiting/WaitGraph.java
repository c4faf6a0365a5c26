package io.frameloom.taskgraph.waiting;

import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.worker.ThreadContext;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks the events that an incomplete event still needs. Iterative, so that a chain of any length fits.
 *
 * <p>What it sees can change while it looks; it only ever misses, never invents, a need.
 */
final class WaitGraph {
    private WaitGraph() {}

    private static void addAll(ArrayDeque<CoreEvent> open, @Nullable CoreEvent[] events) {
        for (CoreEvent event : events) {
            if (event != null) {
                open.add(event);
            }
        }
    }

    /**
     * Refuses a wait that cannot end.
     *
     * @throws IllegalStateException if {@code event} needs a task that this very thread is running, or
     *     one that only this thread's main queue can run
     */
    static void requireCanEnd(ThreadContext context, CoreEvent awaited, CoreEvent event) {
        if (!(event instanceof Task task)) {
            return;
        }
        if (task.isRunningOn(context)) {
            throw new IllegalStateException((awaited == event
                            ? task.kind() + " '" + event.name() + "' waits for itself"
                            : "waiting for '" + awaited.name() + "' from inside '" + event.name()
                                    + "', which it depends on")
                    + "; dispatch a task behind it instead of waiting");
        }
        NamedLane lane = (NamedLane) context.lane;
        if (lane != null && task.lane == lane && task.target instanceof NamedThread && !task.isStarted()) {
            throw new IllegalStateException(
                    "thread " + lane.thread + " waits for '" + awaited.name() + "', which needs task '"
                            + event.name()
                            + "' in its own main queue, and that queue does not run during the wait; send the task to "
                            + lane.thread + ".local() or let the thread process its queue instead of waiting");
        }
    }

    /** Refuses a wait that cannot end, looking at everything that the awaited event needs. */
    static void requireAllCanEnd(ThreadContext context, CoreEvent awaited) {
        requireCanEnd(context, awaited, awaited);
        @Nullable CoreEvent[] inputs = awaited.inputs();
        if (inputs.length == 0) {
            return;
        }
        Set<CoreEvent> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<CoreEvent> open = new ArrayDeque<>();
        addAll(open, inputs);
        for (CoreEvent event = open.poll(); event != null; event = open.poll()) {
            if (!event.isComplete() && seen.add(event)) {
                requireCanEnd(context, awaited, event);
                addAll(open, event.inputs());
            }
        }
    }
}
