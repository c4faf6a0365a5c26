package io.frameloom.taskgraph;

/** A kind of place in the protocols of a graph at which another thread may go first. */
public enum SchedulingPoint {
    /** A task is about to be set up. */
    DISPATCH,
    /** A ready task is about to be put into a queue. */
    ENQUEUE,
    /** A thread is about to look for a task in its queues. */
    TAKE,
    /** A body is about to run. */
    BODY,
    /** An event is about to complete. */
    COMPLETE,
    /** A thread is about to wait for an event. */
    AWAIT,
    /** A thread has announced a park and looks at what it waits for a last time. */
    RECHECK,
    /** A thread is about to wake another. */
    WAKE,
    /** A graph is about to close. */
    CLOSE
}
