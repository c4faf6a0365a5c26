package io.frameloom.stress.counter;

import io.frameloom.taskgraph.parts.PrerequisiteCounter;

/** The shipped counter with its operations made public. */
public final class OpenCounter extends PrerequisiteCounter {
    /** A counter. */
    public OpenCounter(int outstanding) {
        super(outstanding);
    }

    /** Takes one off. */
    public boolean one() {
        return completeOne();
    }

    /** Takes several off. */
    public boolean several(int n) {
        return complete(n);
    }

    /** Adds one unless the count is zero. */
    public boolean addOne() {
        return tryAdd();
    }

    /** What is left. */
    public int left() {
        return outstanding();
    }
}
