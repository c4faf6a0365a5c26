package io.frameloom.benchmarks.forkjointree;

import io.frameloom.benchmarks.driver.Session;
import io.frameloom.benchmarks.placement.BoundWorkers;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;

/**
 * Ours: a task dispatches or forks its left part, does its right part itself and awaits the left one.
 */
final class FrameloomTree implements Session {
    private final TaskGraph graph;
    private final int depth;
    private final boolean forks;

    FrameloomTree(int workers, int depth, boolean forks) {
        graph = BoundWorkers.ifAsked(TaskGraph.builder()
                .name("forkjointree")
                .workers(workers)
                .idlePolicy(IdlePolicy.adaptive())
                .build());
        this.depth = depth;
        this.forks = forks;
    }

    @Override
    public void run(int times) {
        graph.task("loop", () -> loop(times)).dispatch().await();
    }

    private void loop(int times) {
        for (int run = 0; run < times; run++) {
            Part whole = new Part(depth);
            whole.run();
            Tree.check(depth, whole.answer);
        }
    }

    @Override
    public void close() {
        graph.close();
    }

    private final class Part implements TaskBody {
        private final int depth;
        private long answer;

        Part(int depth) {
            this.depth = depth;
        }

        @Override
        public void run() {
            if (depth == 1) {
                answer = 1;
                return;
            }
            Part left = new Part(depth - 1);
            GraphEvent leftDone =
                    forks ? graph.fork("part", left) : graph.task("part", left).dispatch();
            Part right = new Part(depth - 1);
            right.run();
            leftDone.await();
            answer = left.answer + right.answer + 1;
        }
    }
}
