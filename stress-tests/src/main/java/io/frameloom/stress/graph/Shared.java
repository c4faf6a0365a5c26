package io.frameloom.stress.graph;

import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What all states of a test share, because jcstress makes states by the ten thousand: one graph with one
 * worker, and named threads that are handed out in turn. An arbiter leaves its named thread detached and
 * with empty queues.
 */
final class Shared {
    /** Its events fail on purpose, and not every test looks at them. */
    static final TaskGraph GRAPH = TaskGraph.builder()
            .name("stress")
            .workers(1)
            .uncaughtHandler((task, failure) -> {})
            .build();

    /** Longer than any disturbance: running into it is a lost wake-up. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** More than jcstress keeps states alive at a time (40 strides of 256). */
    private static final int LANES = 12_288;

    private static final AtomicInteger NEXT = new AtomicInteger();

    private Shared() {}

    static NamedThread lane() {
        return NamedThread.of("LANE" + Math.floorMod(NEXT.getAndIncrement(), LANES));
    }
}
