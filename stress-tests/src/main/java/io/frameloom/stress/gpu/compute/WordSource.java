package io.frameloom.stress.gpu.compute;

/** The words of an input by their index, so that the host holds none of the longest. Any thread may ask. */
@FunctionalInterface
interface WordSource {
    /** Returns 32 random bits of an index: the finaliser of SplitMix64. */
    static int random(long index) {
        long z = (index + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return (int) ((z ^ (z >>> 31)) >>> 32);
    }

    int word(long index);
}
