package io.frameloom.benchmarks.skynet;

import io.frameloom.benchmarks.driver.Session;
import io.frameloom.benchmarks.placement.BoundWorkers;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;

/** Ours: a task dispatches its ten children and awaits them, the last one first. */
final class FrameloomSkynet implements Session {
    private final TaskGraph graph;
    private final int leaves;

    FrameloomSkynet(int workers, int leaves) {
        graph = BoundWorkers.ifAsked(TaskGraph.builder()
                .name("skynet")
                .workers(workers)
                .idlePolicy(IdlePolicy.adaptive())
                .build());
        this.leaves = leaves;
    }

    @Override
    public void run(int times) {
        graph.task("loop", () -> loop(times)).dispatch().await();
    }

    private void loop(int times) {
        for (int run = 0; run < times; run++) {
            Node root = new Node(0, leaves);
            root.run();
            Skynet.check(leaves, root.answer);
        }
    }

    @Override
    public void close() {
        graph.close();
    }

    private final class Node implements TaskBody {
        private final int first;
        private final int size;
        private long answer;

        Node(int first, int size) {
            this.first = first;
            this.size = size;
        }

        @Override
        public void run() {
            if (size == 1) {
                answer = first;
                return;
            }
            int part = size / Skynet.FAN;
            Node[] children = new Node[Skynet.FAN];
            GraphEvent[] events = new GraphEvent[Skynet.FAN];
            for (int child = 0; child < children.length; child++) {
                children[child] = new Node(first + child * part, part);
                events[child] = graph.task("node", children[child]).dispatch();
            }
            long sum = 0;
            for (int child = children.length - 1; child >= 0; child--) {
                events[child].await();
                sum += children[child].answer;
            }
            answer = sum;
        }
    }
}
