package io.frameloom.rdg.options;

import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.CompilePhase;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.RdgListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes what it receives to the platform's log. */
public final class LoggingListener implements RdgListener {
    public static final RdgListener INSTANCE = new LoggingListener();

    private final System.Logger log = System.getLogger("io.frameloom.rdg");

    @Override
    public void reached(Breakpoint moment, String graph, String subject) {
        log.log(System.Logger.Level.WARNING, "breakpoint {0}: graph ''{1}'', ''{2}''", moment, graph, subject);
    }

    @Override
    public void transition(String graph, String line) {
        log.log(System.Logger.Level.INFO, "graph ''{0}'': {1}", graph, line);
    }

    @Override
    public void warned(String graph, PlanWarning warning) {
        String sites = warning.sites().isEmpty() ? "" : " (" + String.join("; ", warning.sites()) + ")";
        log.log(System.Logger.Level.WARNING, "graph ''{0}'': {1}{2}", graph, warning.message(), sites);
    }

    @Override
    public void compileTimes(String graph, Map<CompilePhase, Long> nanos) {
        String phases = nanos.entrySet().stream()
                .map(phase -> String.format(
                        Locale.ROOT,
                        "%s %.3f",
                        phase.getKey().name().toLowerCase(Locale.ROOT),
                        phase.getValue() * 1e-6))
                .collect(Collectors.joining(", "));
        log.log(System.Logger.Level.INFO, "graph ''{0}'' was compiled, in milliseconds: {1}", graph, phases);
    }

    @Override
    public void notCaptured(Capture capture, String hint) {
        log.log(
                System.Logger.Level.WARNING,
                "''{0}'' was not captured: no graph had such a texture, {1}",
                capture,
                hint);
    }

    @Override
    public void notWritten(Path file, String message, IOException cause) {
        log.log(System.Logger.Level.ERROR, message, cause);
    }

    @Override
    public void notImmediate(String graph, String message) {
        log.log(System.Logger.Level.WARNING, message);
    }

    @Override
    public void notSetUp(String graph, String message) {
        log.log(System.Logger.Level.WARNING, message);
    }
}
