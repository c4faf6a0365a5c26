package io.frameloom.taskgraph.deterministic;

import java.util.List;

/** Decides which thread goes on. Used by one run, by the thread that has the baton. */
interface Policy {
    /**
     * The next thread to run.
     *
     * @param ready the threads that can run, oldest first; at least one
     * @param current the thread that has the baton, which may not be able to run
     * @param step the number of decisions made before this one
     */
    ControlledThread choose(List<ControlledThread> ready, ControlledThread current, int step);
}
