package io.frameloom.benchmarks.skynet;

import io.frameloom.benchmarks.driver.Entrant;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Measurement;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.RunBenchmark;
import io.frameloom.benchmarks.driver.VirtualThreadFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * A tree with ten children per inner node; each leaf returns its number, each inner node the sum. Each child is a task.
 *
 * @param leaves a power of ten
 */
public record Skynet(int leaves) implements RunBenchmark {
    /** The published size. */
    public static final int PUBLISHED = 100_000;

    @Override
    public String name() {
        return "skynet";
    }

    @Override
    public Family family() {
        return Family.bars("spawn");
    }

    @Override
    public List<Measurement> measurements(int workers) {
        return List.of(Measurement.of(name(), workers, "spawn", spawns(leaves)));
    }

    @Override
    public List<Entrant> entrants(Measurement measurement) {
        return entrants(measurement.workers());
    }

    /** Everybody who can run on that many threads, ours first. */
    public List<Entrant> entrants(int workers) {
        List<Entrant> entrants = new ArrayList<>();
        entrants.add(new Entrant("frameloom-dynamic", false, () -> new FrameloomSkynet(workers, leaves)));
        entrants.add(new Entrant("fjp", false, () -> new ForkJoinSkynet(workers, leaves)));
        if (VirtualThreadFactory.isThere()) {
            entrants.add(new Entrant(
                    VirtualThreadFactory.CONTENDER,
                    false,
                    () -> new VirtualThreadSkynet(VirtualThreadFactory.of(workers), leaves)));
        }
        entrants.add(new Entrant(Row.SEQUENTIAL, false, () -> new SequentialSkynet(leaves)));
        return entrants;
    }

    /** Children of an inner node. */
    static final int FAN = 10;

    static long answer(int first, int size) {
        if (size == 1) {
            return first;
        }
        long sum = 0;
        for (int child = 0; child < FAN; child++) {
            sum += answer(first + child * (size / FAN), size / FAN);
        }
        return sum;
    }

    /** Number of tasks spawned: one for each node below the root. */
    static long spawns(int leaves) {
        long nodes = 0;
        for (long level = leaves; level > 1; level /= FAN) {
            nodes += level;
        }
        return nodes;
    }

    private static long expected(int leaves) {
        return (long) leaves * (leaves - 1) / 2;
    }

    static void check(int leaves, long answer) {
        if (answer != expected(leaves)) {
            throw new IllegalStateException("the answer for " + leaves + " is " + expected(leaves) + ", not " + answer);
        }
    }
}
