package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Workload;
import io.frameloom.benchmarks.driver.VirtualThreadFactory;
import java.util.concurrent.ThreadFactory;

/**
 * One virtual thread per node, started when the node is ready. Built for every run. The carriers are the
 * JVM's own, and as many as there are workers.
 */
public final class VirtualThreads implements Contender {
    @Override
    public String name() {
        return VirtualThreadFactory.CONTENDER;
    }

    @Override
    public boolean reruns() {
        return false;
    }

    @Override
    public boolean supports(Caller caller) {
        return caller == Caller.OUTSIDE;
    }

    @Override
    public Session open(Workload workload, int workers, Caller caller) {
        ThreadFactory threads = VirtualThreadFactory.of(workers);
        return new CountedNodes(workload, node -> threads.newThread(node).start(), false, () -> {});
    }
}
