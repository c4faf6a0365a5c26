/**
 * Benchmarks of the task graph: one package per shape, one file per contender, one driver.
 *
 * <p>{@link io.frameloom.benchmarks.Main} times whole graphs in one JVM with interleaved contenders;
 * the package {@code micro} holds JMH benchmarks of single operations.
 */
@NullMarked
package io.frameloom.benchmarks;

import org.jspecify.annotations.NullMarked;
