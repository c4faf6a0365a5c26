package io.frameloom.gpu.check;

import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;

/**
 * What barriers to the host have made visible to it: other than for the stages of a queue, it does not matter on which queue
 * they were, if only they were before.
 *
 * @param order what was executed before
 * @param writes the writes that are visible
 * @param done how far each queue was done with everything before
 */
record Shown(Clock order, Clock writes, Clock done) {
    private static final int HOST = Integer.numberOfTrailingZeros(PipelineStage.HOST.bit());

    /** Number of the pair of the host's stage and its reading. */
    static final int PAIR = Visibility.pair(HOST, Integer.numberOfTrailingZeros(MemoryAccess.HOST_READ.bit()));

    /** Nothing. */
    static Shown nothing() {
        return new Shown(new Clock(), new Clock(), new Clock());
    }

    Shown copy() {
        return new Shown(order.copy(), writes.copy(), done.copy());
    }

    void raise(Shown other) {
        order.raise(other.order);
        writes.raise(other.writes);
        done.raise(other.done);
    }

    /** Notes that everything up to a sequence number of a queue is done, barriers to the host included. */
    void reached(int queue, long sequence) {
        done.raise(Clock.column(queue, HOST), sequence);
    }

    /** Returns whether everything up to a sequence number of a queue was done before. */
    boolean hasReached(int queue, long sequence) {
        return done.get(Clock.column(queue, HOST)) >= sequence;
    }

    /** Returns whether what the host had seen complete before its n-th wait is visible. */
    boolean hasSeenOf(long wait) {
        return writes.get(Clock.column(Clock.HOST, Scopes.TRANSITION)) >= wait;
    }

    /** Returns whether both say the same of everything that is not in {@code floor} anyway. */
    boolean sameAbove(Shown floor, Shown other) {
        return order.sameAbove(floor.order, other.order)
                && writes.sameAbove(floor.writes, other.writes)
                && done.sameAbove(floor.done, other.done);
    }

    /** Returns whether a barrier makes something visible to the reading host. */
    static boolean isIn(int destinationStages, int destinationAccess) {
        return (destinationStages & PipelineStage.HOST.bit()) != 0
                && (destinationAccess & MemoryAccess.HOST_READ.bit()) != 0;
    }
}
