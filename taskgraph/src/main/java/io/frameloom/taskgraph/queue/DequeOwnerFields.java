package io.frameloom.taskgraph.queue;

import io.frameloom.taskgraph.parts.PaddedLongHead;
import org.jspecify.annotations.Nullable;

/** What the owner writes: one line, of which thieves read {@code bottom} and {@code ring} together. */
abstract class DequeOwnerFields extends PaddedLongHead {
    /** Index after the youngest item. Written by the owner alone. */
    long bottom;

    /** A value that {@code top} once had, hence a lower bound of it. The owner's alone. */
    long cachedTop;

    /** Lowest index whose copy in {@code ring} may still have to be cleared. The owner's alone. */
    long copiedFrom;

    /** The array in use. Written by the owner alone. */
    WorkStealingDeque.Ring ring;

    /** {@code ring.slots}: saves the owner a dependent load. The owner's alone. */
    @Nullable
    Object[] slots;

    /** Index from which on a push moves to a new array. The owner's alone. */
    long renewAt;

    /** Pushes after which an array is renewed even if it has room. */
    final int renewEvery;

    /** Length of the shortest array. */
    final int smallest;

    DequeOwnerFields(long firstIndex, WorkStealingDeque.Ring ring, int renewEvery) {
        bottom = firstIndex;
        cachedTop = firstIndex;
        copiedFrom = firstIndex;
        this.ring = ring;
        slots = ring.slots;
        smallest = slots.length;
        this.renewEvery = renewEvery;
        renewAt = firstIndex + renewEvery;
    }
}
