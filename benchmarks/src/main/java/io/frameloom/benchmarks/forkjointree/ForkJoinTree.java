package io.frameloom.benchmarks.forkjointree;

import io.frameloom.benchmarks.driver.Session;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

/** A {@link RecursiveAction} forks its left part, computes its right part and joins the left one. */
final class ForkJoinTree implements Session {
    private final ForkJoinPool pool;
    private final int depth;

    ForkJoinTree(int workers, int depth) {
        pool = new ForkJoinPool(workers);
        this.depth = depth;
    }

    @Override
    public void run(int times) {
        pool.submit(() -> loop(times)).join();
    }

    private void loop(int times) {
        for (int run = 0; run < times; run++) {
            Part whole = new Part(depth);
            whole.compute();
            Tree.check(depth, whole.answer);
        }
    }

    @Override
    public void close() {
        pool.shutdown();
    }

    private static final class Part extends RecursiveAction {
        private static final long serialVersionUID = 1L;

        private final int depth;
        private long answer;

        Part(int depth) {
            this.depth = depth;
        }

        @Override
        protected void compute() {
            if (depth == 1) {
                answer = 1;
                return;
            }
            Part left = new Part(depth - 1);
            left.fork();
            Part right = new Part(depth - 1);
            right.compute();
            left.join();
            answer = left.answer + right.answer + 1;
        }
    }
}
