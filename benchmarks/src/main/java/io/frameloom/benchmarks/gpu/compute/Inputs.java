package io.frameloom.benchmarks.gpu.compute;

import java.util.Locale;

/** The inputs, each a function of the index alone. */
final class Inputs {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    /** One segment in about as many elements. */
    private static final int SEGMENT = 1000;

    private static final int TOOTH = 10_000;
    private static final int PARTITION = 1024;

    private Inputs() {}

    /** The finaliser of SplitMix64 on the index: 32 random bits. */
    static int random(long index) {
        long z = (index + 1) * GOLDEN;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return (int) ((z ^ (z >>> 31)) >>> 32);
    }

    /** Floats of small whole numbers around zero: their sums up to 2^28 elements are exact in any order. */
    static int smallFloat(long index) {
        return Float.floatToRawIntBits((random(index) >>> 8) % 19 - 9);
    }

    /** Closes and opens left of a stretch of brackets, few of each. */
    static int bicyclic(long index) {
        return (random(index) >>> 8) % 3;
    }

    /** Bits of where segments begin. */
    static int heads(long index) {
        int bits = 0;
        for (int b = 0; b < Integer.SIZE; b++) {
            if ((random(index * Integer.SIZE + b) >>> 8) % SEGMENT == 0) {
                bits |= 1 << b;
            }
        }
        return bits;
    }

    /** Rows of brackets: what random ones are, and what is worst for a matching. */
    enum Brackets {
        /** Opens and closes alike. */
        RANDOM {
            @Override
            boolean opens(long index, long length) {
                return Inputs.random(index) < 0;
            }
        },
        /** Half open, half closed: as deep as can be. */
        MOUNTAIN {
            @Override
            boolean opens(long index, long length) {
                return index < length / 2;
            }
        },
        /** Opens and closes in turn: as shallow as can be. */
        ALTERNATING {
            @Override
            boolean opens(long index, long length) {
                return index % 2 == 0;
            }
        },
        /** On a quarter that opens, teeth across several partitions; then all is closed. */
        ZIGZAG {
            @Override
            boolean opens(long index, long length) {
                return index < length / 4 || (index < length / 4 * 3 && index / TOOTH % 2 == 0);
            }
        },
        /** Half closed, half open: nothing matches. */
        VALLEY {
            @Override
            boolean opens(long index, long length) {
                return index >= length / 2;
            }
        },
        /** All closed: the stack is never anything but empty. */
        CLOSES {
            @Override
            boolean opens(long index, long length) {
                return false;
            }
        },
        /** Two opens left by each partition (it cannot be one of an even number), then a drain that closes them. */
        DRAIN {
            @Override
            boolean opens(long index, long length) {
                return index < length / 2 && (index % PARTITION == 0 || index % 2 == 1);
            }
        },
        /** The longest chains of links between partitions of 256 in the matching of 2021. */
        ADVERSARY_256 {
            @Override
            boolean opens(long index, long length) {
                return opensInChains(index, length, 256);
            }
        },
        /** The same for partitions of 1024. */
        ADVERSARY_1024 {
            @Override
            boolean opens(long index, long length) {
                return opensInChains(index, length, 1024);
            }
        };

        /**
         * Of each two partitions the first closes one and opens the others, the second opens two and closes the others:
         * each first one wants entries that only links to ever earlier ones find.
         */
        private static boolean opensInChains(long index, long length, int partition) {
            long within = index % partition;
            return index < length - length / 8 && (index / partition % 2 == 0 ? within >= 1 : within < 2);
        }

        /** Returns what reports call it. */
        String title() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        abstract boolean opens(long index, long length);
    }
}
