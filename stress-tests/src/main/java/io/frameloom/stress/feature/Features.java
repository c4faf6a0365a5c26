package io.frameloom.stress.feature;

import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;

/** What all states of a test share, because jcstress makes states by the ten thousand: one graph with two workers. */
final class Features {
    /** Its events fail on purpose, and not every test looks at them. */
    static final TaskGraph GRAPH = TaskGraph.builder()
            .name("stress")
            .workers(2)
            .uncaughtHandler((task, failure) -> {})
            .build();

    /** Longer than any disturbance: running into it is a lost task. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private Features() {}
}
