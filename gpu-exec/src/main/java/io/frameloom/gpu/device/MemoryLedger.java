package io.frameloom.gpu.device;

import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.MemoryStatistics.Allocation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The allocations of a device, and the exceptions for those that fail. Any thread. */
public final class MemoryLedger {
    private static final int LARGEST_NAMED = 5;

    private final Map<Object, Allocation> allocations = new ConcurrentHashMap<>();

    public MemoryLedger() {}

    /**
     * Notes an allocation.
     *
     * @param key argument of a later {@link #remove}
     */
    public void add(Object key, Allocation allocation) {
        allocations.put(key, allocation);
    }

    /** Forgets an allocation; nothing if there is none. */
    public void remove(Object key) {
        allocations.remove(key);
    }

    /** Returns the allocations, largest first, equal ones by name. */
    public List<Allocation> allocations() {
        return allocations.values().stream()
                .sorted(Comparator.comparingLong(Allocation::bytes).reversed().thenComparing(Allocation::name))
                .toList();
    }

    /**
     * Returns the exception for something that has got no memory.
     *
     * @param what the failed operation, naming the object, to follow "cannot"
     * @param now how memory is used
     */
    public static GpuOutOfMemoryException outOfMemory(String what, long bytes, String why, MemoryStatistics now) {
        String heaps = now.heaps().stream().map(Object::toString).collect(Collectors.joining("; "));
        String largest = now.allocations().stream()
                .limit(LARGEST_NAMED)
                .map(Object::toString)
                .collect(Collectors.joining(", "));
        return new GpuOutOfMemoryException("cannot " + what + ", which takes " + bytes + " bytes: " + why + "; " + heaps
                + (largest.isEmpty() ? "" : "; the largest allocations are " + largest)
                + "; close what is not needed, or ask for less");
    }
}
