package io.frameloom.taskgraph.parts;

/** A wake-up that can wait until everything that was made ready has been published. */
public interface Wakeable {
    /** Wakes whoever waits, if it really parks. */
    void wake();
}
