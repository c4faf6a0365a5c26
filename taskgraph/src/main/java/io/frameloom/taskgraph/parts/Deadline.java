package io.frameloom.taskgraph.parts;

import io.frameloom.taskgraph.ThreadScheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The end of a wait, or none, on the clock of a graph. Immutable. */
public final class Deadline {
    public static final Deadline NEVER = new Deadline(null, false, 0L);

    /** Differences of nanoTime are meaningful up to 2^63; half of it is 146 years. */
    private static final long LONGEST = Long.MAX_VALUE / 2;

    private final @Nullable ThreadScheduler scheduler;
    private final boolean limited;
    private final long nanoTime;

    private Deadline(@Nullable ThreadScheduler scheduler, boolean limited, long nanoTime) {
        this.scheduler = scheduler;
        this.limited = limited;
        this.nanoTime = nanoTime;
    }

    public static Deadline in(Duration timeout, @Nullable ThreadScheduler scheduler) {
        return new Deadline(scheduler, true, now(scheduler) + nanosOf(timeout));
    }

    /** A time in nanoseconds, not negative and short enough to be added to the clock. */
    public static long nanosOf(Duration time) {
        return time.compareTo(Duration.ofNanos(LONGEST)) > 0
                ? LONGEST
                : Math.max(0L, time.isNegative() ? 0L : time.toNanos());
    }

    public boolean passed() {
        return limited && nanoTime - now(scheduler) <= 0L;
    }

    /** Whether it comes before a time of the same clock. */
    public boolean isBefore(long time) {
        return limited && nanoTime - time < 0L;
    }

    public void park(ThreadParker parker) {
        if (limited) {
            parker.parkUntil(nanoTime);
        } else {
            parker.park();
        }
    }

    private static long now(@Nullable ThreadScheduler scheduler) {
        return scheduler == null ? System.nanoTime() : scheduler.nanoTime();
    }
}
