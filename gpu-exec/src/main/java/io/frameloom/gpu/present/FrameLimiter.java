package io.frameloom.gpu.present;

import org.jspecify.annotations.Nullable;

/**
 * Waits until the next frame should begin, for a loop that runs at a given rate.
 *
 * <p>Frames begin on a grid of times that does not drift: errors of single waits do not add up. A frame that is late by
 * less than a period begins at once and leaves the grid alone, so one interval after it is shorter. One that is later
 * begins a new grid. So no burst of frames follows a long one.
 *
 * <p>The wait sleeps, and spins for the last part, since a sleep ends late by 50 us and more. How much it spins follows
 * from how late sleeps ended, at most 1 ms and a quarter of a period. While it sleeps, nothing of a named thread runs
 * that this thread pumps.
 *
 * <p>The limiter bounds no queue. {@link Swapchain#acquire} waits while all images are in use, and an executor waits
 * while as many frames are in flight as it allows. Input is newest where it is read after both waits.
 *
 * <p>One thread at a time waits. Any thread may close the limiter, which ends the wait.
 *
 * <pre>{@code
 * try (FrameLimiter limiter = new FrameLimiter(60)) {
 *     while (limiter.await()) {
 *         executor.beginFrame();
 *         ...
 *     }
 * }
 * }</pre>
 */
public final class FrameLimiter implements AutoCloseable {
    private static final double LEAST_RATE = 0.001;
    private static final double MOST_RATE = 1e6;
    private static final double NANOS = 1e9;

    /** Below this, sleeps of an idle Linux machine end late, by its timer slack and the way to the processor. */
    private static final long LEAST_MARGIN = 100_000;

    private static final long MOST_MARGIN = 1_000_000;
    private static final int MARGIN_PARTS = 4;
    private static final int FORGETTING = 16;

    private final PacingClock clock;
    private final double period;
    private final long leastMargin;
    private final long mostMargin;

    /** When the grid began, and how many of its frames have begun; none before the first frame. */
    private long start;

    private long begun;
    private long missed;

    /** How long before its time the wait stops sleeping. */
    private long margin;

    private volatile @Nullable Thread waiter;
    private volatile boolean closed;

    /**
     * A limiter whose grid begins with the first {@link #await}.
     *
     * @param framesPerSecond the rate, 0.001 to 1,000,000
     */
    public FrameLimiter(double framesPerSecond) {
        this(framesPerSecond, PacingClock.SYSTEM);
    }

    FrameLimiter(double framesPerSecond, PacingClock clock) {
        if (!(framesPerSecond >= LEAST_RATE && framesPerSecond <= MOST_RATE)) {
            throw new IllegalArgumentException(
                    "a frame limiter takes 0.001 to 1000000 frames per second, got " + framesPerSecond);
        }
        this.clock = clock;
        this.period = NANOS / framesPerSecond;
        this.mostMargin = Math.min(MOST_MARGIN, (long) (period / MARGIN_PARTS));
        this.leastMargin = Math.min(LEAST_MARGIN, mostMargin);
        this.margin = leastMargin;
    }

    /**
     * Waits until the next frame should begin; the first begins at once.
     *
     * @return whether a frame begins: false at once if the limiter is closed, or if the thread is interrupted, whose
     *     interrupt status stays; the frame that was waited for is then the next one's
     */
    public boolean await() {
        long now = clock.nanoTime();
        if (begun == 0) {
            start = now;
        }
        long due = start + (long) (begun * period);
        boolean late = now - due >= period;
        if (late) {
            start = now;
            begun = 0;
            due = now;
        }
        // Also where no sleep follows: a single long one must not make every later wait spin.
        margin = Math.max(leastMargin, margin - margin / FORGETTING);
        // Before the first look at closed: close sets that before it looks here.
        waiter = Thread.currentThread();
        try {
            if (!waitUntil(due)) {
                return false;
            }
        } finally {
            waiter = null;
        }
        begun++;
        if (late) {
            missed++;
        }
        return true;
    }

    private boolean waitUntil(long due) {
        while (true) {
            if (closed || Thread.currentThread().isInterrupted()) {
                return false;
            }
            long remaining = due - clock.nanoTime();
            if (remaining <= 0) {
                return true;
            }
            if (remaining <= margin) {
                clock.spin();
                continue;
            }
            clock.park(this, remaining - margin);
            long overslept = clock.nanoTime() - (due - margin);
            margin = Math.max(margin, Math.min(mostMargin, overslept + overslept / MARGIN_PARTS));
        }
    }

    /** Returns how many frames began a period late or more, each on a new grid. The thread that waits calls it. */
    public long missed() {
        return missed;
    }

    /** Ends a wait that is under way, and lets no frame begin any more; a second call does nothing. */
    @Override
    public void close() {
        closed = true;
        Thread waiting = waiter;
        if (waiting != null) {
            clock.unpark(waiting);
        }
    }
}
