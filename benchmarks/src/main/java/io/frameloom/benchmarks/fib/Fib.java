package io.frameloom.benchmarks.fib;

import io.frameloom.benchmarks.driver.Entrant;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Measurement;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.RunBenchmark;
import io.frameloom.benchmarks.driver.VirtualThreadFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * The Fibonacci number of a number by naive recursion; every call above one spawns one task.
 *
 * @param number at least 2
 */
public record Fib(int number) implements RunBenchmark {
    /** The published size. */
    public static final int PUBLISHED = 25;

    @Override
    public String name() {
        return "fib";
    }

    @Override
    public Family family() {
        return Family.bars("spawn");
    }

    @Override
    public List<Measurement> measurements(int workers) {
        return List.of(Measurement.of(name(), workers, "spawn", spawns(number)));
    }

    @Override
    public List<Entrant> entrants(Measurement measurement) {
        return entrants(measurement.workers());
    }

    /** Everybody who can run on that many threads, ours first. */
    public List<Entrant> entrants(int workers) {
        List<Entrant> entrants = new ArrayList<>();
        entrants.add(new Entrant("frameloom-dynamic", false, () -> new FrameloomFib(workers, number)));
        entrants.add(new Entrant("fjp", false, () -> new ForkJoinFib(workers, number)));
        if (VirtualThreadFactory.isThere()) {
            entrants.add(new Entrant(
                    VirtualThreadFactory.CONTENDER,
                    false,
                    () -> new VirtualThreadFib(VirtualThreadFactory.of(workers), number)));
        }
        entrants.add(new Entrant(Row.SEQUENTIAL, false, () -> new SequentialFib(number)));
        return entrants;
    }

    static long answer(int number) {
        return number < 2 ? number : answer(number - 1) + answer(number - 2);
    }

    /** Number of tasks spawned: one for each call with a number of 2 or more. */
    static long spawns(int number) {
        return expected(number + 1) - 1;
    }

    private static long expected(int number) {
        long current = 0;
        long next = 1;
        for (int step = 0; step < number; step++) {
            long sum = current + next;
            current = next;
            next = sum;
        }
        return current;
    }

    static void check(int number, long answer) {
        if (answer != expected(number)) {
            throw new IllegalStateException("the answer for " + number + " is " + expected(number) + ", not " + answer);
        }
    }
}
