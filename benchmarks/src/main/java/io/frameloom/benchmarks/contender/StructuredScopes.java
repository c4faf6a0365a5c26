package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.chain.LinearChain;
import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.Shape;
import io.frameloom.benchmarks.dag.Workload;
import io.frameloom.benchmarks.driver.StructuredScope;
import io.frameloom.benchmarks.driver.VirtualThreadFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@code StructuredTaskScope} per level of the graph: the tasks of a scope cannot wait for each other, so each level
 * waits for the whole one before. The carriers of the virtual threads are the workers.
 */
public final class StructuredScopes implements Contender {
    @Override
    public String name() {
        return StructuredScope.CONTENDER;
    }

    @Override
    public boolean reruns() {
        return false;
    }

    @Override
    public boolean supports(Caller caller) {
        return caller == Caller.OUTSIDE;
    }

    /** A chain would be a scope per task: seconds for a run. */
    @Override
    public boolean supports(Shape shape) {
        return Contender.super.supports(shape) && !(shape instanceof LinearChain);
    }

    @Override
    public Session open(Workload workload, int workers, Caller caller) {
        VirtualThreadFactory.of(workers);
        List<List<Runnable>> levels = levels(workload);
        return new Session() {
            @Override
            public void run(int times) {
                for (int run = 0; run < times; run++) {
                    for (List<Runnable> level : levels) {
                        try (StructuredScope scope = new StructuredScope()) {
                            for (Runnable node : level) {
                                scope.fork(node);
                            }
                            scope.join();
                        }
                    }
                }
            }

            @Override
            public void close() {}
        };
    }

    private static List<List<Runnable>> levels(Workload workload) {
        Dag dag = workload.dag();
        List<List<Runnable>> levels = new ArrayList<>();
        int[] level = new int[dag.nodes()];
        for (int node = 0; node < level.length; node++) {
            for (int index = 0; index < dag.inDegree(node); index++) {
                level[node] = Math.max(level[node], level[dag.prerequisite(node, index)] + 1);
            }
            if (level[node] == levels.size()) {
                levels.add(new ArrayList<>());
            }
            levels.get(level[node]).add(workload.bodies()[node]);
        }
        return levels;
    }
}
