package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages call a task a task, an event an event and a broadcast a broadcast. */
@Timeout(60)
final class FailureMessagesTest {
    private final TaskGraph graph = TaskGraph.builder().name("g").workers(1).build();

    @AfterEach
    void close() {
        graph.close();
    }

    private static void fails(ThrowingCallable call, String message) {
        assertThatThrownBy(call).hasMessageContaining(message);
    }

    @Test
    void whatFailedIsCalledWhatItIs() {
        TaskBody torn = () -> {
            throw new IOException("torn");
        };
        GraphEvent task = graph.task("t", torn).dispatch();
        GraphEvent manual = graph.event("m");
        manual.fail(new IOException("cut"));
        GraphEvent broadcast = graph.broadcast("b", torn);
        fails(task::await, "task 't' failed");
        fails(manual::await, "event 'm' failed: java.io.IOException: cut");
        fails(graph.whenAll("all", manual)::await, "event 'all' failed");
        fails(graph.whenAny("any", manual)::await, "event 'any' failed");
        fails(graph.fromFuture("f", CompletableFuture.failedFuture(new IOException("x")))::await, "event 'f' failed");
        fails(broadcast::await, "broadcast 'b' failed");
        fails(() -> graph.awaitAll(manual), "event 'm' failed");
        fails(() -> graph.awaitAll(broadcast), "broadcast 'b' failed");
        fails(
                () -> graph.parallelFor("loop", 1, 1, (from, to, slot) -> {
                    throw new IllegalStateException("x");
                }),
                "parallelFor 'loop' failed");
    }

    @Test
    void whatBelongsElsewhereIsCalledWhatItIs() {
        try (TaskGraph other = TaskGraph.builder().name("o").workers(1).build()) {
            GraphEvent foreign = other.task("foreign", () -> {}).dispatch();
            fails(() -> graph.whenAll("all", foreign), "task 'foreign', given as a prerequisite of event 'all'");
            fails(() -> graph.task("t", () -> {}).after(foreign), "given as a prerequisite of task 't'");
            fails(() -> graph.broadcast("b", () -> {}, foreign), "given as a prerequisite of broadcast 'b'");
            fails(() -> graph.whenAny("any", foreign), "given as an alternative of event 'any'");
            fails(() -> graph.event("m").dontCompleteUntil(foreign), "given as dontCompleteUntil of event 'm'");
        }
    }

    @Test
    void anEventThatIsToWaitForItselfIsToldSo() {
        GraphEvent manual = graph.event("m");
        fails(
                () -> manual.dontCompleteUntil(manual),
                "event 'm' cannot wait for its own completion; give dontCompleteUntil another event");
        GraphEvent behind = graph.task("behind", () -> {}).after(manual).dispatch();
        fails(
                () -> manual.dontCompleteUntil(behind),
                "event 'm' cannot wait for task 'behind' to complete: that one waits for 'm'");
    }

    @Test
    void whatCompletesByItselfIsCalledWhatItIs() {
        GraphEvent manual = graph.event("m");
        fails(graph.whenAll("all", manual)::trigger, "event 'all' completes by itself");
        fails(graph.delay("later", Duration.ofDays(1))::trigger, "event 'later' completes by itself");
        fails(graph.broadcast("b", () -> {}, manual)::trigger, "broadcast 'b' completes by itself");
        GraphEvent all = graph.whenAll("all", manual);
        fails(() -> all.dontCompleteUntil(graph.event("x")), "dontCompleteUntil of event 'all' is not possible");
        fails(() -> graph.delay("d", Duration.ofNanos(-1)), "event 'd': delay must not be negative");
        fails(() -> graph.task("t", () -> {}).delay(Duration.ofNanos(-1)), "task 't': delay must not be negative");
    }
}
