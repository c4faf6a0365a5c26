package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.dag.Workload;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskBuilder;
import io.frameloom.taskgraph.TaskGraph;

/**
 * Our dynamic engine: every run dispatches one task per node with its prerequisites, and waits for an
 * event of all sinks. The workers start while the caller still dispatches.
 */
public final class FrameloomDynamic implements Contender {
    @Override
    public String name() {
        return "frameloom-dynamic";
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

    private static final class Run implements Session {
        private final Dag dag;
        private final NodeBody[] bodies;
        private final Caller caller;
        private final TaskGraph graph;
        private final GraphEvent[] events;
        private final int[] sinks;

        Run(Workload workload, int workers, Caller caller) {
            dag = workload.dag();
            bodies = workload.bodies();
            this.caller = caller;
            graph = TaskGraph.builder().name("benchmark").workers(workers).build();
            events = new GraphEvent[dag.nodes()];
            sinks = dag.sinks();
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
                once();
            }
        }

        private void once() {
            for (int node = 0; node < events.length; node++) {
                TaskBuilder builder = graph.task("node", bodies[node]);
                int inDegree = dag.inDegree(node);
                if (inDegree == 1) {
                    builder.after(events[dag.prerequisite(node, 0)]);
                } else if (inDegree > 1) {
                    GraphEvent[] prerequisites = new GraphEvent[inDegree];
                    for (int index = 0; index < inDegree; index++) {
                        prerequisites[index] = events[dag.prerequisite(node, index)];
                    }
                    builder.after(prerequisites);
                }
                events[node] = builder.dispatch();
            }
            if (sinks.length == 1) {
                events[sinks[0]].await();
                return;
            }
            GraphEvent[] last = new GraphEvent[sinks.length];
            for (int index = 0; index < last.length; index++) {
                last[index] = events[sinks[index]];
            }
            graph.whenAll("done", last).await();
        }

        @Override
        public void close() {
            graph.close();
        }
    }
}
