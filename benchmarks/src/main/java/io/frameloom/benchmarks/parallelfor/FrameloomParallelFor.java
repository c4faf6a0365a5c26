package io.frameloom.benchmarks.parallelfor;

import io.frameloom.benchmarks.driver.Session;
import io.frameloom.benchmarks.placement.BoundWorkers;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.TaskGraph;

/** Ours: {@link TaskGraph#parallelFor} called inside a task, so that the caller is one of the workers. */
final class FrameloomParallelFor implements Session {
    /** Longs between the sums of two slots, so that they share no cache line. */
    private static final int STRIDE = 16;

    private final TaskGraph graph;
    private final Numbers numbers;
    private final int grain;
    private final long[] sums;

    FrameloomParallelFor(int workers, Numbers numbers, int grain) {
        graph = BoundWorkers.ifAsked(TaskGraph.builder()
                .name("parallel-for")
                .workers(workers)
                .idlePolicy(IdlePolicy.adaptive())
                .build());
        this.numbers = numbers;
        this.grain = grain;
        sums = new long[graph.slotCount() * STRIDE];
    }

    @Override
    public void run(int times) {
        graph.task("loop", () -> loop(times)).dispatch().await();
    }

    private void loop(int times) {
        for (int run = 0; run < times; run++) {
            graph.parallelFor("sum", numbers.values().length, grain, this::piece);
            long sum = 0;
            for (int slot = 0; slot < sums.length; slot += STRIDE) {
                sum += sums[slot];
                sums[slot] = 0;
            }
            numbers.check(sum);
        }
    }

    private void piece(int from, int to, int slot) {
        sums[slot * STRIDE] += numbers.sum(from, to);
    }

    @Override
    public void close() {
        graph.close();
    }
}
