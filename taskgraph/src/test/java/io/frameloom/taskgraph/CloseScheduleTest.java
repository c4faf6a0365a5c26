package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Closing against everything else (races 24 and 25). That no thread stays behind and no waiter hangs needs no
 * assertion: the scheduler fails such a run.
 */
final class CloseScheduleTest {
    /** One accepted task: it runs or fails, not both, not neither. */
    private static final class Accepted {
        final GraphEvent event;
        final int[] ran;

        Accepted(TaskGraph graph, String name, ExecutionTarget target) {
            int[] count = new int[1];
            ran = count;
            event = graph.task(name, () -> count[0]++).on(target).dispatch();
        }

        void check() {
            assertThat(event.isComplete()).as(event.name()).isTrue();
            assertThat(ran[0]).as(event.name()).isEqualTo(event.isFailed() ? 0 : 1);
            if (event.isFailed()) {
                assertThat(event.failure()).isInstanceOf(TaskGraphClosedException.class);
            }
        }
    }

    private static void submit(
            DeterministicScheduler scheduler, TaskGraph graph, List<Accepted> accepted, ExecutionTarget... targets) {
        try {
            for (ExecutionTarget target : targets) {
                accepted.add(new Accepted(graph, "on " + target, target));
                scheduler.point("next");
            }
        } catch (TaskGraphClosedException e) {
            assertThat(e).hasMessageContaining("refused");
        }
    }

    @Test
    void acceptedWorkForWorkersRunsOrFails() {
        Schedules.explore(51, scheduler -> {
            List<Accepted> accepted = new ArrayList<>();
            TaskGraph graph = Schedules.graph(scheduler, 1);
            Thread submitter = scheduler.thread(
                    "submitter", () -> submit(scheduler, graph, accepted, WorkerLevel.NORMAL, WorkerLevel.BACKGROUND));
            graph.close();
            scheduler.join(submitter);
            accepted.forEach(Accepted::check);
        });
    }

    @Test
    void acceptedWorkForNamedThreadsRunsOrFails() {
        Schedules.explore(52, scheduler -> {
            List<Accepted> accepted = new ArrayList<>();
            TaskGraph graph = Schedules.graph(scheduler, 1);
            graph.start(NamedThread.RENDER);
            Thread submitter = scheduler.thread(
                    "submitter", () -> submit(scheduler, graph, accepted, NamedThread.RENDER, NamedThread.RHI));
            graph.close();
            scheduler.join(submitter);
            accepted.forEach(Accepted::check);
        });
    }

    @Test
    void whateverIsWaitedForFailsWhenNobodyCanBringItAbout() {
        Schedules.explore(53, scheduler -> {
            TaskGraph graph = Schedules.graph(scheduler, 1);
            GraphEvent never = graph.event("never");
            HeldTask held = graph.task("held", () -> {}).hold();
            GraphEvent blocked = graph.task("blocked", never::await).dispatch();
            List<String> seen = new ArrayList<>();
            Thread foreign = scheduler.thread("foreign", () -> {
                try {
                    held.event().await();
                } catch (TaskFailedException e) {
                    assertThat(e).hasRootCauseInstanceOf(TaskGraphClosedException.class);
                    seen.add("failed");
                }
            });
            graph.close();
            scheduler.join(foreign);
            assertThat(seen).containsExactly("failed");
            assertThat(never.isFailed()).isTrue();
            assertThat(blocked.isFailed()).isTrue();
        });
    }

    @Test
    void severalMayCloseAndATaskToo() {
        Schedules.explore(54, scheduler -> {
            TaskGraph graph = Schedules.graph(scheduler, 2);
            GraphEvent closer = graph.task("closer", graph::close).dispatch();
            Thread other = scheduler.thread("other", graph::close);
            graph.close();
            assertThat(closer.isComplete()).isTrue();
            scheduler.join(other);
        });
    }

    @Test
    void aPumpEndsWithItsGraph() {
        Schedules.explore(55, scheduler -> {
            List<Accepted> accepted = new ArrayList<>();
            TaskGraph graph = Schedules.graph(scheduler, 1);
            Thread pump = scheduler.thread("pump", () -> {
                try {
                    graph.attach(NamedThread.GAME);
                } catch (TaskGraphClosedException e) {
                    return;
                }
                graph.processUntilReturnRequested(NamedThread.GAME);
                graph.detach(NamedThread.GAME);
            });
            Thread submitter = scheduler.thread(
                    "submitter", () -> submit(scheduler, graph, accepted, NamedThread.GAME, NamedThread.GAME.local()));
            graph.close();
            scheduler.join(submitter);
            scheduler.join(pump);
            accepted.forEach(Accepted::check);
        });
    }

    @Test
    void aNamedThreadThatStartsMeanwhileEndsToo() {
        Schedules.explore(56, scheduler -> {
            TaskGraph graph = Schedules.graph(scheduler, 1);
            Thread starter = scheduler.thread("starter", () -> {
                try {
                    graph.start(NamedThread.RENDER);
                } catch (TaskGraphClosedException e) {
                    assertThat(e).hasMessageContaining("closed");
                }
            });
            graph.close();
            scheduler.join(starter);
        });
    }

    @Test
    void whatBeginsToWaitMeanwhileFailsToo() {
        Schedules.explore(57, scheduler -> {
            TaskGraph graph = Schedules.graph(scheduler, 1);
            GraphEvent manual = graph.event("manual");
            List<GraphEvent> accepted = new ArrayList<>();
            Thread late = scheduler.thread("late", () -> {
                try {
                    accepted.add(graph.task("held", () -> {}).hold().event());
                    accepted.add(graph.task("behind", () -> {}).after(manual).dispatch());
                } catch (TaskGraphClosedException e) {
                    assertThat(e).hasMessageContaining("refused");
                }
            });
            Thread waiter = scheduler.thread("waiter", () -> {
                try {
                    manual.await();
                } catch (TaskFailedException e) {
                    assertThat(e).hasRootCauseInstanceOf(TaskGraphClosedException.class);
                }
            });
            graph.close();
            scheduler.join(late);
            scheduler.join(waiter);
            assertThat(accepted).allMatch(GraphEvent::isFailed);
        });
    }
}
