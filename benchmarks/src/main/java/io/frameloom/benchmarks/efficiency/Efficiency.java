package io.frameloom.benchmarks.efficiency;

import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.DagBenchmark;
import io.frameloom.benchmarks.dag.Shape;
import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Row;
import java.util.List;
import java.util.OptionalDouble;

/** How much of the machine becomes work when every body takes a microsecond. */
public final class Efficiency {
    private Efficiency() {}

    /** The given graph with such bodies, over the number of workers. */
    public static Benchmark of(Shape shape, List<Contender> contenders) {
        String name = "efficiency-" + shape.name();
        return new DagBenchmark(
                name, new Family("efficiency", Family.Axis.WORKERS), shape, BodyKind.WORK1US, contenders);
    }

    /** The time of the sequential loop, divided by the time and the workers of the row: 1 is perfect. */
    public static OptionalDouble of(Row row, List<Row> rows) {
        return rows.stream()
                .filter(other -> other.contender().equals(Row.SEQUENTIAL)
                        && other.shape().equals(row.shape())
                        && other.body().equals(row.body())
                        && other.workers() == row.workers())
                .mapToDouble(sequential -> sequential.nsPerTask() / (row.nsPerTask() * row.workers()))
                .findFirst();
    }
}
