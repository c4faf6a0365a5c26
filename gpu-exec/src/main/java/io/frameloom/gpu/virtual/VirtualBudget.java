package io.frameloom.gpu.virtual;

import io.frameloom.gpu.GpuOutOfMemoryException;
import io.frameloom.gpu.MemoryStatistics;
import io.frameloom.gpu.MemoryStatistics.Allocation;
import io.frameloom.gpu.internal.MemoryLedger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The one memory heap of the virtual device: what is in it, and that it is not exceeded. Any thread. */
final class VirtualBudget {
    private static final long HEAP_BYTES = 1L << 44;

    private final long limit;
    private final MemoryLedger ledger = new MemoryLedger();
    private final Map<Object, Long> charged = new HashMap<>();
    private long used;

    VirtualBudget(long limit) {
        this.limit = Math.min(limit, HEAP_BYTES);
    }

    /**
     * Makes something that has memory.
     *
     * @param what what is tried, naming the object, to follow "cannot"
     * @throws GpuOutOfMemoryException if the heap or the JVM has not enough left
     */
    <T> T allocate(String what, Allocation allocation, Supplier<T> maker) {
        long bytes = allocation.bytes();
        if (!charge(bytes)) {
            throw MemoryLedger.outOfMemory(what, bytes, "the limit of the heap would be exceeded", statistics());
        }
        T made = null;
        try {
            made = maker.get();
            ledger.add(made, allocation);
            synchronized (this) {
                charged.put(made, bytes);
            }
            return made;
        } catch (OutOfMemoryError e) {
            GpuOutOfMemoryException failure =
                    MemoryLedger.outOfMemory(what, bytes, "the JVM has not enough memory left", statistics());
            failure.initCause(e);
            throw failure;
        } finally {
            if (made == null) {
                discharge(bytes);
            }
        }
    }

    /** Takes back the memory of something; nothing if it has none of its own. */
    void free(Object thing) {
        ledger.remove(thing);
        Long bytes;
        synchronized (this) {
            bytes = charged.remove(thing);
        }
        if (bytes != null) {
            discharge(bytes);
        }
    }

    private synchronized boolean charge(long bytes) {
        if (bytes > limit - used) {
            return false;
        }
        used += bytes;
        return true;
    }

    private synchronized void discharge(long bytes) {
        used -= bytes;
    }

    MemoryStatistics statistics() {
        long now;
        synchronized (this) {
            now = used;
        }
        return new MemoryStatistics(
                List.of(new MemoryStatistics.Heap(0, true, limit, limit, now, now, now)), ledger.allocations());
    }
}
