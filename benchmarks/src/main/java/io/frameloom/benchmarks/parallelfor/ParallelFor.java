package io.frameloom.benchmarks.parallelfor;

import io.frameloom.benchmarks.driver.Entrant;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Measurement;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.RunBenchmark;
import java.util.List;
import java.util.Objects;

/**
 * The sum of many numbers, over the grain: the most numbers per piece.
 *
 * @param count how many numbers
 */
public record ParallelFor(int count) implements RunBenchmark {
    /** The published size. */
    public static final int PUBLISHED = 10_000_000;

    /** What the body of a loop is called in results. */
    public static final String BODY = "sum";

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
    public List<Measurement> measurements(int workers) {
        return GRAINS.stream()
                .map(grain -> new Measurement(name(), BODY, workers, "loop", 1, 1, grain))
                .toList();
    }

    @Override
    public List<Entrant> entrants(Measurement measurement) {
        int workers = measurement.workers();
        int grain = Objects.requireNonNull(measurement.parameter());
        return List.of(
                new Entrant(
                        "frameloom-dynamic", false, () -> new FrameloomParallelFor(workers, Numbers.of(count), grain)),
                new Entrant("parallel-stream", false, () -> new ParallelStream(workers, Numbers.of(count), grain)),
                new Entrant("fjp", false, () -> new ForkJoinParallelFor(workers, Numbers.of(count), grain)),
                new Entrant(Row.SEQUENTIAL, false, () -> new SequentialFor(Numbers.of(count))));
    }
}
