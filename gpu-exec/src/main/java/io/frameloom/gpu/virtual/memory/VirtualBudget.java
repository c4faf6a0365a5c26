package io.frameloom.gpu.virtual.memory;

import io.frameloom.gpu.device.MemoryLedger;
import io.frameloom.gpu.device.Retired;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.MemoryStatistics.Allocation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The one memory heap of the virtual device: its allocations, within its limit. Any thread. */
public final class VirtualBudget {
    private static final long HEAP_BYTES = 1L << 44;

    private final long limit;
    private final Retired retired;
    private final MemoryLedger ledger = new MemoryLedger();
    private final Map<Object, Long> charged = new HashMap<>();
    private long used;

    /**
     * An empty heap.
     *
     * @param limit most bytes that may be in use
     * @param retired closed objects that still have memory
     */
    public VirtualBudget(long limit, Retired retired) {
        this.limit = Math.min(limit, HEAP_BYTES);
        this.retired = retired;
    }

    /**
     * Makes an object that has memory. If there is not enough, closed objects lose theirs first.
     *
     * @param what the operation, naming the object, to follow "cannot"
     * @throws GpuOutOfMemoryException if the heap or the JVM has not enough left
     */
    public <T> T allocate(String what, Allocation allocation, Supplier<T> maker) {
        long bytes = allocation.bytes();
        long destroyed = retired.destroyed();
        if (!charge(bytes) && !(retired.reclaim(destroyed) && charge(bytes))) {
            throw MemoryLedger.outOfMemory(what, bytes, "the limit of the heap would be exceeded", statistics());
        }
        T made = null;
        try {
            made = make(maker);
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

    private <T> T make(Supplier<T> maker) {
        long destroyed = retired.destroyed();
        try {
            return maker.get();
        } catch (OutOfMemoryError e) {
            if (!retired.reclaim(destroyed)) {
                throw e;
            }
            return maker.get();
        }
    }

    /** Takes back the memory of something; nothing if it has none of its own. */
    public void free(Object thing) {
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

    public MemoryStatistics statistics() {
        long now;
        synchronized (this) {
            now = used;
        }
        return new MemoryStatistics(
                List.of(new MemoryStatistics.Heap(0, true, limit, limit, now, now, now)), ledger.allocations());
    }
}
