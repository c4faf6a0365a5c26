package io.frameloom.gpu.virtual.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The origin of bytes: either a repeated unit (fills and clears) or a sequence derived from a stamp (results of
 * simulated work and clobbered memory).
 *
 * @param stamp identity of the contents
 * @param origin address at which the sequence begins
 * @param unit repeated bytes, or null for a sequence derived from the stamp
 * @param simulated whether simulated work has left it: neither a result nor garbage
 */
@SuppressWarnings("ArrayRecordComponent")
public record Pattern(long stamp, long origin, byte @Nullable [] unit, boolean simulated) {
    public static Pattern ofStamp(long stamp, long origin) {
        return new Pattern(stamp, origin, null, false);
    }

    /** The contents that simulated work leaves. */
    public static Pattern ofWork(long stamp, long origin) {
        return new Pattern(stamp, origin, null, true);
    }

    public static Pattern ofUnit(byte[] unit, long origin) {
        long stamp = unit.length;
        for (byte value : unit) {
            stamp = Mix.mix(stamp, value);
        }
        return new Pattern(stamp, origin, unit, false);
    }

    public static Pattern ofWord(int word, long origin) {
        return ofUnit(
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putInt(word)
                        .array(),
                origin);
    }

    Pattern moved(long distance) {
        return new Pattern(stamp, origin + distance, unit, simulated);
    }

    boolean continues(Pattern other) {
        return stamp == other.stamp && origin == other.origin && Arrays.equals(unit, other.unit);
    }

    /** Writes the bytes of addresses {@code address} and following into the remaining bytes of {@code target}. */
    void write(ByteBuffer target, long address) {
        long relative = address - origin;
        if (unit != null) {
            int at = (int) Math.floorMod(relative, (long) unit.length);
            while (target.hasRemaining()) {
                target.put(unit[at]);
                at = at + 1 == unit.length ? 0 : at + 1;
            }
            return;
        }
        target.order(ByteOrder.LITTLE_ENDIAN);
        while (target.hasRemaining()) {
            long word = Mix.mix(stamp, relative >> 3);
            int skip = (int) (relative & 7);
            if (skip == 0 && target.remaining() >= 8) {
                target.putLong(word);
                relative += 8;
            } else {
                target.put((byte) (word >>> (8 * skip)));
                relative++;
            }
        }
    }
}
