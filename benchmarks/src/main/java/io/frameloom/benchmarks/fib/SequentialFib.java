package io.frameloom.benchmarks.fib;

import io.frameloom.benchmarks.driver.Session;

/** Plain recursion on the calling thread. */
final class SequentialFib implements Session {
    private final int number;

    SequentialFib(int number) {
        this.number = number;
    }

    @Override
    public void run(int times) {
        for (int run = 0; run < times; run++) {
            Fib.check(number, Fib.answer(number));
        }
    }

    @Override
    public void close() {}
}
