package io.frameloom.benchmarks.dag;

/**
 * The generator of the random shapes. Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
 * Generators", OOPSLA 2014.
 */
public final class SplitMix64 {
    private long state;

    /** Starts at the given state. */
    public SplitMix64(long state) {
        this.state = state;
    }

    /** The next 64 bits. */
    public long next() {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** A number in {@code [0, bound)}. */
    public int below(int bound) {
        return (int) (((next() >>> 32) * bound) >>> 32);
    }

    /**
     * Draws distinct numbers below a bound; one already drawn is drawn again.
     *
     * @param into receives the numbers from index 0
     * @param count how many
     * @param bound exclusive upper bound, at least {@code count}
     */
    public void distinctBelow(int[] into, int count, int bound) {
        for (int drawn = 0; drawn < count; ) {
            int candidate = below(bound);
            boolean known = false;
            for (int index = 0; index < drawn; index++) {
                known |= into[index] == candidate;
            }
            if (!known) {
                into[drawn++] = candidate;
            }
        }
    }
}
