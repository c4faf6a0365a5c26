package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.Arguments;
import io.frameloom.taskgraph.internal.SlotStack;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Lets at most a given number of its tasks run at a time, and gives each a slot that no other has
 * meanwhile: for decoders, staging buffers and other things of which there are a few. No worker ever blocks
 * for it. Obtained from {@link TaskGraph#limiter}.
 *
 * <pre>{@code
 * ConcurrencyLimiter decoders = graph.limiter("decoders", 4);
 * decoders.task("decode", slot -> arenas[slot].decode(file)).after(loaded).dispatch();
 * }</pre>
 *
 * <p><b>Order.</b> Tasks get slots in the order in which they become ready: released if held, and with all
 * prerequisites complete. One that is not ready takes no slot. A task keeps its slot until its
 * {@link GraphEvent} is complete, children included. The slot that was given back last is given out first.
 * What a task did is visible to the next one with the same slot. A task that is skipped because a
 * prerequisite failed takes no slot.
 *
 * <p>Waiting from inside one of its tasks for another one that has no slot yet needs a second slot; with
 * none left to become free such a wait does not end. Unlike a {@link Pipe} the limiter cannot refuse it;
 * {@link GraphEvent#explain()} shows it as a cycle.
 *
 * <p>All methods may be called from any thread. After the graph was closed launching throws
 * {@link TaskGraphClosedException}; tasks that wait for a slot then fail with it in order.
 *
 * <p><b>Algorithm.</b> Two lists: free slots ({@link SlotStack}) and waiting tasks (Michael and Scott's
 * queue: "Simple, fast, and practical non-blocking and blocking concurrent queue algorithms"). Whoever adds
 * to one of them matches afterwards: he takes a slot, then a task, and puts the slot back if there was no
 * task, after which he looks again. So of two threads that add a slot and a task at the same time at least
 * one finds both, and a slot that a third one has in hand meanwhile is followed by that one's own second
 * look: no task is stranded. <b>Linearization.</b> A task gets its slot where it is taken from the queue.
 * <b>Memory order.</b> Both lists are updated by volatile read-modify-writes. <b>Progress.</b> Lock-free.
 */
public final class ConcurrencyLimiter {
    /** The highest limit; a slot takes some bytes from the beginning. */
    public static final int MOST_SLOTS = 1 << 16;

    /** A report of every waiting task counts those ahead of each. */
    private static final int MOST_COUNTED = 100;

    private final TaskGraph graph;
    private final String name;
    private final int limit;
    private final SlotStack free;
    private final ConcurrentLinkedQueue<LimitedTask> waiting = new ConcurrentLinkedQueue<>();
    /** By slot; for those who wait. */
    private final AtomicReferenceArray<@Nullable LimitedTask> holders;

    private ConcurrencyLimiter(TaskGraph graph, String name, int limit) {
        this.graph = graph;
        this.name = name;
        this.limit = limit;
        this.free = new SlotStack(limit);
        this.holders = new AtomicReferenceArray<>(limit);
    }

    /** As {@link TaskGraph#limiter}. */
    static ConcurrencyLimiter of(TaskGraph graph, String name, int limit) {
        Arguments.requiredName(name, "a limiter");
        if (limit < 1) {
            throw new IllegalArgumentException("limiter '" + name + "': limit must be at least 1, but is " + limit);
        }
        if (limit > MOST_SLOTS) {
            throw new IllegalArgumentException("limiter '" + name + "': limit must be at most " + MOST_SLOTS
                    + ", but is " + limit + "; tasks without a limit need no limiter");
        }
        graph.requireOpen("limiter", name);
        return new ConcurrencyLimiter(graph, name, limit);
    }

    /**
     * Begins a task of this limiter.
     *
     * @param name non-blank name of the task
     * @param body the work
     * @return a builder for the rest
     * @throws IllegalArgumentException if the name is blank
     */
    public TaskBuilder task(String name, SlotBody body) {
        Arguments.requiredName(name, "a task");
        Arguments.required(body, "body", "task", name);
        LimitedTask limited = new LimitedTask(graph, this, body);
        return new TaskBuilder(new Task(graph, name, limited), limited);
    }

    /**
     * The name of this limiter.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * How many tasks may run at a time: slots are in {@code [0, limit)}.
     *
     * @return at least 1
     */
    public int limit() {
        return limit;
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
    GraphEvent[] unstartedHolders() {
        List<GraphEvent> events = new ArrayList<>();
        for (int slot = 0; slot < limit; slot++) {
            LimitedTask holder = holders.getAcquire(slot);
            if (holder != null && !holder.task().isStarted()) {
                events.add(holder.task());
            }
        }
        return events.toArray(GraphEvent.NO_EVENTS);
    }

    /** Why a task that waits for a slot has none: the holders of all slots, of which one has to complete. */
    WaitReason waitReason(LimitedTask own) {
        List<GraphEvent> holding = new ArrayList<>();
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

    @Override
    public String toString() {
        return "ConcurrencyLimiter[" + name + ", limit " + limit + "]";
    }
}
