package io.frameloom.benchmarks.fib;

import io.frameloom.benchmarks.driver.Session;
import io.frameloom.benchmarks.placement.BoundWorkers;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;

/**
 * Ours: a task dispatches its left part, does its right part itself and awaits the left one.
 */
final class FrameloomFib implements Session {
    private final TaskGraph graph;
    private final int number;

    FrameloomFib(int workers, int number) {
        graph = BoundWorkers.ifAsked(TaskGraph.builder()
                .name("fib")
                .workers(workers)
                .idlePolicy(IdlePolicy.adaptive())
                .build());
        this.number = number;
    }

    @Override
    public void run(int times) {
        graph.task("loop", () -> loop(times)).dispatch().await();
    }

    private void loop(int times) {
        for (int run = 0; run < times; run++) {
            Part whole = new Part(number);
            whole.run();
            Fib.check(number, whole.answer);
        }
    }

    @Override
    public void close() {
        graph.close();
    }

    private final class Part implements TaskBody {
        private final int number;
        private long answer;

        Part(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            if (number < 2) {
                answer = number;
                return;
            }
            Part left = new Part(number - 1);
            GraphEvent leftDone = graph.task("part", left).dispatch();
            Part right = new Part(number - 2);
            right.run();
            leftDone.await();
            answer = left.answer + right.answer;
        }
    }
}
