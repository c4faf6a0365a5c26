package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.parts.PaddedLong;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Raises the urgency of what something more urgent waits for, through everything that it needs (race 33). Without it a
 * HIGH task after a BACKGROUND one starts after every NORMAL task that is queued ("priority inversion"; the remedy is
 * that of Sha, Rajkumar and Lehoczky, "Priority Inheritance Protocols").
 *
 * <p>The urgency of an event is a byte that only rises. A task that is raised before it is queued goes to the queue of
 * its new urgency; one that is queued already gets a second entry there. The claim of the task makes one of the two
 * entries stale, and queues skip those. A queue knows urgency, not levels, so a worker takes a raised BACKGROUND task
 * without a permit of the reserve.
 *
 * <p>Any thread may call any method. <b>Linearization.</b> At the compare-and-set of the urgency. <b>Memory
 * order.</b> No promotion is lost between the store of QUEUED and the load of the urgency by the thread that queues
 * the task, which has no fence between the two. A promoter that, after its compare-and-set, sees
 *
 * <ul>
 *   <li>the task queued, adds the second entry;
 *   <li>a prerequisite incomplete, has nothing to do: the read-modify-write that closes that event comes later, and
 *       the load of the urgency after it;
 *   <li>the task held, or without a slot of its limiter, has nothing to do: the thread that ends that writes so, with a
 *       full fence, before the load of the urgency;
 *   <li>the task on its way to the queue, notes it as {@code unsettled} and looks at it again; and each thread that
 *       queues something looks at the notes after the full fence that precedes its wake-ups anyway. One of the two sees
 *       the other.
 * </ul>
 *
 * <p><b>Progress.</b> Lock-free. A walk visits an event only if it raises it: at most six times in its life.
 */
public final class PriorityInheritance {
    private final GraphCore graph;
    private final boolean enabled;
    private final ConcurrentLinkedQueue<Task> unsettled = new ConcurrentLinkedQueue<>();
    private final PaddedLong unsettledCount = new PaddedLong(0);

    PriorityInheritance(GraphCore graph, boolean enabled) {
        this.graph = graph;
        this.enabled = enabled;
    }

    /** Something of the given urgency was set up after an event. */
    public void inherit(CoreEvent needed, int urgency) {
        if (urgency >= Urgency.LEAST && needed.urgency() < urgency && enabled && !needed.isComplete()) {
            walk(needed, urgency);
        }
    }

    /** As {@link #inherit}, for everything that a task needs. */
    public void inheritAll(Task task) {
        int urgency = task.urgency();
        if (urgency < Urgency.LEAST || !enabled) {
            return;
        }
        for (CoreEvent event : task.inputs()) {
            if (event != null) {
                inherit(event, urgency);
            }
        }
        for (CoreEvent event : task.alternatives()) {
            inherit(event, urgency);
        }
    }

    /**
     * A thread begins to wait for an event; the context is that of the thread if it executes tasks. A frame depends on
     * a named thread, but nothing is known of a thread outside of the graph.
     */
    public void waitBegins(CoreEvent awaited, @Nullable Completer context) {
        Task waiting = context == null ? null : context.currentTask();
        int urgency = waiting == null ? 0 : waiting.urgency();
        if (context != null && !context.isWorker()) {
            urgency = Math.max(urgency, Urgency.LEAST);
        }
        inherit(awaited, urgency);
    }

    private void walk(CoreEvent first, int urgency) {
        ArrayDeque<@Nullable CoreEvent[]> open = new ArrayDeque<>();
        raise(first, urgency, open);
        for (@Nullable CoreEvent[] events = open.poll(); events != null; events = open.poll()) {
            for (CoreEvent event : events) {
                if (event != null && event.urgency() < urgency && !event.isComplete()) {
                    raise(event, urgency, open);
                }
            }
        }
    }

    private void raise(CoreEvent event, int urgency, ArrayDeque<@Nullable CoreEvent[]> open) {
        graph.reached(SchedulingPoint.PROMOTE, event.name());
        if (!event.raiseUrgency(urgency)) {
            return;
        }
        VarHandle.fullFence();
        // Before the state: a task that is queued later than this look shows it, or is unsettled.
        @Nullable CoreEvent[] inputs = event.inputs();
        if (event instanceof Task task && task.target != null && !task.isBroadcast()) {
            // Pending first: a task that is queued between the two looks is seen by the second.
            if (task.isPending()) {
                if (!anyIncomplete(inputs) && !task.isHeldBack()) {
                    settleLater(task);
                }
            } else if (task.isQueued()) {
                queueAgain(task);
            }
        }
        open.add(inputs);
        open.add(event.alternatives());
    }

    private static boolean anyIncomplete(@Nullable CoreEvent[] events) {
        for (CoreEvent event : events) {
            if (event != null && !event.isComplete()) {
                return true;
            }
        }
        return false;
    }

    private void queueAgain(Task task) {
        Lane lane = task.lane;
        if (lane == null) {
            graph.workers().pushAgain(task);
        } else if (!task.isHigh() && task.isUrgentOnLane()) {
            lane.enqueueAgain(task);
        }
    }

    private void settleLater(Task task) {
        unsettled.add(task);
        unsettledCount.getAndAdd(1);
        graph.reached(SchedulingPoint.RECHECK, task.name());
        if (!task.isPending()) {
            settle();
        }
    }

    /** The tasks to be looked at again; each costs something at every queueing. */
    public PaddedLong unsettled() {
        return unsettledCount;
    }

    /** To be called after tasks were queued, after a full fence. */
    public void settle() {
        if (unsettledCount.valueVolatile() > 0) {
            for (Task task : unsettled) {
                if (!task.isPending() && unsettled.remove(task)) {
                    unsettledCount.getAndAdd(-1);
                    if (task.isQueued()) {
                        queueAgain(task);
                    }
                }
            }
        }
    }
}
