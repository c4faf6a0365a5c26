package io.frameloom.taskgraph.parts;

import io.frameloom.taskgraph.FailureHandler;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.StallListener;
import io.frameloom.taskgraph.TaskGraphPropertyException;
import io.frameloom.taskgraph.TaskObserver;
import io.frameloom.taskgraph.ThreadScheduler;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of one graph, fixed at creation.
 *
 * @param name name of the graph, prefix of its thread names
 * @param workers number of workers, at least 1
 * @param spareWorkers threads that may stand in for workers in blocking regions, 0 or more
 * @param reservedWorkers workers that BACKGROUND work may not occupy, in {@code [0, workers)}
 * @param observer the observer, or null
 * @param idlePolicy the idle policy
 * @param uncaughtHandler receiver of failures that no other code sees
 * @param stallLimit after which a wait is reported; zero if none is
 * @param stallListener receiver of those reports
 * @param priorityInheritance whether what something urgent waits for becomes as urgent
 * @param scheduler what controls the threads, or null for the operating system
 */
public record TaskGraphOptions(
        String name,
        int workers,
        int spareWorkers,
        int reservedWorkers,
        @Nullable TaskObserver observer,
        IdlePolicy idlePolicy,
        FailureHandler uncaughtHandler,
        Duration stallLimit,
        StallListener stallListener,
        boolean priorityInheritance,
        @Nullable ThreadScheduler scheduler) {

    /** The eventcount counts waiters in ten bits. */
    public static final int MAX_WORKERS = 1000;

    public static final String WORKERS_PROPERTY = "frameloom.taskgraph.workers";
    public static final String SPARES_PROPERTY = "frameloom.taskgraph.spareWorkers";
    public static final String RESERVED_PROPERTY = "frameloom.taskgraph.reservedWorkers";
    public static final String SPIN_PROPERTY = "frameloom.taskgraph.spinNanos";

    public static final String STALL_PROPERTY = "frameloom.taskgraph.stallMillis";

    public static final Set<String> PROPERTIES =
            Set.of(WORKERS_PROPERTY, SPARES_PROPERTY, RESERVED_PROPERTY, SPIN_PROPERTY, STALL_PROPERTY);

    /** The limit of waits that the property sets, or else the given one; zero if it turns reports off. */
    public static Duration stallLimit(Duration otherwise) {
        String text = System.getProperty(STALL_PROPERTY);
        if (text == null) {
            return otherwise;
        }
        return text.trim().equals("off")
                ? Duration.ZERO
                : Duration.ofMillis(intProperty(STALL_PROPERTY, 0, 0, Integer.MAX_VALUE));
    }

    public static int intProperty(String key, int otherwise, int min, int max) {
        String text = System.getProperty(key);
        if (text == null) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text.trim());
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new TaskGraphPropertyException(key, text, " is not a whole number in [" + min + ", " + max + "]", e);
        }
        throw new TaskGraphPropertyException(key, text, " is outside [" + min + ", " + max + "]", null);
    }
}
