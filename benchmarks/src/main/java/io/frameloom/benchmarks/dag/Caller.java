package io.frameloom.benchmarks.dag;

/** Who launches a run and waits for it. */
public enum Caller {
    /** A thread that executes no task. */
    OUTSIDE,
    /** A task on one of the workers. */
    INSIDE
}
