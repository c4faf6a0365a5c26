package io.frameloom.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.BufferUsage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses buffer ranges that a primitive cannot work with, before anything is recorded.
 *
 * @param primitive begins each message, such as {@code prefix scan 'sum-u32'}
 */
record RangeChecks(GpuDevice device, String primitive, StorageLimits limits) {
    /**
     * What a primitive does with the beginning of a range.
     *
     * @param bytes bytes from its beginning that are used
     * @param access how
     * @param discard whether their old contents are lost
     */
    record Part(String role, BufferRange range, long bytes, Access access, boolean discard, int alignment) {}

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

    /** Returns the use of a range that begins at any word. */
    Part part(String role, @Nullable BufferRange range, long bytes, Access access, boolean discard) {
        return new Part(role, present(role, range), bytes, access, discard, Integer.BYTES);
    }

    /** Returns the use of scratch memory. */
    Part scratch(@Nullable BufferRange range, long bytes) {
        String role = "scratch";
        return new Part(role, present(role, range), bytes, Access.STORAGE_READ_WRITE_COMPUTE, true, limits.alignment());
    }

    /** Checks each range, and that none that is written touches another. */
    void fit(List<Part> parts) {
        parts.forEach(this::fits);
        for (int i = 0; i < parts.size(); i++) {
            for (Part earlier : parts.subList(0, i)) {
                if (earlier.access().writes() || parts.get(i).access().writes()) {
                    apart(earlier, parts.get(i));
                }
            }
        }
    }

    /** Returns the uses of ranges that a pass declares. */
    static List<ResourceUse> uses(List<Part> parts) {
        List<ResourceUse> uses = new ArrayList<>();
        for (Part part : parts) {
            BufferRange range = part.range();
            uses.add(new ResourceUse.OfBuffer(
                    range.buffer(), range.offset(), part.bytes(), part.access(), part.discard()));
        }
        return uses;
    }

    /** Checks that a range is a storage buffer's, begins where it may and has room for what is used. */
    void fits(Part part) {
        String role = part.role();
        BufferRange there = part.range();
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
        if (there.offset() % part.alignment() != 0) {
            throw new IllegalArgumentException(primitive + ": the " + role + " begins at byte " + there.offset()
                    + " of buffer '" + name + "', which must be a multiple of " + part.alignment());
        }
        if (there.bytes() < part.bytes()) {
            throw new IllegalArgumentException(primitive + ": the " + role + " in buffer '" + name + "' has "
                    + there.bytes() + " bytes, but " + part.bytes() + " are needed; give it more");
        }
    }

    /** Checks that a list and the ranges that it shall use are of the device. */
    void sameDevice(CommandList list, List<Part> parts) {
        if (!device.queues().contains(present("list", list).queue())) {
            throw new IllegalArgumentException(primitive + ": command list '" + list.label()
                    + "' is of another device; record on one of the device that the primitive was made for");
        }
        for (Part part : parts) {
            if (!device.owns(part.range().buffer())) {
                throw new IllegalArgumentException(primitive + ": buffer '"
                        + part.range().buffer().name() + "' of the " + part.role()
                        + " is of another device; create it on the device that the primitive was made for");
            }
        }
    }

    private void apart(Part first, Part second) {
        BufferRange a = first.range();
        BufferRange b = second.range();
        if (a.buffer() == b.buffer()
                && a.offset() < b.offset() + second.bytes()
                && b.offset() < a.offset() + first.bytes()) {
            throw new IllegalArgumentException(primitive + ": the " + first.role() + " (bytes " + a.offset() + "+"
                    + first.bytes() + ") and the " + second.role() + " (bytes " + b.offset() + "+" + second.bytes()
                    + ") overlap in buffer '" + a.buffer().name() + "'; keep them apart");
        }
    }
}
