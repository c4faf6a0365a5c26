package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.dag.Workload;
import io.frameloom.benchmarks.placement.BoundWorkers;
import io.frameloom.taskgraph.GraphBuilder;
import io.frameloom.taskgraph.GraphNode;
import io.frameloom.taskgraph.TaskGraph;

/**
 * Our compiled engine with a graph that is built for every run and launched whole. One builder serves all runs, and the
 * calling thread takes part, so it is one of the threads that execute nodes.
 */
public final class FrameloomOnce implements Contender {
    @Override
    public String name() {
        return "frameloom-once";
    }

    @Override
    public boolean reruns() {
        return false;
    }

    @Override
    public boolean supports(Caller caller) {
        return true;
    }

    @Override
    public Session open(Workload workload, int workers, Caller caller) {
        return new Run(workload, workers, caller);
    }

    private static final class Run implements TwoPhaseSession {
        private final Dag dag;
        private final NodeBody[] bodies;
        private final Caller caller;
        private final TaskGraph graph;
        private final GraphBuilder builder;

        Run(Workload workload, int workers, Caller caller) {
            this.caller = caller;
            dag = workload.dag();
            bodies = workload.bodies();
            graph = BoundWorkers.ifAsked(TaskGraph.builder()
                    .name("benchmark")
                    .workers(caller == Caller.OUTSIDE ? Math.max(1, workers - 1) : workers)
                    .build());
            builder = graph.graphBuilder("benchmark").maxHelpers(workers - 1);
        }

        @Override
        public void build() {
            GraphNode[] nodes = new GraphNode[dag.nodes()];
            for (int node = 0; node < nodes.length; node++) {
                GraphNode made = builder.node("node", bodies[node]);
                for (int index = 0; index < dag.inDegree(node); index++) {
                    made.after(nodes[dag.prerequisite(node, index)]);
                }
                nodes[node] = made;
            }
        }

        @Override
        public void runBuilt() {
            builder.executeOnce();
        }

        @Override
        public void run(int times) {
            if (caller == Caller.OUTSIDE) {
                loop(times);
            } else {
                graph.task("loop", () -> loop(times)).dispatch().await();
            }
        }

        private void loop(int times) {
            for (int run = 0; run < times; run++) {
                build();
                runBuilt();
            }
        }

        @Override
        public void close() {
            graph.close();
        }
    }
}
