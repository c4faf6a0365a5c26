package io.frameloom.samples.demo;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C: while this is open, the end of the JVM first asks the demo to stop and waits until it has cleaned up. Any
 * thread may ask; one thread opens and closes.
 */
final class StopSignal implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stopAndWait, "frameloom stop");
    private volatile boolean requested;

    private StopSignal() {}

    static StopSignal open() {
        StopSignal signal = new StopSignal();
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    /** Returns whether the demo is to stop. */
    boolean requested() {
        return requested;
    }

    private void stopAndWait() {
        requested = true;
        try {
            if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("frameloom: the demo has not stopped within " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the JVM end. */
    @Override
    public void close() {
        finished.countDown();
        if (!requested) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The JVM has begun to end in this moment; the hook runs and finds the latch open.
                requested = true;
            }
        }
    }
}
