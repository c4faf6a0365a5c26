package io.frameloom.taskgraph;

/** The order among tasks of the same queue: every queued HIGH task is taken before any NORMAL task. */
public enum TaskPriority {
    /** Taken first. */
    HIGH,
    /** The default. */
    NORMAL
}
