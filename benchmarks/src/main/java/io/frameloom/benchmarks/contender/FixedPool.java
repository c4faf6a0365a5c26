package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Workload;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A fixed thread pool with one shared queue: whoever makes successors ready continues with one of them and
 * submits the rest. Built for every run.
 */
public final class FixedPool implements Contender {
    @Override
    public String name() {
        return "fixed-pool";
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
        ExecutorService pool = Executors.newFixedThreadPool(workers);
        return new CountedNodes(workload, pool, true, pool::shutdown);
    }
}
