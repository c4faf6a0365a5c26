package io.frameloom.taskgraph;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The default receiver of reports of long waits: a warning in the log of the platform. Threads that one thing holds up are
 * one warning, by the first of them.
 */
final class LoggingStallListener implements StallListener {
    private final System.Logger log;
    private final String graph;
    /** When what holds something up was logged; entries that are too old to matter go. */
    private final Map<String, Long> logged = new HashMap<>();

    LoggingStallListener(String graph, System.Logger log) {
        this.graph = graph;
        this.log = log;
    }

    @Override
    public void stalled(Thread waiting, Duration waited, StallExplanation explanation) {
        if (isNew(explanation.cause(), waited.toNanos() / 2)) {
            log.log(
                    System.Logger.Level.WARNING,
                    "thread " + waiting.getName() + " has waited for " + waited.toMillis() + " ms in task graph '"
                            + graph + "': " + explanation);
        }
    }

    private synchronized boolean isNew(String cause, long recentNanos) {
        long now = System.nanoTime();
        logged.values().removeIf(at -> now - at >= recentNanos);
        return logged.putIfAbsent(cause, now) == null;
    }
}
