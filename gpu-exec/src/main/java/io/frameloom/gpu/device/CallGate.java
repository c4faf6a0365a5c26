package io.frameloom.gpu.device;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Guards calls on a native object that any thread may make until it is destroyed. Closing refuses later calls and waits
 * for those in progress, which wait for nothing but the driver. Entering allocates nothing. Any thread; closed once.
 */
public final class CallGate {
    private static final int CLOSED = Integer.MIN_VALUE;

    /** The number of calls in progress; {@link #CLOSED} more once closed, so that it is negative. */
    private final AtomicInteger calls = new AtomicInteger();

    private volatile @Nullable Thread closing;

    /** Returns whether the object may be used until {@link #leave}; false once closed. */
    public boolean enter() {
        if (calls.incrementAndGet() > 0) {
            return true;
        }
        leave();
        return false;
    }

    /** Ends a call that {@link #enter} has begun. */
    public void leave() {
        if (calls.decrementAndGet() == CLOSED) {
            LockSupport.unpark(closing);
        }
    }

    /** Refuses later calls, and returns when all have left. */
    public void close() {
        closing = Thread.currentThread();
        calls.addAndGet(CLOSED);
        boolean interrupted = false;
        while (calls.get() != CLOSED) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
