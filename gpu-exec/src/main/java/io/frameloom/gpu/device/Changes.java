package io.frameloom.gpu.device;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts changes of something that threads wait for. A thread takes the count, looks, and waits for another count if it
 * has not seen what it looks for, so no change is missed.
 *
 * <p>Any thread may report a change whatever locks it holds: the lock in here is taken last and for moments only.
 */
final class Changes {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private long count;

    /** Returns the number of changes so far. */
    long count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Reports a change. */
    void add() {
        lock.lock();
        try {
            count++;
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until there were more than {@code seen} changes, or {@code nanos} are over.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    void awaitAfter(long seen, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (count == seen && left > 0) {
                left = more.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
