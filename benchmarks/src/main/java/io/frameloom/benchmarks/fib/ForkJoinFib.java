package io.frameloom.benchmarks.fib;

import io.frameloom.benchmarks.driver.Session;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

/** A {@link RecursiveAction} forks its left part, computes its right part and joins the left one. */
final class ForkJoinFib implements Session {
    private final ForkJoinPool pool;
    private final int number;

    ForkJoinFib(int workers, int number) {
        pool = new ForkJoinPool(workers);
        this.number = number;
    }

    @Override
    public void run(int times) {
        pool.submit(() -> loop(times)).join();
    }

    private void loop(int times) {
        for (int run = 0; run < times; run++) {
            Part whole = new Part(number);
            whole.compute();
            Fib.check(number, whole.answer);
        }
    }

    @Override
    public void close() {
        pool.shutdown();
    }

    private static final class Part extends RecursiveAction {
        private static final long serialVersionUID = 1L;

        private final int number;
        private long answer;

        Part(int number) {
            this.number = number;
        }

        @Override
        protected void compute() {
            if (number < 2) {
                answer = number;
                return;
            }
            Part left = new Part(number - 1);
            left.fork();
            Part right = new Part(number - 2);
            right.compute();
            left.join();
            answer = left.answer + right.answer;
        }
    }
}
