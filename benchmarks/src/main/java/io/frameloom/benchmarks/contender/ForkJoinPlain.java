package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Workload;
import java.util.concurrent.ForkJoinPool;

/**
 * A {@link ForkJoinPool} used as any executor is: every node is submitted when it is ready, and nobody
 * continues with one. Built for every run.
 */
public final class ForkJoinPlain implements Contender {
    @Override
    public String name() {
        return "fjp-plain";
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
        ForkJoinPool pool = new ForkJoinPool(workers);
        return new CountedNodes(workload, pool, false, pool::shutdown);
    }
}
