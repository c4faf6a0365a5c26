package io.frameloom.benchmarks.parallelfor;

import io.frameloom.benchmarks.driver.Session;

/**
 * A plain loop on the calling thread.
 *
 * @param numbers what is summed
 */
record SequentialFor(Numbers numbers) implements Session {
    @Override
    public void run(int times) {
        for (int run = 0; run < times; run++) {
            numbers.check(numbers.sum(0, numbers.values().length));
        }
    }

    @Override
    public void close() {}
}
