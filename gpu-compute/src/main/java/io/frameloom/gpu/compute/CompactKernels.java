package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.CpuKernel.Invocation;
import java.nio.ByteBuffer;

/** The shaders of a compaction for the virtual GPU. */
final class CompactKernels {
    private CompactKernels() {}

    private static int word(ByteBuffer bytes, int at) {
        return bytes.getInt(at * Integer.BYTES);
    }

    private static int stays(int flags, int element) {
        return flags >>> (element % Integer.SIZE) & 1;
    }

    /** Returns how many of the first flags of a word are set; fewer than 32. */
    private static int set(int flags, int first) {
        return Integer.bitCount(flags & (1 << first) - 1);
    }

    /** How many elements stay of each 32. */
    static void tally(Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        ByteBuffer keep = invocation.bytes("CompactKeep");
        ByteBuffer places = invocation.bytes("CompactPlaces");
        for (int w = 0; w < push.getInt(0); w++) {
            int stay = Integer.bitCount(word(keep, push.getInt(4) + w));
            places.putInt((push.getInt(8) + w) * Integer.BYTES, stay);
        }
    }

    /** Writes a count of zero. */
    static void none(Invocation invocation) {
        invocation.bytes("CompactCount").putInt(invocation.pushConstants().getInt(0) * Integer.BYTES, 0);
    }

    /** Moves the elements that stay. */
    static void move(Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        int count = push.getInt(0);
        int words = push.getInt(20);
        ByteBuffer keep = invocation.bytes("CompactKeep");
        ByteBuffer places = invocation.bytes("CompactPlaces");
        ByteBuffer input = invocation.bytes("CompactInput");
        ByteBuffer output = invocation.bytes("CompactOutput");
        for (int e = 0; e < count; e++) {
            int flags = word(keep, push.getInt(4) + e / Integer.SIZE);
            int place = word(places, push.getInt(36) + e / Integer.SIZE) + set(flags, e % Integer.SIZE);
            if (push.getInt(32) != 0 && e == count - 1) {
                invocation.bytes("CompactCount").putInt(push.getInt(16) * Integer.BYTES, place + stays(flags, e));
            }
            int local = place - push.getInt(24);
            if (stays(flags, e) == 0 || local < 0 || local >= push.getInt(28)) {
                continue;
            }
            for (int w = 0; w < words; w++) {
                int at = push.getInt(12) + local * words + w;
                output.putInt(at * Integer.BYTES, word(input, push.getInt(8) + e * words + w));
            }
        }
    }
}
