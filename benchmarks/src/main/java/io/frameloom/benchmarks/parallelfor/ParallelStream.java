package io.frameloom.benchmarks.parallelfor;

import io.frameloom.benchmarks.driver.Session;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/** A parallel stream over the pieces, in a pool of its own. */
final class ParallelStream implements Session {
    private final ForkJoinPool pool;
    private final Numbers numbers;
    private final int grain;

    ParallelStream(int workers, Numbers numbers, int grain) {
        pool = new ForkJoinPool(workers);
        this.numbers = numbers;
        this.grain = grain;
    }

    @Override
    public void run(int times) {
        for (int run = 0; run < times; run++) {
            numbers.check(pool.submit(this::sum).join());
        }
    }

    private long sum() {
        int count = numbers.values().length;
        return IntStream.range(0, (count + grain - 1) / grain)
                .parallel()
                .mapToLong(piece -> numbers.sum(piece * grain, Math.min((piece + 1) * grain, count)))
                .sum();
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}
