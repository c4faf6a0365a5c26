package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.ThreadParker;
import java.time.Duration;

/** The end of a wait, or none. Immutable. */
final class Deadline {
    static final Deadline NEVER = new Deadline(false, 0L);

    /** Differences of nanoTime are meaningful up to 2^63; half of it is 146 years. */
    private static final long LONGEST = Long.MAX_VALUE / 2;

    private final boolean limited;
    private final long nanoTime;

    private Deadline(boolean limited, long nanoTime) {
        this.limited = limited;
        this.nanoTime = nanoTime;
    }

    static Deadline in(Duration timeout) {
        long nanos = timeout.compareTo(Duration.ofNanos(LONGEST)) > 0
                ? LONGEST
                : Math.max(0L, timeout.isNegative() ? 0L : timeout.toNanos());
        return new Deadline(true, System.nanoTime() + nanos);
    }

    boolean passed() {
        return limited && nanoTime - System.nanoTime() <= 0L;
    }

    void park(ThreadParker parker) {
        if (limited) {
            parker.parkUntil(nanoTime);
        } else {
            parker.park();
        }
    }
}
