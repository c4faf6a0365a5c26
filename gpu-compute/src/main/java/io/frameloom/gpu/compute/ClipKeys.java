package io.frameloom.gpu.compute;

import java.nio.IntBuffer;

/**
 * Boxes whose coordinates are turned into integers of the same order, so that minimum and maximum are exact on every
 * device, subnormal numbers included. A box with a coordinate that is not a number is empty; minus zero is zero.
 */
final class ClipKeys {
    static final int WORDS = 4;

    private static final int NO_NUMBER = 0x7F80_0000;
    private static final int INFINITE = key(Float.floatToRawIntBits(Float.POSITIVE_INFINITY));
    private static final int NEGATIVE_INFINITE = key(Float.floatToRawIntBits(Float.NEGATIVE_INFINITY));

    private ClipKeys() {}

    /** Returns the key for a float's bits; and the bits for a key, which is the same. */
    static int key(int bits) {
        return bits ^ (bits >> 31 & Integer.MAX_VALUE);
    }

    static int[] of(ClipBox box) {
        int[] bits = {bits(box.x0()), bits(box.y0()), bits(box.x1()), bits(box.y1())};
        return of(IntBuffer.wrap(bits), 0);
    }

    private static int bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    static int[] of(IntBuffer boxes, int at) {
        int[] keys = new int[WORDS];
        for (int w = 0; w < WORDS; w++) {
            int bits = boxes.get(at + w);
            if ((bits & Integer.MAX_VALUE) > NO_NUMBER) {
                return new int[] {INFINITE, INFINITE, NEGATIVE_INFINITE, NEGATIVE_INFINITE};
            }
            keys[w] = bits == Integer.MIN_VALUE ? 0 : key(bits);
        }
        return keys;
    }

    static int[] everything() {
        return new int[] {Integer.MIN_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE};
    }

    /** Cuts a box by one that stands in memory. */
    static void cut(int[] box, IntBuffer by, int at) {
        box[0] = Math.max(box[0], by.get(at));
        box[1] = Math.max(box[1], by.get(at + 1));
        box[2] = Math.min(box[2], by.get(at + 2));
        box[3] = Math.min(box[3], by.get(at + 3));
    }

    static void put(IntBuffer to, int at, int[] words) {
        for (int w = 0; w < WORDS; w++) {
            to.put(at + w, words[w]);
        }
    }
}
