package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.parts.PaddedLong;
import io.frameloom.taskgraph.task.ReusableTask;

/**
 * The helpers of one worker level that a run may have, how many are there, and how many are wanted.
 *
 * <p>Any thread may call {@link #invite} and {@link #addPresent}; {@link #want} and {@link #wantAtLeast} only the
 * thread that begins the run, before others can see it or before it invites them. <b>No invitation is lost:</b> see
 * {@link #invite} and {@link ReusableTask}.
 */
final class HelperCrew {
    private final RunHelper[] helpers;
    private final PaddedLong present = new PaddedLong(0);
    private int wanted;

    HelperCrew(RunHelper[] helpers) {
        this.helpers = helpers;
    }

    /** Sets how many may be there at a time from now on. */
    void want(int number) {
        wanted = number;
    }

    /** Raises what {@link #want} has set. */
    void wantAtLeast(int number) {
        wanted = Math.max(wanted, number);
    }

    /**
     * Queues a helper unless enough are there. A helper that becomes idle looks whether it is needed, and another
     * thread that fails to queue it just then may count it meanwhile. Therefore the thread that failed looks again
     * after taking its count back: either it sees the helper idle, or the helper sees the count without it.
     */
    void invite() {
        while (present.valueVolatile() < wanted) {
            for (RunHelper helper : helpers) {
                if (helper.tryInvite()) {
                    return;
                }
            }
            if (!isAnyIdle()) {
                return;
            }
        }
    }

    private boolean isAnyIdle() {
        for (RunHelper helper : helpers) {
            if (helper.isIdle()) {
                return true;
            }
        }
        return false;
    }

    /** Counts a helper that is there, or is about to be, or has left. */
    void addPresent(long delta) {
        present.getAndAdd(delta);
    }
}
