package io.frameloom.gpu.check.judge;

/**
 * What a timeline point follows.
 *
 * @param past earlier work
 * @param shown what was made visible and available to the host
 * @param sequence sequence number of the queue at the signal
 */
record Signal(Past past, Shown shown, long sequence) {
    /** Returns the signal of a point that follows what both of two follow; {@code sequence} is the later one's. */
    Signal with(Signal later) {
        Past both = past.copy();
        both.raise(later.past);
        Shown toHost = shown.copy();
        toHost.raise(later.shown);
        return new Signal(both, toHost, later.sequence);
    }

    /** Returns whether both order the same, given what the host has seen. */
    boolean sameAbove(HostView host, Signal other) {
        return past.sameAbove(host.past(), other.past) && shown.sameAbove(host.shown(), other.shown);
    }
}
