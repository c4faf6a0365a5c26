package io.frameloom.taskgraph.parts;

import io.frameloom.taskgraph.StallExplanation;
import io.frameloom.taskgraph.StallListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The default receiver of reports of long waits: a warning in the log of the platform. The first of the threads that
 * one thing holds up gives the one warning for all.
 */
public final class LoggingStallListener implements StallListener {
    private final System.Logger log;
    private final String graph;
    /** Until when a cause is not logged again; entries that are over go. */
    private final Map<String, Long> quietUntil = new HashMap<>();

    public LoggingStallListener(String graph, System.Logger log) {
        this.graph = graph;
        this.log = log;
    }

    @Override
    public void stalled(Thread waiting, Duration waited, StallExplanation explanation) {
        if (isNew(cause(explanation), waited.toNanos())) {
            log.log(
                    System.Logger.Level.WARNING,
                    "thread " + waiting.getName() + " has waited for " + waited.toMillis() + " ms in task graph '"
                            + graph + "': " + explanation);
        }
    }

    /** What holds everything up, in the same words for all that wait for it. */
    private static String cause(StallExplanation explanation) {
        if (explanation.isCycle()) {
            return explanation.cycle().stream()
                    .map(StallExplanation.Step::name)
                    .sorted()
                    .toList()
                    .toString();
        }
        StallExplanation.Step last = explanation.steps().get(explanation.steps().size() - 1);
        return last.name() + ' ' + last.state();
    }

    /** The next report of the same wait comes after twice the time. */
    private synchronized boolean isNew(String cause, long waitedNanos) {
        long now = System.nanoTime();
        quietUntil.values().removeIf(until -> until - now <= 0);
        return quietUntil.putIfAbsent(cause, now + waitedNanos) == null;
    }
}
