package io.frameloom.taskgraph;

/** Receives the end of one run of a compiled graph, see {@link TaskObserver#runStarted}. */
@FunctionalInterface
public interface RunObserver {
    /**
     * The run has ended. Called once, by the last thread that took part, before the run counts as complete;
     * must neither block nor throw.
     *
     * @param run what the run did
     */
    void runFinished(RunProfile run);
}
