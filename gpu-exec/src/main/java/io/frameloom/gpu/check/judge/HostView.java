package io.frameloom.gpu.check.judge;

/**
 * What the host knows to be done because it has waited for points of timelines, and which of it it may rely on.
 *
 * <p>A point that is reached after some stages makes available the writes of these stages, but not those of the earlier
 * stages that it follows as well. The specification says so of everything that names source stages ("Its first access
 * scope only includes memory accesses performed by pipeline stages explicitly specified in the source stage mask",
 * "Pipeline Stages"). Its words on semaphores ("Semaphore Signaling") limit the first synchronisation scope by the
 * stages and let the first access scope be all of the device's, which can be read to say more. A program that is right
 * by the narrower reading is right by both, so the checker takes that one, for queues and for the host. A host that has
 * seen a write executed and not made available may not rely on it, nor may what it submits.
 */
final class HostView {
    private final Past past;
    private final Shown shown;
    private long waits;

    HostView() {
        this(new Past(), new Shown(), 0);
    }

    private HostView(Past past, Shown shown, long waits) {
        this.past = past;
        this.shown = shown;
        this.waits = waits;
    }

    HostView copy() {
        return new HostView(past.copy(), shown.copy(), waits);
    }

    /** Notes a wait; its point may be unknown by now. */
    void waited() {
        waits++;
    }

    long waits() {
        return waits;
    }

    /** Notes that a point was reached. */
    void sees(Signal signal) {
        past.raise(signal.past());
        shown.raise(signal.shown());
    }

    /** Returns what has executed, and the writes made available, those of barriers of one resource left out. */
    Past past() {
        return past;
    }

    Shown shown() {
        return shown;
    }

    boolean hasExecuted(MemoryWrite write) {
        return past.hasExecuted(write);
    }

    /** Returns whether a write is done and available, so that all later submissions see it. */
    boolean hasSeen(MemoryWrite write) {
        return past.hasAvailable(write);
    }

    /** Returns whether a point adds nothing to what is known. */
    boolean hasSeen(Signal signal) {
        return signal.past().sameAbove(past, new Past()) && signal.shown().sameAbove(shown, new Shown());
    }

    boolean sameAs(HostView other) {
        return past.sameAbove(new Past(), other.past) && shown.sameAbove(new Shown(), other.shown);
    }
}
