package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.parts.PaddedLong;

/**
 * Lets threads enter as long as it is open, and reports the last one that leaves after it was closed.
 *
 * <pre>
 *   32    31                0
 *  +------+------------------+
 *  | open | inside           |
 *  +------+------------------+
 * </pre>
 *
 * <p>{@link #open} by one thread while the gate is closed and empty; {@link #tryEnter} and {@link #isOpen} by any;
 * {@link #close} by one thread inside; {@link #leave} once by each thread that entered. <b>Linearization.</b> At the
 * read-modify-writes of the word. <b>Memory order.</b> They are all volatile: the last to leave sees what all did
 * inside, and each that enters sees what was done before the opening ({@code GateStress}). <b>Progress.</b> Lock-free.
 */
public final class ParticipantGate {
    private static final long OPEN = 1L << 32;

    private final PaddedLong word = new PaddedLong(0L);

    /** A closed, empty gate. */
    public ParticipantGate() {}

    /** Opens the gate, with so many inside from the beginning. */
    public void open(int inside) {
        word.setVolatile(OPEN | inside);
    }

    /** Enters. Returns false if the gate is closed. */
    public boolean tryEnter() {
        while (true) {
            long seen = word.valueVolatile();
            if (seen < OPEN) {
                return false;
            }
            if (word.cas(seen, seen + 1)) {
                return true;
            }
        }
    }

    /** Closes the gate; those inside stay until they leave. */
    public void close() {
        word.getAndAdd(-OPEN);
    }

    /** Leaves. Returns true for the last one to leave a closed gate. */
    public boolean leave() {
        return word.getAndAdd(-1L) == 1L;
    }

    public boolean isOpen() {
        return word.valueVolatile() >= OPEN;
    }
}
