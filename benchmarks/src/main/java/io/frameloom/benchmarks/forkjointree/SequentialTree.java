package io.frameloom.benchmarks.forkjointree;

import io.frameloom.benchmarks.driver.Session;

/** Plain recursion on the calling thread. */
final class SequentialTree implements Session {
    private final int depth;

    SequentialTree(int depth) {
        this.depth = depth;
    }

    @Override
    public void run(int times) {
        for (int run = 0; run < times; run++) {
            Tree.check(depth, Tree.answer(depth));
        }
    }

    @Override
    public void close() {}
}
