package io.frameloom.gpu.check.judge;

/**
 * The earlier work that something follows: what has executed before it, and which writes were made available to it by
 * signals and by barriers of all memory. Barriers of one resource are kept with the writes ({@link MemoryWrite}), and
 * count once they have executed.
 *
 * @param available writes made available, or visible where visibility is the question
 */
record Past(Clock executed, Clock available) {
    /** The past of something that follows nothing. */
    Past() {
        this(new Clock(), new Clock());
    }

    static Past[] ofNothing(int count) {
        Past[] all = new Past[count];
        for (int i = 0; i < count; i++) {
            all[i] = new Past();
        }
        return all;
    }

    Past copy() {
        return new Past(executed.copy(), available.copy());
    }

    static Past[] copies(Past[] from) {
        Past[] all = new Past[from.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = from[i].copy();
        }
        return all;
    }

    void raise(Past other) {
        executed.raise(other.executed);
        available.raise(other.available);
    }

    boolean hasExecuted(MemoryWrite write) {
        return executed.covers(write);
    }

    /** Returns whether a write has executed and is available to whatever follows this. */
    boolean hasAvailable(MemoryWrite write) {
        return available.covers(write) || write.availableBefore(executed);
    }

    /** Returns whether two pasts are equal in everything that is not in {@code floor} anyway. */
    boolean sameAbove(Past floor, Past other) {
        return executed.sameAbove(floor.executed, other.executed)
                && available.sameAbove(floor.available, other.available);
    }

    static boolean sameAbove(Past floor, Past[] mine, Past[] theirs) {
        if (mine.length != theirs.length) {
            return false;
        }
        for (int i = 0; i < mine.length; i++) {
            if (!mine[i].sameAbove(floor, theirs[i])) {
                return false;
            }
        }
        return true;
    }
}
