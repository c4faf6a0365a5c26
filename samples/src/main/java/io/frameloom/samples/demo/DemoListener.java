package io.frameloom.samples.demo;

import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.RdgListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Keeps what was not captured for the end; the rest goes to the log. Any thread. */
final class DemoListener implements RdgListener {
    private final Consumer<String> say;
    private final List<String> notCaptured = new CopyOnWriteArrayList<>();

    /** A listener that says what warns the user. */
    DemoListener(Consumer<String> say) {
        this.say = say;
    }

    @Override
    public void reached(Breakpoint moment, String graph, String subject) {
        RdgListener.logging().reached(moment, graph, subject);
    }

    @Override
    public void transition(String graph, String line) {
        RdgListener.logging().transition(graph, line);
    }

    @Override
    public void warned(String graph, PlanWarning warning) {
        say.accept("frameloom demo: " + warning.message());
    }

    @Override
    public void notCaptured(Capture capture, String hint) {
        notCaptured.add(
                "system property frameloom.rdg.capture: no graph had the texture of '" + capture + "', " + hint);
    }

    /** The exit code reports it to the caller that asked for the files. */
    @Override
    public void notWritten(Path file, String message, IOException cause) {
        throw new UncheckedIOException(message, cause);
    }

    /** Returns a line for each capture that no graph had a texture for. */
    List<String> notCaptured() {
        return List.copyOf(notCaptured);
    }
}
