package io.frameloom.rdg;

/** Which stages of a queue a wait for another queue holds back. */
public enum WaitStageScope {
    /**
     * All commands after the wait. This gives the fewest waits, since one serves everything that comes later on its
     * queue.
     */
    ALL,
    /**
     * Only the stages in which the waiting pass uses what it waits for, so its earlier stages may run ahead. Such a
     * wait orders no other stage of its queue. So later passes may need further waits, which cut further batches, and
     * queues share less memory.
     */
    EXACT
}
