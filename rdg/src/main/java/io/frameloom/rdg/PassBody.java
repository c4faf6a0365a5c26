package io.frameloom.rdg;

/** The commands of a pass. */
@FunctionalInterface
public interface PassBody {
    /**
     * Records the commands. Called once per frame in which the pass is not culled, by the worker that records the
     * pass's group; bodies of different groups run in parallel.
     */
    void record(PassContext context);
}
