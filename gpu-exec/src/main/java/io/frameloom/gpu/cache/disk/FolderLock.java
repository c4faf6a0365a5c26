package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock that processes take for moments: to publish a program, and to take or give back a lease. Whoever does not get
 * it in time goes on without: it keeps numbers exact, not programs whole. In a folder that takes no file nobody gets it. Any
 * thread.
 */
final class FolderLock implements AutoCloseable {
    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final ReentrantLock threads = new ReentrantLock();
    private final StoreFiles.@Nullable SharedCounter counter;
    private final long patienceNanos;
    private final DiskObserver observer;
    /** Whether the last wait was in vain: whoever has the lock may be stopped for good, so nobody waits for it again. */
    private boolean lostPatience;

    /**
     * The lock of a folder.
     *
     * @param counter the lock and the numbers that it protects; null if the folder takes no file
     */
    FolderLock(StoreFiles.@Nullable SharedCounter counter, long patienceNanos, DiskObserver observer) {
        this.counter = counter;
        this.patienceNanos = patienceNanos;
        this.observer = observer;
    }

    /** What is done under the lock. */
    @FunctionalInterface
    interface Section<T> {
        /**
         * Does it.
         *
         * @param locked whether other processes are kept out; other threads are
         */
        T run(boolean locked) throws IOException;
    }

    /** Runs a section, after waiting for the lock as long as the patience lasts. */
    <T> T run(Section<T> section) throws IOException {
        threads.lock();
        try {
            StoreFiles.SharedCounter acquired = counter != null && acquire(counter) ? counter : null;
            try {
                return section.run(acquired != null);
            } finally {
                if (acquired != null) {
                    acquired.release();
                }
            }
        } finally {
            threads.unlock();
        }
    }

    private boolean acquire(StoreFiles.SharedCounter counter) throws IOException {
        long deadline = System.nanoTime() + (lostPatience ? 0 : patienceNanos);
        lostPatience = true;
        while (!counter.tryAcquire()) {
            if (System.nanoTime() - deadline >= 0) {
                observer.patienceLost("lock");
                return false;
            }
            // Nothing but asking again tells that another process has let go.
            LockSupport.parkNanos(POLL_NANOS);
        }
        lostPatience = false;
        return true;
    }

    /** Returns the numbers that the lock protects; in a section that has it. */
    StoreFiles.SharedCounter counter() {
        return Objects.requireNonNull(counter, "nobody has the lock of a folder that takes no file");
    }

    @Override
    public void close() throws IOException {
        if (counter != null) {
            counter.close();
        }
    }
}
