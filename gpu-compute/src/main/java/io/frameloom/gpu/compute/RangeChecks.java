package io.frameloom.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.BufferUsage;
import org.jspecify.annotations.Nullable;

/** Refuses buffer ranges that a primitive cannot work with, before anything is recorded. */
final class RangeChecks {
    private final GpuDevice device;
    private final String primitive;

    /**
     * Checks for a primitive of a device.
     *
     * @param primitive begins each message, such as {@code prefix scan 'sum-u32'}
     */
    RangeChecks(GpuDevice device, String primitive) {
        this.device = device;
        this.primitive = primitive;
    }

    /** Checks that the primitive is open. */
    void open(boolean closed) {
        if (closed) {
            throw new IllegalStateException(primitive + " is closed; record it before that");
        }
    }

    /** Returns {@code value}, which must be there. */
    <T> T present(String role, @Nullable T value) {
        if (value == null) {
            throw new NullPointerException(primitive + " needs its " + role + ", got null");
        }
        return value;
    }

    /** Checks a length. */
    void length(long length, long max, String way) {
        if (length < 0) {
            throw new IllegalArgumentException(primitive + ": length must not be negative, but is " + length);
        }
        if (length > max) {
            throw new IllegalArgumentException(primitive + ": length " + length + " is beyond " + max + ", " + way);
        }
    }

    /** Checks that a range is a storage buffer's, begins where it may and has room for {@code needed} bytes. */
    void range(String role, @Nullable BufferRange range, long needed, long alignment) {
        BufferRange there = present(role, range);
        String name = present(role + "'s buffer", there.buffer()).name();
        if (there.buffer().isClosed()) {
            throw new IllegalStateException(primitive + ": buffer '" + name + "' of the " + role + " is closed");
        }
        if (!there.buffer().description().usage().contains(BufferUsage.STORAGE)) {
            throw new IllegalArgumentException(primitive + ": buffer '" + name + "' of the " + role
                    + " was created without usage STORAGE; add it to its description");
        }
        long size = there.buffer().description().bytes();
        if (there.offset() < 0 || there.bytes() < 0 || there.offset() > size - there.bytes()) {
            throw new IllegalArgumentException(primitive + ": the " + role + " is the range " + there.offset() + "+"
                    + there.bytes() + ", which is not within buffer '" + name + "' of " + size + " bytes");
        }
        if (there.offset() % alignment != 0) {
            throw new IllegalArgumentException(primitive + ": the " + role + " begins at byte " + there.offset()
                    + " of buffer '" + name + "', which must be a multiple of " + alignment);
        }
        if (there.bytes() < needed) {
            throw new IllegalArgumentException(primitive + ": the " + role + " in buffer '" + name + "' has "
                    + there.bytes() + " bytes, but " + needed + " are needed; give it more");
        }
    }

    /** Checks that a list is of the device. */
    void sameDevice(CommandList list) {
        if (!device.queues().contains(present("list", list).queue())) {
            throw new IllegalArgumentException(primitive + ": command list '" + list.label()
                    + "' is of another device; record on one of the device that the primitive was made for");
        }
    }

    /** Checks that a range, which must be there, is of the device. */
    void sameDevice(String role, BufferRange range) {
        if (!device.owns(range.buffer())) {
            throw new IllegalArgumentException(primitive + ": buffer '"
                    + range.buffer().name() + "' of the " + role
                    + " is of another device; create it on the device that the primitive was made for");
        }
    }

    /** Checks that the first bytes of two ranges do not touch. */
    void apart(String role, BufferRange a, long aBytes, String otherRole, BufferRange b, long bBytes) {
        if (overlap(a, aBytes, b, bBytes)) {
            throw new IllegalArgumentException(primitive + ": the " + role + " (bytes " + a.offset() + "+" + aBytes
                    + ") and the " + otherRole + " (bytes " + b.offset() + "+" + bBytes + ") overlap in buffer '"
                    + a.buffer().name() + "'; keep them apart");
        }
    }

    /** Returns whether the first bytes of two ranges share one. */
    static boolean overlap(BufferRange a, long aBytes, BufferRange b, long bBytes) {
        return a.buffer() == b.buffer() && a.offset() < b.offset() + bBytes && b.offset() < a.offset() + aBytes;
    }
}
