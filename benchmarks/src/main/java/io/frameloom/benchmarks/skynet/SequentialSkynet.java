package io.frameloom.benchmarks.skynet;

import io.frameloom.benchmarks.driver.Session;

/** Plain recursion on the calling thread. */
final class SequentialSkynet implements Session {
    private final int leaves;

    SequentialSkynet(int leaves) {
        this.leaves = leaves;
    }

    @Override
    public void run(int times) {
        for (int run = 0; run < times; run++) {
            Skynet.check(leaves, Skynet.answer(0, leaves));
        }
    }

    @Override
    public void close() {}
}
