package io.frameloom.rdg;

/** Which stages of a queue a wait for another queue holds back. */
public enum WaitStageScope {
    /** All commands behind the wait: the fewest waits, since one serves everything that comes later on its queue. */
    ALL,
    /**
     * The stages alone in which the waiting pass uses what it waits for, so that its earlier stages may run ahead. Such a wait
     * tells the other stages of its queue nothing: passes behind it may need further waits, which cut further batches, and less
     * memory is shared between queues.
     */
    EXACT
}
