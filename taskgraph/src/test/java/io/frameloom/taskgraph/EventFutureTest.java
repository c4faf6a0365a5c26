package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.waiting.EventFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A future that the body of a task fulfils. */
final class EventFutureTest {
    /** As the readback of a frame: its last task runs whatever fails before it, but not after the graph was closed. */
    @Test
    void failsWithATaskThatNeverRuns() {
        TaskGraph graph = TaskGraph.builder()
                .workers(1)
                .uncaughtHandler((task, failure) -> {})
                .build();
        AtomicBoolean ran = new AtomicBoolean();
        GraphEvent last = graph.task("last", () -> ran.set(true))
                .after(graph.event("never triggered"))
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .dispatch();
        EventFuture<Integer> joined = new EventFuture<>(() -> last);
        EventFuture<Integer> got = new EventFuture<>(() -> last);
        graph.close();
        assertThat(ran).isFalse();
        assertThatThrownBy(joined::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(TaskGraphClosedException.class);
        assertThatThrownBy(got::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TaskGraphClosedException.class);
    }
}
