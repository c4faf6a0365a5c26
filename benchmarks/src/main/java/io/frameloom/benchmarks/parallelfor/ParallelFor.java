package io.frameloom.benchmarks.parallelfor;

import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Entrant;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Measurement;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Settings;
import java.util.List;
import java.util.function.Consumer;

/**
 * The sum of many numbers, over the grain: the most numbers per piece.
 *
 * @param count how many numbers
 */
public record ParallelFor(int count) implements Benchmark {
    /** The published size. */
    public static final int PUBLISHED = 10_000_000;

    private static final List<Integer> GRAINS = List.of(1_000, 3_000, 10_000, 30_000, 100_000);

    @Override
    public String name() {
        return "parallel-for";
    }

    @Override
    public Family family() {
        return new Family("parallel-for", Family.Axis.PARAMETER);
    }

    @Override
    public void measure(Settings settings, Consumer<List<Row>> groups) {
        Numbers numbers = Numbers.of(count);
        for (int workers : settings.workers()) {
            for (int grain : GRAINS) {
                Measurement measurement = new Measurement(name(), "sum", workers, "loop", 1, 1, grain);
                groups.accept(settings.sampler().measure(measurement, entrants(numbers, workers, grain)));
            }
        }
    }

    /** Everybody, ours first. */
    static List<Entrant> entrants(Numbers numbers, int workers, int grain) {
        return List.of(
                new Entrant("frameloom-dynamic", false, () -> new FrameloomParallelFor(workers, numbers, grain)),
                new Entrant("parallel-stream", false, () -> new ParallelStream(workers, numbers, grain)),
                new Entrant("fjp", false, () -> new ForkJoinParallelFor(workers, numbers, grain)),
                new Entrant(Row.SEQUENTIAL, false, () -> new SequentialFor(numbers)));
    }
}
