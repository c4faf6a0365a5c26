package io.frameloom.benchmarks.gpu.queues;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Threads that begin the same thing at once. */
final class Crowd {
    private Crowd() {}

    /** What one of the threads does. */
    @FunctionalInterface
    interface Body {
        /** Runs on thread {@code number} of the crowd. */
        void run(int number);
    }

    /** Runs a body on some threads at once and returns the nanoseconds from their common start to the end of the last. */
    static long run(ExecutorService pool, int threads, Body body) {
        long[] begin = new long[1];
        CyclicBarrier start = new CyclicBarrier(threads, () -> begin[0] = System.nanoTime());
        List<Future<?>> all = new ArrayList<>(threads);
        for (int i = 0; i < threads; i++) {
            int number = i;
            all.add(pool.submit(() -> {
                start.await();
                body.run(number);
                return null;
            }));
        }
        try {
            for (Future<?> each : all) {
                each.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("a measurement was interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a thread of a measurement failed", e);
        }
        return System.nanoTime() - begin[0];
    }
}
