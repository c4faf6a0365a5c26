package io.frameloom.taskgraph;

/** What a node of a compiled graph does, depending on how the node at the other end of the edge ended. */
public enum EdgePolicy {
    /** If that node failed, or was skipped because of a failure, this one is skipped and counts as failed. */
    SKIP,
    /** The body runs whatever became of that node. */
    RUN_ANYWAY,
    /**
     * The body runs only if that node failed or was skipped because of a failure (of several such edges:
     * if any did). Otherwise the node is passed through and does not count as failed.
     */
    RUN_ON_FAILURE
}
