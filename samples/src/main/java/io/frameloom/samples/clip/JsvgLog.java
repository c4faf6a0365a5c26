package io.frameloom.samples.clip;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Takes what JSVG logs while this is open, which is how it says why a file cannot be loaded, off standard error. */
final class JsvgLog extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("com.github.weisj.jsvg");
    private final boolean former = logger.getUseParentHandlers();
    private @Nullable String reason;

    private JsvgLog() {}

    static JsvgLog open() {
        JsvgLog log = new JsvgLog();
        log.logger.addHandler(log);
        log.logger.setUseParentHandlers(false);
        return log;
    }

    /** Returns the first line of why something failed, or that the reason is unknown. */
    String reason() {
        return reason == null ? "for a reason that is not told" : reason;
    }

    @Override
    public void publish(LogRecord message) {
        Throwable thrown = message.getThrown();
        if (reason == null && thrown != null) {
            reason = String.valueOf(thrown.getMessage()).lines().findFirst().orElse(thrown.toString());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.setUseParentHandlers(former);
        logger.removeHandler(this);
    }
}
