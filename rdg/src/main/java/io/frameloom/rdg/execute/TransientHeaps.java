package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.TextureDescription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The memory of transient resources and the resources placed in it, kept over frames so that a repeated plan creates
 * nothing. RENDER thread only.
 *
 * <p>There is one heap per set of memory types, or one for each frame in flight if the options say so. A frame comes
 * after those frames that used its bytes last ({@link FrameOrder}), so sharing is sound. A heap of its own for each
 * frame in flight takes more memory and lets frames overlap more.
 *
 * <p>A heap that is too small is replaced by one of the size asked for. So is one of which frames have asked for at
 * most half during a whole period of {@code keepFrames} frames; after a search for lower heaps, one of which they have
 * asked for less than all. Memory that is needed now and then is kept, so frames that differ in turn do not make heaps
 * again and again. A replaced heap and everything placed in it is retired after the frames that use it. So are heaps
 * and resources that no plan has used for a while.
 *
 * <p>Transient buffers of mapped memory cannot be placed; they get memory of their own and are cached alike. Nothing
 * but completion orders the host, so each slot, one for each graph of a frame in flight, has its own.
 */
final class TransientHeaps {
    /**
     * A heap of one set of memory types; {@code ordinal} is the number of the heap among those of the same set in one
     * plan.
     */
    private record HeapKey(int memoryTypes, int ordinal, int slot) {}

    /** A placement; resources with memory of their own have the slot that may use them in place of an offset. */
    private record ResourceKey(Object owner, long offset, String name, Object description, int occurrence) {}

    /** A cached heap with the newest frame that uses it. */
    static final class Heap {
        private final MemoryHeap memory;
        private long lastFrame;
        private long periodStart;
        private long peak;
        /** Whether a plan that uses the heap since this period began needed more of it before a search. */
        private boolean lowered;

        private boolean retired;

        private Heap(MemoryHeap memory, long frame) {
            this.memory = memory;
            this.periodStart = frame;
        }

        MemoryHeap memory() {
            return memory;
        }

        /** Returns whether the heap was replaced: nothing new may use it. */
        boolean isRetired() {
            return retired;
        }

        /**
         * Notes that a search has found a lower heap for a plan that uses this one from a frame on. A period begins
         * with that frame: what the plan needed before says nothing about it.
         */
        void lower(long bytes, long frame) {
            lowered = true;
            periodStart = frame;
            peak = bytes;
        }

        /** Returns whether frames have used so little of it during a period that it gives way to a smaller one. */
        private boolean isTooLarge() {
            return peak <= memory.bytes() / 2 || (lowered && peak < memory.bytes());
        }

        /** Notes how many bytes of the heap a frame uses. */
        void use(long bytes, long frame) {
            lastFrame = frame;
            peak = Math.max(peak, bytes);
        }
    }

    /** A cached resource with the newest frame that uses it. */
    static final class Entry {
        private final Resource resource;
        private final Object owner;
        private long lastFrame;
        private boolean retired;

        private Entry(Resource resource, Object owner) {
            this.resource = resource;
            this.owner = owner;
        }

        Resource resource() {
            return resource;
        }

        /** Returns whether the resource is on its way out: nothing new may use it. */
        boolean isRetired() {
            return retired;
        }

        void use(long frame) {
            lastFrame = frame;
        }
    }

    /** Owner of cached resources that have memory of their own. */
    private static final Object OWN_MEMORY = "memory of its own";

    private final GpuDevice device;
    private final RetireQueue retired;
    private final int keepFrames;
    private final Map<HeapKey, Heap> heaps = new HashMap<>();
    private final Map<ResourceKey, Entry> resources = new HashMap<>();
    private long created;
    private long reused;
    private long evicted;
    private long shrunk;

    TransientHeaps(GpuDevice device, RetireQueue retired, int keepFrames) {
        this.device = device;
        this.retired = retired;
        this.keepFrames = keepFrames;
    }

    /** Returns a heap of at least {@code bytes} for {@code frame}; replaces one that is too small. Slots share none. */
    Heap heap(int memoryTypes, int ordinal, int slot, long bytes, long frame) {
        HeapKey key = new HeapKey(memoryTypes, ordinal, slot);
        Heap heap = heaps.get(key);
        if (heap != null && heap.memory.bytes() < bytes) {
            retireHeap(heap);
            heaps.remove(key);
            heap = null;
        }
        if (heap == null) {
            String name = "FrameExecutor transient heap 0x" + Integer.toHexString(memoryTypes) + "." + ordinal;
            heap = new Heap(device.createHeap(slot == 0 ? name : name + " of slot " + slot, bytes, memoryTypes), frame);
            heaps.put(key, heap);
        }
        heap.use(bytes, frame);
        return heap;
    }

    /** Returns the texture placed in {@code heap}; {@code occurrence} numbers equal ones of one plan. */
    Entry texture(Heap heap, long offset, String name, TextureDescription description, int occurrence, long frame) {
        return entry(
                new ResourceKey(heap, offset, name, description, occurrence),
                () -> heap.memory.placeTexture(name, description, offset),
                frame);
    }

    /** Returns the buffer placed in {@code heap}; {@code occurrence} numbers equal ones of one plan. */
    Entry buffer(Heap heap, long offset, String name, BufferDescription description, int occurrence, long frame) {
        return entry(
                new ResourceKey(heap, offset, name, description, occurrence),
                () -> heap.memory.placeBuffer(name, description, offset),
                frame);
    }

    /** Returns a buffer with memory of its own, for a transient that the plan did not place; slots share none. */
    Entry ownBuffer(String name, BufferDescription description, int occurrence, int slot, long frame) {
        return entry(
                new ResourceKey(OWN_MEMORY, slot, name, description, occurrence),
                () -> device.createBuffer(name, description),
                frame);
    }

    /** Returns a texture with memory of its own, lazily allocated or shared with nothing; slots share none. */
    Entry ownTexture(String name, TextureDescription description, int occurrence, int slot, long frame) {
        return entry(
                new ResourceKey(OWN_MEMORY, slot, name, description, occurrence),
                () -> device.createTexture(name, description),
                frame);
    }

    private Entry entry(ResourceKey key, Supplier<Resource> create, long frame) {
        Entry entry = resources.get(key);
        if (entry == null) {
            entry = new Entry(create.get(), key.owner);
            resources.put(key, entry);
            created++;
        } else {
            reused++;
        }
        entry.use(frame);
        return entry;
    }

    /**
     * Retires what no frame since {@code frame - keepFrames} has used, and heaps that were too large for a whole
     * period.
     */
    void retireUnused(long frame) {
        long oldest = frame - keepFrames;
        Iterator<Entry> entries = resources.values().iterator();
        while (entries.hasNext()) {
            Entry entry = entries.next();
            if (entry.lastFrame < oldest) {
                retire(entry, entry.lastFrame);
                entries.remove();
                evicted++;
            }
        }
        Iterator<Heap> unused = heaps.values().iterator();
        while (unused.hasNext()) {
            Heap heap = unused.next();
            if (heap.lastFrame < oldest) {
                retireHeap(heap);
                unused.remove();
            } else if (heap.periodStart <= oldest && heap.isTooLarge()) {
                retireHeap(heap);
                unused.remove();
                shrunk++;
            } else if (heap.periodStart <= oldest) {
                heap.periodStart = frame;
                heap.peak = 0;
                heap.lowered = false;
            }
        }
    }

    void retireAll() {
        List<Heap> all = new ArrayList<>(heaps.values());
        heaps.clear();
        all.forEach(this::retireHeap);
        resources.values().forEach(entry -> retire(entry, entry.lastFrame));
        resources.clear();
    }

    int heapCount() {
        return heaps.size();
    }

    int resourceCount() {
        return resources.size();
    }

    long createdCount() {
        return created;
    }

    long reusedCount() {
        return reused;
    }

    /** Returns how many heaps were given up for smaller ones. */
    long shrunkCount() {
        return shrunk;
    }

    long evictedCount() {
        return evicted;
    }

    long heapBytes() {
        long bytes = 0;
        for (Heap heap : heaps.values()) {
            bytes += heap.memory.bytes();
        }
        return bytes;
    }

    private void retireHeap(Heap heap) {
        heap.retired = true;
        Iterator<Entry> entries = resources.values().iterator();
        while (entries.hasNext()) {
            Entry entry = entries.next();
            if (entry.owner == heap) {
                retire(entry, heap.lastFrame);
                entries.remove();
                evicted++;
            }
        }
        retired.retire(heap.memory, "heap '" + heap.memory.name() + "'", heap.lastFrame);
    }

    private void retire(Entry entry, long lastFrame) {
        entry.retired = true;
        retired.retire(entry.resource, "transient resource '" + entry.resource.name() + "'", lastFrame);
    }
}
