package io.frameloom.benchmarks.forkjointree;

import io.frameloom.benchmarks.driver.Entrant;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Measurement;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.RunBenchmark;
import io.frameloom.benchmarks.driver.StructuredScope;
import io.frameloom.benchmarks.driver.VirtualThreadFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * A complete binary tree whose inner nodes fork one half, do the other and join. The answer is the number of nodes.
 *
 * @param depth number of levels
 */
public record Tree(int depth) implements RunBenchmark {
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
    public List<Measurement> measurements(int workers) {
        return List.of(Measurement.of(name(), workers, "node", (1L << depth) - 1));
    }

    @Override
    public List<Entrant> entrants(Measurement measurement) {
        return entrants(measurement.workers());
    }

    /** Everybody who can run on that many threads, ours first. */
    public List<Entrant> entrants(int workers) {
        List<Entrant> entrants = new ArrayList<>();
        entrants.add(new Entrant("frameloom-fork", false, () -> new FrameloomTree(workers, depth, true)));
        entrants.add(new Entrant("frameloom-dynamic", false, () -> new FrameloomTree(workers, depth, false)));
        entrants.add(new Entrant("fjp", false, () -> new ForkJoinTree(workers, depth)));
        if (StructuredScope.isThere()) {
            entrants.add(new Entrant(
                    StructuredScope.CONTENDER,
                    false,
                    () -> new StructuredTree(VirtualThreadFactory.of(workers), depth)));
        }
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
