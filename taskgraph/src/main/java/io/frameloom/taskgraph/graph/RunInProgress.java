package io.frameloom.taskgraph.graph;

import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.FailStop;

/**
 * The engine's view of a compiled graph: the threads that wait for its runs, and for what. Any thread may call any
 * method.
 */
public interface RunInProgress {
    /** Whether no run is in progress. */
    boolean isComplete();

    /** Whether the end of the run in progress triggers the event; for reports. */
    boolean triggers(CoreEvent asked);

    /** Lets the threads that wait for the run go on, see {@link FailStop}. */
    void releaseAll();
}
