package io.frameloom.gpu.resource;

import io.frameloom.gpu.DeviceOptions;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How a device's memory is used, at one moment.
 *
 * @param heaps memory heaps of the device
 * @param allocations allocations by Frameloom, by name; placed resources are in the heap that holds them, imported ones
 *     belong to their owner
 */
public record MemoryStatistics(List<Heap> heaps, List<Allocation> allocations) {
    public MemoryStatistics {
        heaps = List.copyOf(heaps);
        allocations = List.copyOf(allocations);
    }

    /** What memory is for. */
    public enum Kind {
        /** A texture. */
        TEXTURE,
        /** A buffer in device memory. */
        BUFFER,
        /** A mapped buffer that the host writes. */
        UPLOAD,
        /** A mapped buffer that the host reads. */
        READBACK,
        /** A heap for placed resources. */
        HEAP;

        /** Returns the kind of a buffer. */
        public static Kind of(BufferDescription buffer) {
            return switch (buffer.memory()) {
                case DEVICE -> BUFFER;
                case UPLOAD -> UPLOAD;
                case READBACK -> READBACK;
            };
        }
    }

    /**
     * A memory heap of the device.
     *
     * @param index number
     * @param deviceLocal whether it is in the device's own memory
     * @param bytes its size, or the limit of {@link DeviceOptions#memoryLimit} if that is less
     * @param budget bytes that this process may use, as the driver says, or an estimate where it does not
     * @param used bytes that this process uses, Frameloom or not, as the driver says
     * @param reserved bytes that Frameloom has allocated from the driver
     * @param occupied bytes of these that resources and heaps occupy
     */
    public record Heap(
            int index, boolean deviceLocal, long bytes, long budget, long used, long reserved, long occupied) {
        @Override
        public String toString() {
            return "heap " + index + (deviceLocal ? " (device-local)" : "") + " of " + bytes + " bytes: " + used
                    + " used of a budget of " + budget + ", " + occupied + " of them in resources";
        }
    }

    /**
     * Something that has memory.
     *
     * @param name debug name
     * @param heap index of the memory heap
     * @param bytes size
     */
    public record Allocation(String name, Kind kind, int heap, long bytes) {
        @Override
        public String toString() {
            return "'" + name + "' (" + kind + ", " + bytes + " bytes)";
        }
    }

    /** Returns the bytes of every kind that has allocations. */
    public Map<Kind, Long> byKind() {
        Map<Kind, Long> bytes = new EnumMap<>(Kind.class);
        allocations.forEach(allocation -> bytes.merge(allocation.kind(), allocation.bytes(), Long::sum));
        return Collections.unmodifiableMap(bytes);
    }

    /** Returns the bytes of all allocations. */
    public long bytes() {
        return allocations.stream().mapToLong(Allocation::bytes).sum();
    }
}
