package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.Waiter;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** whenAny: winner, failures, waits, close, and what it leaves behind. */
@Timeout(60)
final class AnyEventTest {
    @Test
    void theFirstSuccessWinsAndTheRestChangesNothing() {
        try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
            GraphEvent a = graph.event("a");
            GraphEvent b = graph.event("b");
            GraphEvent c = graph.event("c");
            AnyEvent any = graph.whenAny("any", a, b, c);
            AtomicInteger ran = new AtomicInteger();
            GraphEvent behind = graph.task("behind", ran::incrementAndGet)
                    .after(any.event())
                    .dispatch();
            assertThat(any.winnerIndex()).isEqualTo(-1);
            assertThat(any.winner()).isNull();
            assertThat(any.await(Duration.ofNanos(1))).isFalse();
            a.fail(new IllegalStateException("a failed"));
            assertThat(any.event().isComplete()).isFalse();
            c.trigger();
            assertThat(any.await()).isEqualTo(2);
            b.trigger();
            behind.await();
            assertThat(any.winnerIndex()).isEqualTo(2);
            assertThat(any.winner()).isSameAs(c);
            assertThat(ran).hasValue(1);
            assertThat(any).hasToString("AnyEvent[any, winner 2]");
        }
    }

    @Test
    void allFailuresAreReportedInArgumentOrder() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent a = graph.event("a");
            GraphEvent b = graph.event("b");
            AnyEvent any = graph.whenAny("any", a, null, b);
            IllegalStateException second = new IllegalStateException("second");
            b.fail(second);
            a.fail(new IllegalStateException("first"));
            assertThatThrownBy(any::await).isInstanceOf(TaskFailedException.class);
            assertThat(any.event().failure())
                    .isInstanceOf(PrerequisiteFailedException.class)
                    .hasMessageContaining("'any'")
                    .hasMessageContaining("'a'")
                    .hasRootCauseMessage("first")
                    .hasSuppressedException(second);
            assertThat(any.winnerIndex()).isEqualTo(-1);
            assertThat(any.winner()).isNull();
        }
    }

    @Test
    void completeAndDuplicateEventsAndNullEntries() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent done = graph.whenAll("done");
            GraphEvent pending = graph.event("pending");
            AnyEvent any = graph.whenAny("any", null, pending, done);
            assertThat(any.event().isComplete()).isTrue();
            assertThat(any.winnerIndex()).isEqualTo(2);
            GraphEvent failed = graph.event("failed");
            failed.fail(new IllegalStateException("x"));
            assertThat(graph.whenAny("twice", failed, failed).event().isFailed())
                    .isTrue();
        }
    }

    /** The only worker waits: it must run the candidates, and must not mind that one of them needs itself. */
    @Test
    void aWaitingWorkerRunsACandidate() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent[] self = new GraphEvent[1];
            AtomicInteger won = new AtomicInteger(-1);
            HeldTask held = graph.task("self", () -> {
                        GraphEvent behindSelf =
                                graph.task("a", () -> {}).after(self[0]).dispatch();
                        GraphEvent free = graph.task("b", () -> {}).dispatch();
                        won.set(graph.whenAny("any", behindSelf, free).await());
                    })
                    .hold();
            self[0] = held.event();
            held.release();
            self[0].await();
            assertThat(won).hasValue(1);
        }
    }

    @Test
    void closeFailsItOnlyIfNoCandidateSucceeds() {
        TaskGraph graph = TaskGraph.builder().workers(1).build();
        AnyEvent hopeless = graph.whenAny("hopeless", graph.event("a"), graph.event("b"));
        GraphEvent queued = graph.task("queued", () -> {}).dispatch();
        AnyEvent hopeful = graph.whenAny("hopeful", graph.event("c"), queued);
        graph.close();
        assertThat(hopeless.event().failure()).hasCauseInstanceOf(TaskGraphClosedException.class);
        assertThat(hopeful.winnerIndex()).isEqualTo(1);
        assertThatThrownBy(() -> graph.whenAny("late", queued)).isInstanceOf(TaskGraphClosedException.class);
    }

    /** What a loser keeps must not keep the event, the winner, or what waits for them. */
    @Test
    @SuppressWarnings("SystemRunFinalization")
    void aLoserThatNeverCompletesKeepsNothingOfTheRace() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent never = graph.event("never");
            WeakReference<GraphEvent> race = finishedRace(graph, never);
            while (race.get() != null) {
                System.gc();
            }
            assertThat(never.isComplete()).isFalse();
        }
    }

    private static WeakReference<GraphEvent> finishedRace(TaskGraph graph, GraphEvent never) {
        GraphEvent winner = graph.event("winner");
        AnyEvent any = graph.whenAny("any", never, winner);
        winner.trigger();
        assertThat(any.winnerIndex()).isEqualTo(1);
        return new WeakReference<>(any.event());
    }

    @Test
    void anEventThatLosesRaceAfterRaceKeepsOneRegistration() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent never = graph.event("never");
            for (int i = 0; i < 1_000; i++) {
                GraphEvent frame = graph.event("frame");
                AnyEvent any = graph.whenAny("any", frame, never);
                assertThat(never.await(Duration.ofNanos(1))).isFalse();
                frame.trigger();
                assertThat(any.winnerIndex()).isEqualTo(0);
            }
            // One for the race and one for the wait, which were there at the same time.
            Object[] registered = {((CoreEvent) never).complete(), ((CoreEvent) never).takeSecond()};
            assertThat(registered).hasOnlyElementsOfType(Waiter.class).doesNotContainNull();
        }
    }

    @Test
    void aReusedRegistrationWinsAtItsPlaceInTheRace() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent late = graph.event("late");
            GraphEvent early = graph.event("early");
            graph.whenAny("first", late, early);
            early.trigger();
            AnyEvent second = graph.whenAny("second", graph.event("never"), null, late);
            late.trigger();
            assertThat(second.await()).isEqualTo(2);
            assertThat(second.winner()).isSameAs(late);
        }
    }

    /** A registration of an earlier race is reused while the event completes. */
    @Test
    void aReusedRegistrationIsNotPassedByTheCompletion() {
        Schedules.explore(54, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent event = spareAt(graph);
                graph.task("trigger", event::trigger).fireAndForget();
                assertThat(graph.whenAny("any", event, graph.event("never")).await())
                        .isEqualTo(0);
            }
        });
    }

    /** The completion and who reuses a registration both find the failure, which counts once. */
    @Test
    void aFailureCountsOnceForAReusedRegistration() {
        Schedules.explore(55, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent event = spareAt(graph);
                GraphEvent failing = graph.task("fail", () -> event.fail(new IllegalStateException("planted")))
                        .dispatch();
                GraphEvent other = graph.event("other");
                AnyEvent any = graph.whenAny("any", event, other);
                failing.await();
                assertThat(any.event().isComplete()).isFalse();
                other.trigger();
                assertThat(any.await()).isEqualTo(1);
            }
        });
    }

    /** A race that is over before all events have entered leaves no registration that is not reused. */
    @Test
    void aRaceThatEndsWhileEventsEnterGivesBackWhatItRegistered() {
        Schedules.explore(56, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                GraphEvent event = spareAt(graph);
                GraphEvent first = graph.event("first");
                GraphEvent trigger = graph.task("trigger", first::trigger).dispatch();
                AnyEvent any = graph.whenAny("any", first, event);
                assertThat(any.await()).isEqualTo(0);
                trigger.await();
                assertThat(((CoreEvent) event).takeSpare()).isNotNull();
            }
        });
    }

    private static GraphEvent spareAt(TaskGraph graph) {
        GraphEvent event = graph.event("event");
        GraphEvent winner = graph.event("winner");
        graph.whenAny("before", event, winner);
        winner.trigger();
        return event;
    }

    @Test
    @NullUnmarked
    @SuppressWarnings("NullAway")
    void badInput() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build();
                TaskGraph other = TaskGraph.builder().workers(1).build()) {
            assertThatThrownBy(() -> graph.whenAny("none"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'none'");
            assertThatThrownBy(() -> graph.whenAny("nulls", null, null)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> graph.whenAny("any", (GraphEvent[]) null))
                    .isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> graph.whenAny(" ", graph.event("e"))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> graph.whenAny("any", other.event("foreign")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'foreign'");
            AnyEvent any = graph.whenAny("any", graph.event("e"));
            assertThatThrownBy(() -> any.event().trigger())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'any'");
        }
    }
}
