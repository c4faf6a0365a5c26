package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Workload;
import io.frameloom.benchmarks.driver.VirtualThreadFactory;

/**
 * One virtual thread per node, started when the node is ready. Built for every run. The carriers are the
 * JVM's own, so it takes part only where their number is the number of workers.
 *
 * @param factory the JVM's virtual threads
 */
public record VirtualThreads(VirtualThreadFactory factory) implements Contender {
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
    public boolean supports(int workers) {
        return workers == factory.carriers();
    }

    @Override
    public Session open(Workload workload, int workers, Caller caller) {
        return new CountedNodes(
                workload, node -> factory.threads().newThread(node).start(), false, () -> {});
    }
}
