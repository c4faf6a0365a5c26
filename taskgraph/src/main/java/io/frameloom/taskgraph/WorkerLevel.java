package io.frameloom.taskgraph;

/**
 * The three levels of worker tasks. One pool of workers serves all of them; a free worker always takes
 * the highest level that has work. They stand in the order in which workers look for work.
 */
public enum WorkerLevel implements ExecutionTarget {
    /** Work that the current frame waits for. */
    HIGH,
    /** Ordinary frame work; the default target of a task. */
    NORMAL,
    /**
     * Work that may take longer than a frame (loading, compilation). It never occupies the reserved workers ({@link
     * TaskGraphBuilder#reservedWorkers(int)}) unless something more urgent waits for it ({@link
     * TaskGraphBuilder#priorityInheritance}). With a single worker it runs only when no work of a higher level is
     * queued.
     */
    BACKGROUND
}
