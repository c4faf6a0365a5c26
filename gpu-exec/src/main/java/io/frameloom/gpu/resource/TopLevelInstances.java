package io.frameloom.gpu.resource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Writes the instances of a top level, 64 bytes each, to the memory of a buffer of usage {@link BufferUsage#STORAGE}:
 * what is mapped, or what is uploaded. Shaders may write the same. One thread at a time.
 */
public final class TopLevelInstances {
    /** Bytes of one instance. */
    public static final int BYTES = 64;
    /** Flag: triangles are hit from both sides. */
    public static final int NO_CULLING = 1;
    /** Flag: the other side of a triangle is its front. */
    public static final int FLIPPED = 2;
    /** Flag: all geometry counts as opaque. */
    public static final int OPAQUE = 4;
    /** Flag: no geometry counts as opaque. */
    public static final int NOT_OPAQUE = 8;

    private static final int TRANSFORM = 12;
    private static final int MOST = 0xFF_FFFF;

    private final ByteBuffer data;

    /**
     * Writes to the remaining bytes.
     *
     * @param data of native byte order
     */
    public TopLevelInstances(ByteBuffer data) {
        Objects.requireNonNull(data, "data must not be null");
        if (data.order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException("instances are written in native byte order, and their memory has "
                    + data.order() + "; set order(ByteOrder.nativeOrder())");
        }
        this.data = data;
    }

    /**
     * Adds an instance that every ray sees.
     *
     * @param bottom the bottom level
     * @param transform three rows of four: from its space to that of the top level
     * @param customIndex number that shaders find, of 24 bits
     */
    public TopLevelInstances add(AccelerationStructure bottom, float[] transform, int customIndex) {
        return add(bottom, transform, customIndex, 0xFF, 0, 0);
    }

    /**
     * Adds an instance.
     *
     * @param bottom the bottom level
     * @param transform three rows of four: from its space to that of the top level
     * @param customIndex number that shaders find, of 24 bits
     * @param mask 8 bits; a ray sees the instance if its mask has one of them
     * @param bindingTableOffset number of its first hit group in a binding table, of 24 bits
     * @param flags {@link #NO_CULLING} to {@link #NOT_OPAQUE}
     * @throws IllegalArgumentException if a number has more bits, or there is no room
     */
    public TopLevelInstances add(
            AccelerationStructure bottom,
            float[] transform,
            int customIndex,
            int mask,
            int bindingTableOffset,
            int flags) {
        String where = "instance of '" + bottom.name() + "'";
        if (bottom.level() != AccelerationStructure.Level.BOTTOM) {
            throw new IllegalArgumentException(where + ": it is a top level; instances refer to bottom levels");
        }
        if (transform.length != TRANSFORM) {
            throw new IllegalArgumentException(
                    where + ": a transform is three rows of four, 12 numbers, got " + transform.length);
        }
        require(where, "custom index", customIndex, MOST);
        require(where, "mask", mask, 0xFF);
        require(where, "binding table offset", bindingTableOffset, MOST);
        require(where, "flags", flags, NO_CULLING | FLIPPED | OPAQUE | NOT_OPAQUE);
        if (data.remaining() < BYTES) {
            throw new IllegalArgumentException(
                    where + " takes " + BYTES + " bytes, and " + data.remaining() + " remain; give more memory");
        }
        // Throws if it is closed, before anything is written.
        long address = bottom.address();
        for (float number : transform) {
            data.putFloat(number);
        }
        // The bits of the second number of each word are the upper ones.
        data.putInt(customIndex | mask << 24)
                .putInt(bindingTableOffset | flags << 24)
                .putLong(address);
        return this;
    }

    private static void require(String where, String what, int number, int most) {
        if (number < 0 || number > most) {
            throw new IllegalArgumentException(where + ": " + what + " is 0 to " + most + ", got " + number);
        }
    }
}
