package io.frameloom.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * An X server without a screen (Xvfb) for tests that show windows; it chooses a display that is free. One thread at a
 * time.
 */
public final class XServer implements AutoCloseable {
    private static final int END_SECONDS = 20;

    private final Process process;
    private final String display;

    private XServer(Process process, String display) {
        this.process = process;
        this.display = display;
    }

    /**
     * Starts a server and waits until it takes connections.
     *
     * @throws TestAbortedException if Xvfb is not installed, so that the test counts as skipped and says why
     */
    public static XServer start() {
        Process process;
        try {
            process = new ProcessBuilder(
                            List.of("Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException absent) {
            throw new TestAbortedException(
                    "no X server to show windows on: install Xvfb (Debian's package xvfb); " + absent.getMessage(),
                    absent);
        }
        try {
            BufferedReader said = process.inputReader(StandardCharsets.US_ASCII);
            String number = said.readLine();
            if (number == null) {
                throw new IllegalStateException("Xvfb ended before it took connections");
            }
            return new XServer(process, ":" + number.trim());
        } catch (IOException | RuntimeException failure) {
            process.destroyForcibly();
            throw new IllegalStateException("Xvfb does not say which display it is", failure);
        }
    }

    /** Returns the display, such as {@code :1}. */
    public String display() {
        return display;
    }

    /** Ends the server. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
