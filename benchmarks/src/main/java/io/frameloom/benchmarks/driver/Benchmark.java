package io.frameloom.benchmarks.driver;

import java.util.List;
import java.util.function.Consumer;

/** A measurement that can be chosen by name. */
public interface Benchmark {
    /** The name on the command line and in results. */
    String name();

    /** Where its rows are drawn. */
    Family family();

    /**
     * Measures ours and all rivals.
     *
     * @param settings how thoroughly
     * @param groups receives the rows group by group, as they come; the rows of a group compare
     */
    void measure(Settings settings, Consumer<List<Row>> groups);
}
