package io.frameloom.benchmarks.parallelfor;

import io.frameloom.benchmarks.driver.Session;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/** A {@link RecursiveTask} halves the range until it is no longer than the grain. */
final class ForkJoinParallelFor implements Session {
    private final ForkJoinPool pool;
    private final Numbers numbers;
    private final int grain;

    ForkJoinParallelFor(int workers, Numbers numbers, int grain) {
        pool = new ForkJoinPool(workers);
        this.numbers = numbers;
        this.grain = grain;
    }

    @Override
    public void run(int times) {
        for (int run = 0; run < times; run++) {
            numbers.check(pool.invoke(new Range(numbers, grain, 0, numbers.values().length)));
        }
    }

    @Override
    public void close() {
        pool.shutdown();
    }

    private static final class Range extends RecursiveTask<Long> {
        private static final long serialVersionUID = 1L;

        private final transient Numbers numbers;
        private final int grain;
        private final int from;
        private final int to;

        Range(Numbers numbers, int grain, int from, int to) {
            this.numbers = numbers;
            this.grain = grain;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Long compute() {
            if (to - from <= grain) {
                return numbers.sum(from, to);
            }
            int middle = (from + to) >>> 1;
            Range left = new Range(numbers, grain, from, middle);
            left.fork();
            long right = new Range(numbers, grain, middle, to).compute();
            return left.join() + right;
        }
    }
}
