package io.frameloom.gpu.virtual.memory;

/** The finalizer of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators"). */
public final class Mix {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Mix() {}

    static long mix(long value) {
        long z = value + GOLDEN;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    public static long mix(long first, long second) {
        return mix((first * GOLDEN) ^ mix(second));
    }

    public static long mix(long seed, CharSequence text) {
        long hash = mix(seed, text.length());
        for (int i = 0; i < text.length(); i++) {
            hash = hash * 31 + text.charAt(i);
        }
        return mix(hash);
    }
}
