package io.frameloom.gpu.resource;

import io.frameloom.gpu.internal.MaskSet;
import java.util.EnumSet;
import java.util.Set;

/**
 * The shape of a buffer.
 *
 * @param bytes size, at least 1
 * @param usage what the buffer may be used for. May be empty only for a transient of a render graph, which completes it
 * @param memory where it lives
 * @param sharing which queue families may use it; for an imported buffer the import decides
 */
public record BufferDescription(long bytes, Set<BufferUsage> usage, MemoryUsage memory, QueueSharing sharing) {
    private static final BufferUsage[] USAGES = BufferUsage.values();

    public BufferDescription {
        if (bytes < 1) {
            throw new IllegalArgumentException("buffer size must be at least 1 byte, got " + bytes);
        }
        usage = MaskSet.copyOf(USAGES, usage);
    }

    /** The description of a buffer that the families of all queues share. */
    public BufferDescription(long bytes, Set<BufferUsage> usage, MemoryUsage memory) {
        this(bytes, usage, memory, QueueSharing.CONCURRENT);
    }

    /** Returns the description of a buffer in device memory. */
    public static BufferDescription device(long bytes, BufferUsage first, BufferUsage... more) {
        return new BufferDescription(bytes, EnumSet.of(first, more), MemoryUsage.DEVICE);
    }

    /** Returns the description of a mapped buffer that the host writes. */
    public static BufferDescription upload(long bytes, BufferUsage first, BufferUsage... more) {
        return new BufferDescription(bytes, EnumSet.of(first, more), MemoryUsage.UPLOAD);
    }

    /** Returns the description of a transient of a render graph in device memory; its passes define the usage. */
    public static BufferDescription device(long bytes) {
        return new BufferDescription(bytes, Set.of(), MemoryUsage.DEVICE);
    }

    /**
     * Returns the description of a transient of a render graph that the host writes; its passes define the further
     * usage.
     */
    public static BufferDescription upload(long bytes) {
        return new BufferDescription(bytes, Set.of(), MemoryUsage.UPLOAD);
    }

    /** Returns the description of a mapped buffer that the host reads. */
    public static BufferDescription readback(long bytes) {
        return new BufferDescription(bytes, EnumSet.of(BufferUsage.COPY_DST), MemoryUsage.READBACK);
    }

    /** Returns the same buffer with another usage. */
    public BufferDescription withUsage(Set<BufferUsage> usage) {
        return new BufferDescription(bytes, usage, memory, sharing);
    }

    /** Returns the same buffer with another sharing between queue families. */
    public BufferDescription withSharing(QueueSharing sharing) {
        return new BufferDescription(bytes, usage, memory, sharing);
    }
}
