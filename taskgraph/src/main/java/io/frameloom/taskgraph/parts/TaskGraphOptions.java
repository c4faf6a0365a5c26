package io.frameloom.taskgraph.parts;

import io.frameloom.taskgraph.FailureHandler;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.StallListener;
import io.frameloom.taskgraph.TaskObserver;
import io.frameloom.taskgraph.ThreadScheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of one graph, fixed at creation.
 *
 * @param name name of the graph, prefix of its thread names
 * @param workers number of workers, at least 1
 * @param spareWorkers threads that may stand in for workers in blocking regions, 0 or more
 * @param reservedWorkers workers that BACKGROUND work may not occupy, in {@code [0, workers)}
 * @param observer the observer, or null
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
}
