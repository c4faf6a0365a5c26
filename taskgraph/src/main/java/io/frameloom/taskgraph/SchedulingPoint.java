package io.frameloom.taskgraph;

/** A kind of place in the protocols of a graph at which another thread may go first. */
public enum SchedulingPoint {
    /** A task is about to be set up. */
    DISPATCH,
    /** A task, a waiter or a gate is about to be registered with an event. */
    REGISTER,
    /** A count is about to be taken off what a task still waits for. */
    COUNT,
    /** A ready task is about to be put into a queue. */
    ENQUEUE,
    /** The urgency of something that a more urgent task or thread needs is about to be raised. */
    PROMOTE,
    /** A thread is about to look for a task in its queues. */
    TAKE,
    /** A thread is about to claim a queued task for itself. */
    CLAIM,
    /** A body is about to run. */
    BODY,
    /** An event is about to complete. */
    COMPLETE,
    /** A thread is about to wait for an event. */
    AWAIT,
    /** A thread that found nothing is about to announce a park. */
    ANNOUNCE,
    /** A thread has announced a park and looks at what it waits for a last time. */
    RECHECK,
    /** A thread has looked a last time and is about to park. */
    PARK,
    /** A thread is about to wake another. */
    WAKE,
    /** A named thread is about to be attached, detached or asked to return. */
    ATTACH,
    /** A graph is about to take the next step of its closing. */
    CLOSE,
    /** A point that a program under test has put into its own code. */
    USER
}
