package io.frameloom.benchmarks.driver;

import java.util.List;
import java.util.function.Consumer;

/** A benchmark of whole runs, which JMH times. A JVM that JMH starts finds measurement and entrant again by their names. */
public interface RunBenchmark extends Benchmark {
    /** What is asked of so many workers: a measurement per group of rows. */
    List<Measurement> measurements(int workers);

    /** Everybody who takes part, ours first. */
    List<Entrant> entrants(Measurement measurement);

    /** The numbers of workers to measure with. */
    default List<Integer> workers(Settings settings) {
        return settings.workers();
    }

    @Override
    default void measure(Settings settings, Consumer<List<Row>> groups) {
        for (int workers : workers(settings)) {
            for (Measurement measurement : measurements(workers)) {
                groups.accept(settings.sampler().measure(measurement, entrants(measurement)));
            }
        }
    }
}
