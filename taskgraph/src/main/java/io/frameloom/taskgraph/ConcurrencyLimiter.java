package io.frameloom.taskgraph;

import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.task.LimitedTask;
import io.frameloom.taskgraph.task.LimiterSlots;
import io.frameloom.taskgraph.task.Task;

/**
 * Lets at most a given number of its tasks run at a time, and gives each a slot that no other has meanwhile. Use it for
 * decoders, staging buffers and other things of which there are few. No worker ever blocks for it. Obtained from {@link
 * TaskGraph#limiter}.
 *
 * <pre>{@code
 * ConcurrencyLimiter decoders = graph.limiter("decoders", 4);
 * decoders.task("decode", slot -> arenas[slot].decode(file)).after(loaded).dispatch();
 * }</pre>
 *
 * <p><b>Order.</b> Tasks get slots in the order in which they become ready: released if held, and with all
 * prerequisites complete. A task keeps its slot until its {@link GraphEvent} is complete, children included. The slot
 * that was given back last is given out first. A task sees what the last one with the same slot did. A task that is
 * skipped because a prerequisite failed takes no slot.
 *
 * <p>If one of its tasks waits for another that has no slot yet, that needs a second slot; if none becomes free the
 * wait does not end. Unlike a {@link Pipe} the limiter cannot refuse such a wait; {@link GraphEvent#explain()} shows it
 * as a cycle.
 *
 * <p>All methods may be called from any thread. After the graph was closed launching throws
 * {@link TaskGraphClosedException}; tasks that wait for a slot then fail with it in order.
 */
public final class ConcurrencyLimiter {
    /** The highest limit; a slot takes some bytes from the beginning. */
    public static final int MOST_SLOTS = 1 << 16;

    private final GraphParts graph;
    private final String name;
    private final int limit;
    private final LimiterSlots slots;

    /** As {@link TaskGraph#limiter}. */
    ConcurrencyLimiter(GraphParts graph, String name, int limit) {
        Arguments.requiredName(name, "a limiter");
        if (limit < 1) {
            throw new IllegalArgumentException("limiter '" + name + "': limit must be at least 1, but is " + limit);
        }
        if (limit > MOST_SLOTS) {
            throw new IllegalArgumentException("limiter '" + name + "': limit must be at most " + MOST_SLOTS
                    + ", but is " + limit + "; tasks without a limit need no limiter");
        }
        graph.requireOpen("limiter", name);
        this.graph = graph;
        this.name = name;
        this.limit = limit;
        this.slots = new LimiterSlots(graph, name, limit);
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
        LimitedTask limited = new LimitedTask(graph, slots, body);
        return new TaskBuilder(new Task(graph, name, limited), limited);
    }

    /** The name of this limiter. */
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

    @Override
    public String toString() {
        return "ConcurrencyLimiter[" + name + ", limit " + limit + "]";
    }
}
