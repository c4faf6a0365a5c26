package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.worker.WorkerThread;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who helps with a parallelFor: what busy workers leave behind, and what a caller that fails waits for. */
@Timeout(60)
final class ParallelForHelpersTest {
    private static final int WORKERS = 2;

    private static CountDownLatch keepBusy(TaskGraph graph) throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(WORKERS);
        CountDownLatch free = new CountDownLatch(1);
        for (int i = 0; i < WORKERS; i++) {
            graph.task("busy", () -> {
                        busy.countDown();
                        free.await();
                    })
                    .fireAndForget();
        }
        busy.await();
        return free;
    }

    @Test
    void loopsThatEndWhileAllWorkersAreBusyLeaveNothingBehind() throws InterruptedException {
        try (TaskGraph graph = TaskGraph.builder().workers(WORKERS).build()) {
            CountDownLatch free = keepBusy(graph);
            List<WeakReference<RangeBody>> bodies = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                bodies.add(loop(graph));
            }
            assertThat(graph.parts.workers().queued(WorkerLevel.NORMAL)).isLessThanOrEqualTo(WORKERS);
            for (WeakReference<RangeBody> body : bodies) {
                while (body.get() != null) {
                    System.gc();
                }
            }
            free.countDown();
            meet(graph, WORKERS + 1);
        }
    }

    private static WeakReference<RangeBody> loop(TaskGraph graph) {
        AtomicInteger covered = new AtomicInteger();
        RangeBody body = (from, to, slot) -> covered.addAndGet(to - from);
        graph.parallelFor("alone", 16, 1, body);
        assertThat(covered).hasValue(16);
        return new WeakReference<>(body);
    }

    private static void meet(TaskGraph graph, int participants) {
        CyclicBarrier meeting = new CyclicBarrier(participants);
        graph.parallelFor("meet", participants, 1, (from, to, slot) -> await(meeting));
    }

    private static void await(CyclicBarrier meeting) {
        try {
            meeting.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** More loops want help than there are tickets; each needs its helper to come to an end. */
    @Test
    void everyLoopGetsItsHelperThoughTheTicketsAreFewer() throws InterruptedException {
        int loops = 2 * WORKERS + 1;
        try (TaskGraph graph = TaskGraph.builder().workers(WORKERS).build()) {
            CountDownLatch free = keepBusy(graph);
            CountDownLatch open = new CountDownLatch(loops);
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < loops; i++) {
                CyclicBarrier meeting = new CyclicBarrier(2);
                Thread caller = new Thread(() -> graph.parallelFor("pair", 2, 1, (from, to, slot) -> {
                    if (!(Thread.currentThread() instanceof WorkerThread)) {
                        open.countDown();
                    }
                    await(meeting);
                }));
                caller.setDaemon(true);
                caller.start();
                callers.add(caller);
            }
            open.await();
            free.countDown();
            for (Thread caller : callers) {
                caller.join();
            }
        }
    }

    /** A loop relies on the ticket of an earlier one, which a worker takes just then. */
    @Test
    void aLoopThatFindsATicketQueuedIsHelped() {
        Schedules.explore(53, scheduler -> {
            try (TaskGraph graph = Schedules.graph(scheduler, 1)) {
                for (int round = 0; round < 2; round++) {
                    graph.parallelFor("first", 2, 1, (from, to, slot) -> scheduler.point("piece"));
                    List<GraphEvent> arrivals = List.of(graph.event("caller"), graph.event("helper"));
                    graph.parallelFor("both", 2, 1, (from, to, slot) -> {
                        arrivals.get(from).trigger();
                        graph.awaitAll(arrivals.toArray(new GraphEvent[0]));
                    });
                }
            }
        });
    }
}
