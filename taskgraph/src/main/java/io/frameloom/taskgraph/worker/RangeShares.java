package io.frameloom.taskgraph.worker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The pieces {@code 0 .. pieces - 1} of a loop, dealt out in contiguous shares. Each participant takes the pieces of
 * its own share from the front. Once that is used up, it takes half of the rest of another's from the back and goes on
 * with that. (The lazy splitting of ranges, as in enkiTS and in Robison, Voss and Kukanov, "Optimization via Reflection
 * on Work Stealing in TBB".)
 *
 * <pre>
 *   63              32 31               0
 *  +------------------+------------------+
 *  |  next of a share |  its end         |   one word per share, on cache lines of its own
 *  +------------------+------------------+
 * </pre>
 *
 * <p><b>Who calls what.</b> {@link #next}: for each share one thread at a time, its owner; a share without
 * an owner is used up by the others.
 *
 * <p><b>Linearization.</b> At the compare-and-set with which a piece leaves the word it stands in. A word is the whole
 * state of a share, so a compare-and-set that succeeds is right however often the word has changed since (no ABA).
 * <b>Invariant.</b> Each piece that was not given out stands in one word, or is on its way from one to another in the
 * hands of a thief, which is about to store it. Only the owner writes to an empty share. <b>Memory order.</b> The words
 * order nothing but themselves: atomicity is enough. <b>Death of a thief.</b> Between its compare-and-set and its store
 * a thief allocates nothing and runs no other code. If its stack ends there nonetheless, the pieces in its hands are
 * lost. So if {@code next} throws, the loop must fail. <b>Progress.</b> {@code next} is lock-free; {@code NONE} means
 * that other threads hold the remaining pieces.
 */
public final class RangeShares {
    /** No piece is left to take. */
    public static final int NONE = -1;

    /** Longs from one share to the next: 128 bytes, as the neighbouring line is prefetched. */
    private static final int STRIDE = 16;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final int shares;
    private final long[] words;

    /** Deals out pieces, 0 or more, in shares, 1 or more. */
    public RangeShares(int pieces, int shares) {
        this.shares = shares;
        words = new long[STRIDE * (shares + 2)];
        for (int share = 0; share < shares; share++) {
            words[word(share)] = range(bound(pieces, shares, share), bound(pieces, shares, share + 1));
        }
    }

    private static int bound(int pieces, int shares, int share) {
        return (int) ((long) pieces * share / shares);
    }

    /** Takes a piece, for the owner of a share. Returns {@link #NONE} if there is none. */
    public int next(int own) {
        long seen = rangeVolatile(own);
        while (length(seen) > 0) {
            // Guards race 37: see loop.OwnerAgainstThiefStress.
            if (casRange(own, seen, range(begin(seen) + 1, end(seen)))) {
                return begin(seen);
            }
            seen = rangeVolatile(own);
        }
        return steal(own);
    }

    private int steal(int own) {
        for (int i = 1; i < shares; i++) {
            int victim = own + i < shares ? own + i : own + i - shares;
            long seen = rangeVolatile(victim);
            while (length(seen) > 0) {
                int middle = begin(seen) + length(seen) / 2;
                // Guards race 37: see loop.OwnerAgainstThiefStress and loop.ThiefAgainstThiefStress.
                if (casRange(victim, seen, range(begin(seen), middle))) {
                    if (middle + 1 < end(seen)) {
                        setRangeRelease(own, range(middle + 1, end(seen)));
                    }
                    return middle;
                }
                seen = rangeVolatile(victim);
            }
        }
        return NONE;
    }

    private static long range(int begin, int end) {
        return (long) begin << 32 | end;
    }

    private static int begin(long range) {
        return (int) (range >>> 32);
    }

    private static int end(long range) {
        return (int) range;
    }

    private static int length(long range) {
        return end(range) - begin(range);
    }

    /** A stride before and one after are pads. */
    private static int word(int share) {
        return STRIDE * (share + 1);
    }

    private long rangeVolatile(int share) {
        return (long) WORD.getVolatile(words, word(share));
    }

    private boolean casRange(int share, long expected, long desired) {
        return WORD.compareAndSet(words, word(share), expected, desired);
    }

    private void setRangeRelease(int share, long range) {
        WORD.setRelease(words, word(share), range);
    }
}
