package io.frameloom.samples.demo;

import io.frameloom.samples.Causes;
import io.frameloom.samples.Main;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C: while this is open, the end of the JVM first asks the command to stop and waits until it has cleaned up.
 * Any thread may ask; one thread opens and closes.
 */
public final class StopSignal implements AutoCloseable {
    /** Exit code of what was asked to stop. */
    public static final int INTERRUPTED = 130;

    private static final long PATIENCE_SECONDS = 60;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stopAndWait, "frameloom stop");
    private volatile boolean requested;

    private StopSignal() {}

    /** Work that ends early when it is asked to. */
    @FunctionalInterface
    public interface Work {
        /** Returns the exit code, {@link #INTERRUPTED} if it was asked to stop and so is not done. */
        int run(StopSignal stop) throws Exception;
    }

    /**
     * Does work that Ctrl-C may stop, which is then said in one line. A failure after that only ends the line: while a
     * JVM ends, libraries cannot begin.
     *
     * @param command begins the line
     * @return the exit code
     */
    public static int during(String command, Work work, PrintWriter err) throws Exception {
        try (StopSignal stop = open()) {
            int code;
            String failed = "";
            try {
                code = work.run(stop);
            } catch (Exception | Error failure) {
                if (!stop.requested()) {
                    throw failure;
                }
                code = INTERRUPTED;
                failed = ": " + Main.oneLine(Causes.innermost(failure).toString());
            }
            if (code == INTERRUPTED) {
                err.println(command + ": stopped before it was done" + failed);
            }
            return code;
        }
    }

    private static StopSignal open() {
        StopSignal signal = new StopSignal();
        try {
            Runtime.getRuntime().addShutdownHook(signal.hook);
        } catch (IllegalStateException e) {
            // The JVM has begun to end.
            signal.request();
        }
        return signal;
    }

    /** Returns whether the command is to stop. */
    public boolean requested() {
        return requested;
    }

    /** Asks the command to stop. */
    void request() {
        requested = true;
    }

    private void stopAndWait() {
        request();
        try {
            if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("frameloom: the command has not stopped within " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the JVM end. */
    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM has begun to end; the hook finds the latch open.
            request();
        }
    }
}
