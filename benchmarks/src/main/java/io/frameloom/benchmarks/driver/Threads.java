package io.frameloom.benchmarks.driver;

/** Joining a helper thread of a benchmark. */
public final class Threads {
    private Threads() {}

    /** Waits for the thread to end. */
    public static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + thread.getName() + " ended", stopped);
        }
    }
}
