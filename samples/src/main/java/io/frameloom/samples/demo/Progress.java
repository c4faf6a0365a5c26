package io.frameloom.samples.demo;

import java.io.PrintWriter;
import java.util.Locale;

/**
 * A line that counts frames, on a terminal only: the launcher says so by the system property {@code frameloom.tty}. One
 * thread.
 */
final class Progress implements AutoCloseable {
    private static final long INTERVAL_NANOS = 100_000_000;

    private final PrintWriter out;
    private final int frames;
    private final boolean terminal = Boolean.getBoolean("frameloom.tty");
    private final long start = System.nanoTime();
    private long shown = start - INTERVAL_NANOS;

    Progress(PrintWriter out, int frames) {
        this.out = out;
        this.frames = frames;
    }

    void update(long done) {
        long now = System.nanoTime();
        if (terminal && now - shown >= INTERVAL_NANOS) {
            shown = now;
            double seconds = Math.max(1e-9, (now - start) * 1e-9);
            int bar = (int) (30 * done / frames);
            out.printf(
                    Locale.ROOT,
                    "\r[%s%s] frame %d of %d, %.1f frames/s ",
                    "#".repeat(bar),
                    "-".repeat(30 - bar),
                    done,
                    frames,
                    done / seconds);
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
