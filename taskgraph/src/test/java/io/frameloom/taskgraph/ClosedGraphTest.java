package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** After close, what would need the graph is refused by name, and what needs nothing of it works on. */
@Timeout(60)
final class ClosedGraphTest {
    private final TaskGraph graph = TaskGraph.builder().name("g").workers(1).build();
    private final GraphEvent complete = graph.task("complete", () -> {}).dispatch();
    private final GraphEvent pending = graph.event("pending");
    private final GraphBuilder nodes = graph.graphBuilder("nodes");
    private final CompiledGraph compiled = nodes.build();
    private final HeldTask held = graph.task("held", () -> {}).hold();
    private final Pipe pipe = graph.pipe("pipe");
    private final TaskBuilder builder = graph.task("builder", () -> {});

    /** In the thread of the test, which stays attached. */
    private void close() {
        graph.attach(NamedThread.GAME);
        complete.await();
        graph.close();
    }

    private static void refused(ThrowingCallable call, String name) {
        assertThatThrownBy(call)
                .isInstanceOf(TaskGraphClosedException.class)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'" + name + "' was refused: task graph 'g' is closed");
    }

    @Test
    void whatIsNewIsRefused() {
        close();
        refused(builder.delay(Duration.ofDays(1))::dispatch, "builder");
        refused(builder::hold, "builder");
        refused(builder::fireAndForget, "builder");
        refused(graph.call("c", () -> 1)::dispatch, "c");
        refused(() -> graph.fork("fork", () -> {}), "fork");
        refused(() -> graph.group("group").fork("in group", () -> {}), "in group");
        refused(() -> graph.event("e"), "e");
        refused(() -> graph.whenAll("all"), "all");
        refused(() -> graph.whenAny("any", pending), "any");
        refused(() -> graph.delay("d", Duration.ofDays(1)), "d");
        refused(() -> graph.fromFuture("f", new CompletableFuture<>()), "f");
        refused(() -> graph.broadcast("b", () -> {}), "b");
        refused(() -> graph.pipe("p"), "p");
        refused(pipe::whenIdle, "pipe idle");
        refused(() -> graph.limiter("l", 1), "l");
        refused(() -> graph.graphBuilder("n"), "n");
        refused(nodes::build, "nodes");
        refused(compiled::run, "nodes");
        refused(compiled::execute, "nodes");
        refused(() -> graph.start(NamedThread.RENDER), "RENDER");
        refused(() -> graph.attach(NamedThread.RENDER), "RENDER");
        refused(() -> graph.parallelFor("loop", 1, 1, (from, to, slot) -> {}), "loop");
        refused(() -> graph.parallelReduce("reduction", 1, 1, 0, (from, to) -> 1, Integer::sum), "reduction");
        refused(() -> graph.parallelScanToLong("scan", 1, 1, 0, (from, to, sum, write) -> sum, Long::sum), "scan");
        assertThatThrownBy(() -> graph.asExecutor(WorkerLevel.HIGH).execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("'g'");
    }

    @Test
    void whatIsThereWorksOn() {
        close();
        complete.await();
        assertThat(complete.await(Duration.ofDays(1))).isTrue();
        graph.awaitAll(complete);
        assertThat(complete.toCompletableFuture()).isCompleted();
        compiled.event().await();
        compiled.event().asEvent().await();
        assertThatThrownBy(pending::await).hasCauseInstanceOf(TaskGraphClosedException.class);
        pending.trigger();
        held.release();
        assertThat(pipe.isIdle()).isTrue();
        assertThat(graph.processUntilIdle(NamedThread.GAME)).isZero();
        graph.requestReturn(NamedThread.GAME);
        graph.processUntilReturnRequested(NamedThread.GAME);
        graph.detach(NamedThread.GAME);
        graph.beginFrame().close();
        graph.beginBlocking("r").close();
        assertThat(graph.describeWaits()).contains("(closed)");
        assertThat(complete.explain().steps()).isEmpty();
        graph.close();
    }

    @Test
    void aTaskThatRunsDuringTheClosingMayMakeEvents() {
        close();
        TaskGraph other = TaskGraph.builder().workers(1).build();
        GraphEvent closer = other.task("closer", () -> {
                    other.close();
                    GraphEvent made = other.event("made");
                    made.trigger();
                    assertThat(made.isComplete()).isTrue();
                    assertThatThrownBy(other.event("forgotten")::await)
                            .hasCauseInstanceOf(TaskGraphClosedException.class);
                    assertThatThrownBy(() -> other.pipe("p")).isInstanceOf(TaskGraphClosedException.class);
                })
                .dispatch();
        closer.await();
        other.close();
    }
}
