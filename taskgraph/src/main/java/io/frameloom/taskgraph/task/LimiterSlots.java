package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.ConcurrencyLimiter;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.parts.SlotStack;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a {@link ConcurrencyLimiter} and the tasks that wait for one.
 *
 * <p><b>Algorithm.</b> Two lists: free slots ({@link SlotStack}) and waiting tasks (Michael and Scott's queue: "Simple,
 * fast, and practical non-blocking and blocking concurrent queue algorithms"). The thread that adds to one of them
 * matches afterwards: it takes a slot, then a task. If there was no task, it puts the slot back and looks again. So of
 * two threads that add a slot and a task at the same time at least one finds both. A slot that a third thread has in
 * hand meanwhile is followed by that thread's own second look. No task is stranded. <b>Linearization.</b> A task gets
 * its slot where it is taken from the queue. <b>Memory order.</b> Both lists are updated by volatile
 * read-modify-writes. <b>Progress.</b> Lock-free.
 */
public final class LimiterSlots {
    /** A report of every waiting task counts those ahead of each. */
    private static final int MOST_COUNTED = 100;

    private final GraphCore graph;
    private final String name;
    private final int limit;
    private final SlotStack free;
    private final ConcurrentLinkedQueue<LimitedTask> waiting = new ConcurrentLinkedQueue<>();
    /** By slot; for waits and reports. */
    private final AtomicReferenceArray<@Nullable LimitedTask> holders;

    public LimiterSlots(GraphCore graph, String name, int limit) {
        this.graph = graph;
        this.name = name;
        this.limit = limit;
        this.free = new SlotStack(limit);
        this.holders = new AtomicReferenceArray<>(limit);
    }

    void enqueue(LimitedTask ready, Completer completer) {
        waiting.offer(ready);
        graph.reached(SchedulingPoint.TAKE, name);
        match(completer);
    }

    void giveBack(int slot, Completer completer) {
        holders.setRelease(slot, null);
        free.free(slot);
        graph.reached(SchedulingPoint.TAKE, name);
        match(completer);
    }

    private void match(Completer completer) {
        while (!waiting.isEmpty()) {
            int slot = free.take();
            if (slot < 0) {
                return;
            }
            graph.reached(SchedulingPoint.TAKE, name);
            LimitedTask first = waiting.poll();
            if (first == null) {
                graph.reached(SchedulingPoint.RECHECK, name);
                free.free(slot);
            } else {
                holders.setRelease(slot, first);
                first.start(slot, completer);
            }
        }
    }

    /** The tasks that have a slot and whose bodies have not begun: running them frees slots. */
    CoreEvent[] unstartedHolders() {
        List<CoreEvent> events = new ArrayList<>();
        for (int slot = 0; slot < limit; slot++) {
            LimitedTask holder = holders.getAcquire(slot);
            if (holder != null && !holder.task().isStarted()) {
                events.add(holder.task());
            }
        }
        return events.toArray(CoreEvent.NO_EVENTS);
    }

    /** Why a task that waits for a slot has none: the holders of all slots, of which one has to complete. */
    WaitReason waitReason(LimitedTask own) {
        List<CoreEvent> holding = new ArrayList<>();
        for (int slot = 0; slot < limit; slot++) {
            LimitedTask holder = holders.getAcquire(slot);
            if (holder != null && !holder.task().isComplete()) {
                holding.add(holder.task());
            }
        }
        if (holding.size() < limit) {
            return WaitReason.of("is about to get a slot of limiter '" + name + "'");
        }
        int ahead = 0;
        Iterator<LimitedTask> queue = waiting.iterator();
        while (ahead <= MOST_COUNTED && queue.hasNext() && queue.next() != own) {
            ahead++;
        }
        return new WaitReason(
                "waits for a slot of limiter '" + name + "', which has none free: "
                        + (limit == 1 ? "its only slot is" : "its " + limit + " slots are") + " held by "
                        + WaitReason.names(holding)
                        + (ahead == 0
                                ? ""
                                : "; waiting tasks ahead of it: "
                                        + (ahead <= MOST_COUNTED ? ahead : "more than " + MOST_COUNTED)),
                holding);
    }
}
