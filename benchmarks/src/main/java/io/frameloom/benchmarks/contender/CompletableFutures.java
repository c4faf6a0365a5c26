package io.frameloom.benchmarks.contender;

import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Dag;
import io.frameloom.benchmarks.dag.Workload;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;

/**
 * One {@link CompletableFuture} per node on a {@link ForkJoinPool}: {@code thenRunAsync} of the
 * prerequisite, or of {@code allOf} several. Built for every run, for a future completes once.
 */
public final class CompletableFutures implements Contender {
    @Override
    public String name() {
        return "completable-future";
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
        Dag dag = workload.dag();
        int[] sinks = dag.sinks();
        ForkJoinPool pool = new ForkJoinPool(workers);
        return new Session() {
            @Override
            public void run(int times) {
                for (int run = 0; run < times; run++) {
                    CompletableFuture<?>[] futures = new CompletableFuture<?>[dag.nodes()];
                    for (int node = 0; node < futures.length; node++) {
                        futures[node] = launch(node, futures);
                    }
                    CompletableFuture<?>[] last = new CompletableFuture<?>[sinks.length];
                    for (int index = 0; index < last.length; index++) {
                        last[index] = futures[sinks[index]];
                    }
                    CompletableFuture.allOf(last).join();
                }
            }

            private CompletableFuture<?> launch(int node, CompletableFuture<?>[] futures) {
                Runnable body = workload.bodies()[node];
                int inDegree = dag.inDegree(node);
                if (inDegree == 0) {
                    return CompletableFuture.runAsync(body, pool);
                }
                if (inDegree == 1) {
                    return futures[dag.prerequisite(node, 0)].thenRunAsync(body, pool);
                }
                CompletableFuture<?>[] prerequisites = new CompletableFuture<?>[inDegree];
                for (int index = 0; index < inDegree; index++) {
                    prerequisites[index] = futures[dag.prerequisite(node, index)];
                }
                return CompletableFuture.allOf(prerequisites).thenRunAsync(body, pool);
            }

            @Override
            public void close() {
                pool.shutdown();
            }
        };
    }
}
