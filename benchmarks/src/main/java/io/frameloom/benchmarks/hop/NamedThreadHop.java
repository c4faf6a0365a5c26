package io.frameloom.benchmarks.hop;

import io.frameloom.benchmarks.driver.LatencyProbe;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;

/**
 * Ours: a task on one named thread launches a task on the other, fire-and-forget, and so on. A hop is a
 * task allocated, enqueued, woken for, dequeued and run.
 */
final class NamedThreadHop implements LatencyProbe {
    private final NamedThread ping = NamedThread.of("PING");
    private final NamedThread pong = NamedThread.of("PONG");
    private final TaskBody there = this::there;
    private final TaskBody back = this::back;
    private final TaskGraph graph;
    private long[] roundTrips = new long[0];
    private int trips;
    private long last;

    NamedThreadHop(IdlePolicy idlePolicy) {
        graph = TaskGraph.builder()
                .name("hop")
                .workers(1)
                .idlePolicy(idlePolicy)
                .build();
        graph.start(pong);
    }

    @Override
    public String name() {
        return "frameloom-dynamic";
    }

    private void there() {
        graph.task("back", back).on(ping).fireAndForget();
    }

    private void back() {
        long now = System.nanoTime();
        roundTrips[trips++] = now - last;
        last = now;
        if (trips < roundTrips.length) {
            graph.task("there", there).on(pong).fireAndForget();
        } else {
            graph.requestReturn(ping);
        }
    }

    @Override
    public void run(long[] into) {
        roundTrips = into;
        trips = 0;
        graph.attach(ping);
        last = System.nanoTime();
        graph.task("there", there).on(pong).fireAndForget();
        graph.processUntilReturnRequested(ping);
        graph.detach(ping);
    }

    @Override
    public void close() {
        graph.close();
    }
}
