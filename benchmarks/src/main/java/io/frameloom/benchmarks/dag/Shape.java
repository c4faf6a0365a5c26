package io.frameloom.benchmarks.dag;

/** A named graph and the way it is run. Implementations build the same graph each time. */
public interface Shape {
    /** The name on the command line and in results. */
    String name();

    /** Builds the graph. */
    Dag dag();

    /** Who launches a run and waits for it. */
    default Caller caller() {
        return Caller.OUTSIDE;
    }

    /** The smallest number of runs that make one sample. */
    default int runsPerSample() {
        return 1;
    }
}
