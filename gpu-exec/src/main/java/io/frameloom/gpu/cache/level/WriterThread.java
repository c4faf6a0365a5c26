package io.frameloom.gpu.cache.level;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A thread that writes to disk, since most of that is waiting: a worker that waits compiles nothing meanwhile, and the
 * machine may have one for the background only. There is a thread while there is something to write. Any thread.
 */
public final class WriterThread implements WriteQueue.Writer {
    private static final long IDLE_SECONDS = 1;

    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), WriterThread::thread);

    public WriterThread() {
        executor.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "frameloom-program-cache", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    @Override
    public void start(Runnable work) {
        try {
            executor.execute(work);
        } catch (RejectedExecutionException e) {
            // Closing the cache writes what is left.
            return;
        }
    }

    /** Waits until the thread is through with what it was given. */
    @Override
    public void close() {
        executor.shutdown();
        Uninterrupted.run(this::awaitEnd);
    }

    private void awaitEnd() {
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                ended = executor.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
