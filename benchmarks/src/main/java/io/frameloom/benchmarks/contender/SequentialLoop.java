package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.NodeBody;
import io.frameloom.benchmarks.dag.Workload;

/** The caller runs every node in topological order: what the bodies cost without any scheduling. */
public final class SequentialLoop implements Contender {
    @Override
    public String name() {
        return "sequential";
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
        NodeBody[] bodies = workload.bodies();
        return new Session() {
            @Override
            public void run(int times) {
                for (int run = 0; run < times; run++) {
                    for (NodeBody body : bodies) {
                        body.run();
                    }
                }
            }

            @Override
            public void close() {}
        };
    }
}
