package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.PipelineStage;

/**
 * What barriers to the host have made visible and available to it. Unlike for the stages of a queue, the queue of the
 * barriers does not matter, only that they came before.
 *
 * @param visible what it may read
 * @param available what it may write over, what it may read included
 * @param done how far each queue was done with everything before
 */
record Shown(Past visible, Past available, Clock done) {
    private static final int HOST = Integer.numberOfTrailingZeros(PipelineStage.HOST.bit());

    /** Nothing. */
    Shown() {
        this(new Past(), new Past(), new Clock());
    }

    Shown copy() {
        return new Shown(visible.copy(), available.copy(), done.copy());
    }

    void raise(Shown other) {
        visible.raise(other.visible);
        available.raise(other.available);
        done.raise(other.done);
    }

    /** Returns what barriers of all memory have given the host. */
    Past made(HostNeed need) {
        return need == HostNeed.VISIBLE ? visible : available;
    }

    /** Notes a barrier of all memory for what it follows; the host has waited so often before. */
    void raise(BarrierScope barrier, Past concerned, long hostWaits) {
        for (HostNeed need : HostNeed.values()) {
            if (need.isIn(barrier.destinationStages(), barrier.destinationAccess())) {
                made(need).raise(concerned);
                // What the host has seen complete is available, whatever the source half of the barrier names.
                made(need).available().raise(Clock.column(Clock.HOST, Scopes.TRANSITION), hostWaits);
            }
        }
    }

    /** Notes that everything up to a sequence number of a queue is done, barriers to the host included. */
    void reached(int queue, long sequence) {
        done.raise(Clock.column(queue, HOST), sequence);
    }

    /** Returns whether everything up to a sequence number of a queue was done before. */
    boolean hasReached(int queue, long sequence) {
        return done.get(Clock.column(queue, HOST)) >= sequence;
    }

    /** Returns whether what the host had seen complete before its n-th wait is as it needs it. */
    boolean hasSeenOf(long wait, HostNeed need) {
        return made(need).available().get(Clock.column(Clock.HOST, Scopes.TRANSITION)) >= wait;
    }

    /** Returns whether both say the same of everything that is not in {@code floor} anyway. */
    boolean sameAbove(Shown floor, Shown other) {
        return visible.sameAbove(floor.visible, other.visible)
                && available.sameAbove(floor.available, other.available)
                && done.sameAbove(floor.done, other.done);
    }
}
