package io.frameloom.rdg.compile.memory;

import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.rdg.compile.barrier.Takeovers;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;
import java.util.ArrayList;
import java.util.List;

/**
 * Places transients in heaps so that two share memory only if one's uses all happen before the other's. It never adds
 * an order: only what is ordered anyway shares.
 *
 * <p>There is one heap for each set of memory types, or several where one would exceed what a device allocates at once
 * ({@link BoundedHeaps}). Sharing is within each.
 */
public final class Aliasing {
    public final Placement placement;
    public final List<HeapPacker.Packed> heaps = new ArrayList<>();
    public final IntList heapTypes = new IntList(4);
    /** Whether a search for lower heaps, which was not asked for, may find some. */
    public final boolean mayGain;
    /**
     * By resource those whose memory it takes over, as {@link Takeovers} says; in scratch memory.
     */
    public final Takeovers takeovers;

    /**
     * Places what the sizes say.
     *
     * @param enabled whether resources share memory
     * @param searching whether lower heaps are searched for
     * @throws IllegalArgumentException if the device does not have one of the resources
     */
    public Aliasing(
            TransientSizes sizes,
            int resources,
            Lifetimes lifetimes,
            boolean enabled,
            boolean searching,
            Scratch scratch) {
        placement = new Placement(resources);
        short[] heap = placement.heap;
        long[] offset = placement.offset;
        long[] bytes = scratch.longs(resources);
        TakeoverSearch search = new TakeoverSearch(offset, bytes, scratch);
        long mark = scratch.mark();
        long[] alignment = scratch.longs(resources);
        List<IntList> members = new ArrayList<>(4);
        for (int r = 0; r < resources; r++) {
            MemoryRequirements memory = sizes.of(r, placement.memory);
            if (memory == null) {
                continue;
            }
            bytes[r] = memory.bytes();
            alignment[r] = memory.alignment();
            placement.memory[r] = memory;
            if (sizes.isLazy(r)) {
                continue;
            }
            int h = heapFor(memory.memoryTypes());
            if (h == members.size()) {
                members.add(scratch.list());
                heapTypes.add(memory.memoryTypes());
            } else {
                heapTypes.set(h, heapTypes.get(h) & memory.memoryTypes());
            }
            heap[r] = number(h);
            members.get(h).add(r);
        }
        BoundedHeaps bounded = new BoundedHeaps(
                sizes.mostBytes(), offset, bytes, alignment, lifetimes, search, enabled, searching, scratch);
        boolean gains = false;
        for (int h = 0; h < members.size(); h++) {
            IntList list = members.get(h);
            HeapPacker.Packed packed = bounded.pack(list);
            gains |= packed.mayGain();
            if (bounded.isTooLarge(packed)) {
                IntList next = bounded.split(list);
                packed = bounded.pack(list);
                gains |= packed.mayGain();
                for (int i = 0; i < next.size(); i++) {
                    heap[next.get(i)] = number(members.size());
                }
                members.add(next);
                heapTypes.add(heapTypes.get(h));
            }
            heaps.add(packed);
        }
        takeovers = search.takeovers();
        scratch.release(mark);
        mayGain = gains;
    }

    private static short number(int heap) {
        if (heap > Short.MAX_VALUE) {
            throw new IllegalStateException("the transients take more than " + Short.MAX_VALUE + " heaps");
        }
        return (short) heap;
    }

    private int heapFor(int memoryTypes) {
        for (int h = 0; h < heapTypes.size(); h++) {
            if ((heapTypes.get(h) & memoryTypes) != 0) {
                return h;
            }
        }
        return heapTypes.size();
    }
}
