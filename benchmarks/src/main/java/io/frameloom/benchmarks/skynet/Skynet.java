package io.frameloom.benchmarks.skynet;

import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Entrant;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Measurement;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Settings;
import io.frameloom.benchmarks.driver.VirtualThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A tree with ten children per inner node; each leaf returns its number, each inner node the sum. Each child is a task.
 *
 * @param leaves a power of ten
 * @param virtualThreads the JVM's virtual threads, if it has them
 */
public record Skynet(int leaves, Optional<VirtualThreadFactory> virtualThreads) implements Benchmark {
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
    public void measure(Settings settings, Consumer<List<Row>> groups) {
        for (int workers : settings.workers()) {
            Measurement measurement = Measurement.of(name(), workers, "spawn", spawns(leaves));
            groups.accept(settings.sampler().measure(measurement, entrants(workers)));
        }
    }

    /** Everybody who can run on that many threads, ours first. */
    public List<Entrant> entrants(int workers) {
        List<Entrant> entrants = new ArrayList<>();
        entrants.add(new Entrant("frameloom-dynamic", false, () -> new FrameloomSkynet(workers, leaves)));
        entrants.add(new Entrant("fjp", false, () -> new ForkJoinSkynet(workers, leaves)));
        virtualThreads
                .filter(factory -> factory.carriers() == workers)
                .ifPresent(factory -> entrants.add(new Entrant(
                        VirtualThreadFactory.CONTENDER,
                        false,
                        () -> new VirtualThreadSkynet(factory.threads(), leaves))));
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
