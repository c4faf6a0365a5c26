package io.frameloom.benchmarks.driver;

import java.util.function.Supplier;

/**
 * One who takes part in a measurement.
 *
 * @param name the name in results; ours begin with {@code frameloom-}
 * @param reruns true when what is built once is run again and again
 * @param opener starts its threads
 */
public record Entrant(String name, boolean reruns, Supplier<? extends Session> opener) {}
