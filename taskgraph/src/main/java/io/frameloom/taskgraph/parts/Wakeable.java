package io.frameloom.taskgraph.parts;

/** A wake-up that can wait until everything that was made ready has been published. */
public interface Wakeable {
    /** Wakes the thread that waits, if it really parks. */
    void wake();
}
