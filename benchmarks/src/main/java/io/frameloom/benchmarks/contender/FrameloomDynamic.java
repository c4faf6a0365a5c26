package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.dag.Workload;
import io.frameloom.benchmarks.placement.BoundWorkers;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.HeldTask;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.TaskBuilder;
import io.frameloom.taskgraph.TaskGraph;
import org.jspecify.annotations.Nullable;

/**
 * Our dynamic engine: every run sets up one task per node with its prerequisites, and waits for an event of
 * all sinks. Unless it streams, nothing starts before everything is set up, as with the rivals: a single root is held, and
 * several wait for a start event.
 */
public final class FrameloomDynamic implements Contender {
    private final boolean streaming;

    /**
     * Chooses the mode.
     *
     * @param streaming true when the workers may start while the caller still dispatches
     */
    public FrameloomDynamic(boolean streaming) {
        this.streaming = streaming;
    }

    @Override
    public String name() {
        return streaming ? "frameloom-dynamic-streaming" : "frameloom-dynamic";
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
        TaskGraph graph = BoundWorkers.ifAsked(TaskGraph.builder()
                .name("benchmark")
                .workers(workers)
                .idlePolicy(IdlePolicy.adaptive())
                .build());
        return streaming ? new Streaming(workload, graph, caller) : new Prepared(workload, graph, caller);
    }

    private abstract static class Run implements Session {
        final Dag dag;
        final TaskGraph graph;
        final GraphEvent[] events;
        private final NodeBody[] bodies;
        private final Caller caller;
        private final int[] sinks;

        Run(Workload workload, TaskGraph graph, Caller caller) {
            dag = workload.dag();
            bodies = workload.bodies();
            this.graph = graph;
            this.caller = caller;
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

        abstract void once();

        TaskBuilder task(int node) {
            return graph.task("node", bodies[node]);
        }

        /** Dispatches the nodes from the given one on; they have prerequisites. */
        void dispatchFrom(int first) {
            for (int node = first; node < events.length; node++) {
                TaskBuilder builder = task(node);
                addPrerequisites(builder, node);
                events[node] = builder.dispatch();
            }
        }

        void addPrerequisites(TaskBuilder builder, int node) {
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
        }

        void awaitSinks() {
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

    private static final class Streaming extends Run {
        Streaming(Workload workload, TaskGraph graph, Caller caller) {
            super(workload, graph, caller);
        }

        @Override
        void once() {
            dispatchFrom(0);
            awaitSinks();
        }
    }

    private static final class Prepared extends Run implements TwoPhaseSession {
        private final boolean oneRoot;
        private @Nullable HeldTask root;
        private @Nullable GraphEvent start;

        Prepared(Workload workload, TaskGraph graph, Caller caller) {
            super(workload, graph, caller);
            // Topological order: the only root is the first node.
            oneRoot = dag.roots().length == 1;
        }

        @Override
        void once() {
            build();
            runBuilt();
        }

        @Override
        public void build() {
            if (oneRoot) {
                HeldTask held = task(0).hold();
                root = held;
                events[0] = held.event();
                dispatchFrom(1);
                return;
            }
            GraphEvent all = graph.event("start");
            start = all;
            for (int node = 0; node < events.length; node++) {
                TaskBuilder builder = task(node);
                if (dag.inDegree(node) == 0) {
                    builder.after(all);
                } else {
                    addPrerequisites(builder, node);
                }
                events[node] = builder.dispatch();
            }
        }

        @Override
        public void runBuilt() {
            if (root != null) {
                root.release();
            } else if (start != null) {
                start.trigger();
            } else {
                throw new IllegalStateException("build the graph first");
            }
            awaitSinks();
        }
    }
}
