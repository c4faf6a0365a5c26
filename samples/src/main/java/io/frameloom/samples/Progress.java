package io.frameloom.samples;

import java.io.PrintWriter;

/**
 * A bar on one line, on a terminal only: the launcher says so by the system property {@code frameloom.tty}. One thread.
 */
public final class Progress implements AutoCloseable {
    private static final long INTERVAL_NANOS = 100_000_000;
    private static final int WIDTH = 30;

    private final PrintWriter out;
    private final long total;
    private final Words words;
    private final boolean terminal = Boolean.getBoolean("frameloom.tty");
    private final long start = System.nanoTime();
    private long shown = start - INTERVAL_NANOS;

    /** What stands behind the bar. */
    @FunctionalInterface
    public interface Words {
        /** Returns the words, the same in every locale. */
        String of(long done, double perSecond);
    }

    /** Shows nothing until the first update. */
    public Progress(PrintWriter out, long total, Words words) {
        this.out = out;
        this.total = Math.max(1, total);
        this.words = words;
    }

    /** Shows how much is done, unless that was shown a moment ago. */
    public void update(long done) {
        long now = System.nanoTime();
        if (terminal && now - shown >= INTERVAL_NANOS) {
            shown = now;
            double seconds = Math.max(1e-9, (now - start) * 1e-9);
            int bar = (int) (WIDTH * Math.min(1.0, (double) done / total));
            out.print("\r[" + "#".repeat(bar) + "-".repeat(WIDTH - bar) + "] " + words.of(done, done / seconds) + " ");
            out.flush();
        }
    }

    /** Removes the line. */
    @Override
    public void close() {
        if (terminal) {
            out.print("\r\033[K");
            out.flush();
        }
    }
}
