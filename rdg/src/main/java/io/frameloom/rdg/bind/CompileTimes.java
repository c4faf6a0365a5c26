package io.frameloom.rdg.bind;

/**
 * When a plan was made, on the clock of {@link System#nanoTime}.
 *
 * @param declaredNanos when the declaration of its graph began
 * @param beginNanos when its compilation began
 * @param thread number of the thread that compiled it
 */
public record CompileTimes(long declaredNanos, long beginNanos, long endNanos, long thread) {}
