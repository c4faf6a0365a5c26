package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.dag.Workload;
import io.frameloom.benchmarks.placement.BoundWorkers;
import io.frameloom.taskgraph.CompiledGraph;
import io.frameloom.taskgraph.GraphBuilder;
import io.frameloom.taskgraph.GraphNode;
import io.frameloom.taskgraph.TaskGraph;

/**
 * Our compiled engine: the graph is built once and run again and again. Either the calling thread takes
 * part ({@code execute}) and is one of the threads that execute nodes, or the workers run everything while
 * it waits ({@code run().await()}).
 */
public final class FrameloomCompiled implements Contender {
    private final boolean callerTakesPart;

    /**
     * Chooses the way of running.
     *
     * @param callerTakesPart true for {@code execute}, false for {@code run().await()}
     */
    public FrameloomCompiled(boolean callerTakesPart) {
        this.callerTakesPart = callerTakesPart;
    }

    @Override
    public String name() {
        return callerTakesPart ? "frameloom-compiled" : "frameloom-compiled-run";
    }

    @Override
    public boolean reruns() {
        return true;
    }

    @Override
    public boolean supports(Caller caller) {
        return true;
    }

    @Override
    public Session open(Workload workload, int workers, Caller caller) {
        return new Run(workload, workers, caller, callerTakesPart);
    }

    private static final class Run implements Session {
        private final Caller caller;
        private final boolean callerTakesPart;
        private final TaskGraph graph;
        private final CompiledGraph compiled;

        Run(Workload workload, int workers, Caller caller, boolean callerTakesPart) {
            this.caller = caller;
            this.callerTakesPart = callerTakesPart;
            boolean callerCounts = callerTakesPart && caller == Caller.OUTSIDE;
            graph = BoundWorkers.ifAsked(TaskGraph.builder()
                    .name("benchmark")
                    .workers(callerCounts ? Math.max(1, workers - 1) : workers)
                    .build());
            compiled = build(workload, workers - 1);
        }

        private CompiledGraph build(Workload workload, int helpers) {
            Dag dag = workload.dag();
            NodeBody[] bodies = workload.bodies();
            GraphBuilder builder = graph.graphBuilder("benchmark");
            if (callerTakesPart || helpers == 0) {
                builder.maxHelpers(helpers);
            }
            GraphNode[] nodes = new GraphNode[dag.nodes()];
            for (int node = 0; node < nodes.length; node++) {
                nodes[node] = builder.node("node", bodies[node]);
                for (int index = 0; index < dag.inDegree(node); index++) {
                    nodes[node].after(nodes[dag.prerequisite(node, index)]);
                }
            }
            return builder.build();
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
                if (callerTakesPart) {
                    compiled.execute();
                } else {
                    compiled.run().await();
                }
            }
        }

        @Override
        public void close() {
            graph.close();
        }
    }
}
