package io.frameloom.benchmarks.contender;

import java.util.concurrent.CountDownLatch;

/** Waiting for a run to end, shared by the rivals. */
final class Latches {
    private Latches() {}

    static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
