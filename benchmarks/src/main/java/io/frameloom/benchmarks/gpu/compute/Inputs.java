package io.frameloom.benchmarks.gpu.compute;

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
        /** One open left by each partition, then a drain that closes one of each. */
        DRAIN {
            @Override
            boolean opens(long index, long length) {
                return index < length / 2 && (index % PARTITION == 0 || index % 2 == 1);
            }
        },
        /** Every second partition closes half of what the one before opened: the longest chains of the matching of 2021. */
        ADVERSARY {
            @Override
            boolean opens(long index, long length) {
                boolean second = index / PARTITION % 2 == 1;
                return index < length / 4 * 3
                        && (second ? index % PARTITION < PARTITION / 4 : index % PARTITION % 4 != 3);
            }
        };

        abstract boolean opens(long index, long length);
    }
}
