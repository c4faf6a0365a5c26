package io.frameloom.benchmarks.hop;

/** Joining a helper thread of a benchmark. */
final class Threads {
    private Threads() {}

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + thread.getName() + " ended", stopped);
        }
    }
}
