package io.frameloom.stress.gpu.compute;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Where in their buffers inputs and outputs begin. Primitives read and write vectors of four words where they may. */
enum Placement {
    /** At a word that is no multiple of four. */
    UNALIGNED(GuardedBuffer.CANARY_WORDS),
    /** At a multiple of four words, which is none of eight. */
    ALIGNED(GuardedBuffer.CANARY_WORDS + 1);

    private final int before;

    Placement(int before) {
        this.before = before;
    }

    /** Returns the words in front. */
    int before() {
        return before;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns a placement for each run: these by turns. */
    static List<Placement> byTurns(List<Placement> placements, int runs) {
        List<Placement> all = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            all.add(placements.get(run % placements.size()));
        }
        return all;
    }
}
