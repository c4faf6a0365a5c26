package io.frameloom.gpu.compute;

import io.frameloom.gpu.CpuKernel;
import java.nio.ByteBuffer;

/** The shaders of a compaction for the virtual GPU. */
final class CompactKernels {
    private CompactKernels() {}

    private static int word(ByteBuffer bytes, int at) {
        return bytes.getInt(at * Integer.BYTES);
    }

    private static int flag(ByteBuffer keep, int base, int element) {
        return word(keep, base + element / Integer.SIZE) >>> (element % Integer.SIZE) & 1;
    }

    /** A 1 for each element that stays. */
    static final class Mark implements CpuKernel {
        @Override
        public void dispatch(Invocation invocation) {
            ByteBuffer push = invocation.pushConstants();
            ByteBuffer keep = invocation.bytes("CompactKeep");
            ByteBuffer places = invocation.bytes("CompactPlaces");
            for (int e = 0; e < push.getInt(0); e++) {
                places.putInt((push.getInt(8) + e) * Integer.BYTES, flag(keep, push.getInt(4), e));
            }
        }
    }

    /** Says that of no elements none stays. */
    static final class None implements CpuKernel {
        @Override
        public void dispatch(Invocation invocation) {
            invocation.bytes("CompactCount").putInt(invocation.pushConstants().getInt(0) * Integer.BYTES, 0);
        }
    }

    /** Moves the elements that stay. */
    static final class Move implements CpuKernel {
        @Override
        public void dispatch(Invocation invocation) {
            ByteBuffer push = invocation.pushConstants();
            int count = push.getInt(0);
            int words = push.getInt(20);
            int base = push.getInt(36);
            ByteBuffer keep = invocation.bytes("CompactKeep");
            ByteBuffer places = invocation.bytes("CompactPlaces");
            ByteBuffer input = invocation.bytes("CompactInput");
            ByteBuffer output = invocation.bytes("CompactOutput");
            for (int e = 0; e < count; e++) {
                if (flag(keep, push.getInt(4), e) == 0) {
                    continue;
                }
                int place = word(places, base + e) - push.getInt(24);
                if (place < 0 || place >= push.getInt(28)) {
                    continue;
                }
                for (int w = 0; w < words; w++) {
                    int at = push.getInt(12) + place * words + w;
                    output.putInt(at * Integer.BYTES, word(input, push.getInt(8) + e * words + w));
                }
            }
            if (push.getInt(32) != 0) {
                int kept = word(places, base + count - 1) + flag(keep, push.getInt(4), count - 1);
                invocation.bytes("CompactCount").putInt(push.getInt(16) * Integer.BYTES, kept);
            }
        }
    }
}
