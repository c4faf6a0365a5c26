package io.frameloom.taskgraph;

/** A wake-up that can wait until everything that was made ready has been published. */
interface Wakeable {
    /** Wakes whoever waits, if it really parks. */
    void wake();
}
