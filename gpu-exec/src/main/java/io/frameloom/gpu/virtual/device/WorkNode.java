package io.frameloom.gpu.virtual.device;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work of the virtual GPU with what must come before it. Nodes without an action join their predecessors.
 * Confined to the thread of the virtual GPU.
 */
final class WorkNode {
    /** What a node does; a throwable loses the device. */
    @FunctionalInterface
    interface Action {
        void run();
    }

    final String label;
    final VirtualQueue queue;
    final long costNanos;
    final @Nullable Action action;
    private final List<WorkNode> successors = new ArrayList<>();
    private int unmet = 1;
    private boolean done;
    private long readyNanos;
    private long finishNanos;
    private long number;
    private int slot;

    /**
     * A node that is held until {@link WorkGraph#release}.
     *
     * @param readyNanos simulated time before which it cannot start
     */
    WorkNode(String label, VirtualQueue queue, long readyNanos, long costNanos, @Nullable Action action) {
        this.label = label;
        this.queue = queue;
        this.readyNanos = readyNanos;
        this.costNanos = costNanos;
        this.action = action;
    }

    void number(long newNumber) {
        number = newNumber;
    }

    long number() {
        return number;
    }

    /** Sets the place in {@link ReadyNodes}, negative if it is taken out of there. */
    void slot(int newSlot) {
        slot = newSlot;
    }

    int slot() {
        return slot;
    }

    boolean isDone() {
        return done;
    }

    /** Simulated time at which all predecessors have finished. */
    long readyNanos() {
        return readyNanos;
    }

    void after(@Nullable WorkNode predecessor) {
        if (predecessor == null || predecessor == this) {
            return;
        }
        if (predecessor.done) {
            readyNanos = Math.max(readyNanos, predecessor.finishNanos);
        } else {
            predecessor.successors.add(this);
            unmet++;
        }
    }

    /** Takes away one unmet predecessor; returns whether it was the last. */
    boolean met(long predecessorFinish) {
        readyNanos = Math.max(readyNanos, predecessorFinish);
        return --unmet == 0;
    }

    List<WorkNode> finish(long atNanos) {
        done = true;
        finishNanos = atNanos;
        List<WorkNode> waiting = List.copyOf(successors);
        successors.clear();
        return waiting;
    }
}
