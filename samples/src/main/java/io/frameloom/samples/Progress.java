package io.frameloom.samples;

import java.io.PrintWriter;

/**
 * A bar or a count on one line, on a terminal only: the launcher says so by the system property {@code frameloom.tty}.
 * One thread at a time.
 */
public final class Progress implements AutoCloseable {
    private static final long INTERVAL_NANOS = 100_000_000;
    private static final int WIDTH = 30;
    private static final long UNKNOWN = 0;

    private final PrintWriter out;
    private final long total;
    private final Words words;
    private final boolean terminal = Boolean.getBoolean("frameloom.tty");
    private final long start = System.nanoTime();
    private long shown = start - INTERVAL_NANOS;
    private boolean drawn;

    /** What stands after the bar. */
    @FunctionalInterface
    public interface Words {
        /** Returns the words, the same in every locale. */
        String of(long done, double perSecond);
    }

    /** Shows nothing until the first update. */
    public Progress(PrintWriter out, long total, Words words) {
        this(out, words, Math.max(1, total));
    }

    private Progress(PrintWriter out, Words words, long total) {
        this.out = out;
        this.total = total;
        this.words = words;
    }

    /** Shows the words without a bar, for work whose end is not known. */
    public static Progress counting(PrintWriter out, Words words) {
        return new Progress(out, words, UNKNOWN);
    }

    /** Shows how much is done, unless that was shown a moment ago. */
    public void update(long done) {
        long now = System.nanoTime();
        if (terminal && now - shown >= INTERVAL_NANOS) {
            shown = now;
            drawn = true;
            double seconds = Math.max(1e-9, (now - start) * 1e-9);
            out.print("\r" + bar(done) + words.of(done, done / seconds) + " ");
            out.flush();
        }
    }

    private String bar(long done) {
        if (total == UNKNOWN) {
            return "";
        }
        int bar = (int) (WIDTH * Math.min(1.0, (double) done / total));
        return "[" + "#".repeat(bar) + "-".repeat(WIDTH - bar) + "] ";
    }

    /** Removes the line, if there is one. */
    @Override
    public void close() {
        if (drawn) {
            out.print("\r\033[K");
            out.flush();
        }
    }
}
