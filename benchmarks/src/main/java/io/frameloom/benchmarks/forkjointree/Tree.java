package io.frameloom.benchmarks.forkjointree;

import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Entrant;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Measurement;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A complete binary tree whose inner nodes fork one half, do the other and join. The answer is the number of nodes.
 *
 * @param depth number of levels
 */
public record Tree(int depth) implements Benchmark {
    /** The published size. */
    public static final int PUBLISHED = 17;

    @Override
    public String name() {
        return "fork-join-tree";
    }

    @Override
    public Family family() {
        return Family.bars("spawn");
    }

    @Override
    public void measure(Settings settings, Consumer<List<Row>> groups) {
        for (int workers : settings.workers()) {
            Measurement measurement = Measurement.of(name(), workers, "node", (1L << depth) - 1);
            groups.accept(settings.sampler().measure(measurement, entrants(workers)));
        }
    }

    /** Everybody who can run on that many threads, ours first. */
    public List<Entrant> entrants(int workers) {
        List<Entrant> entrants = new ArrayList<>();
        entrants.add(new Entrant("frameloom-fork", false, () -> new FrameloomTree(workers, depth, true)));
        entrants.add(new Entrant("frameloom-dynamic", false, () -> new FrameloomTree(workers, depth, false)));
        entrants.add(new Entrant("fjp", false, () -> new ForkJoinTree(workers, depth)));
        entrants.add(new Entrant(Row.SEQUENTIAL, false, () -> new SequentialTree(depth)));
        return entrants;
    }

    static long answer(int depth) {
        return depth == 1 ? 1 : answer(depth - 1) + answer(depth - 1) + 1;
    }

    private static long expected(int depth) {
        return (1L << depth) - 1;
    }

    static void check(int depth, long answer) {
        if (answer != expected(depth)) {
            throw new IllegalStateException("the answer for " + depth + " is " + expected(depth) + ", not " + answer);
        }
    }
}
