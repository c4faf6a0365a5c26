package io.frameloom.rdg.compile.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Where each resource lies. A part of the plan; immutable once resources are placed. */
public final class Placement {
    /** Where memory may be. */
    private record Needs(long alignment, int memoryTypes) {}

    /** Heap of each resource, -1 for none. */
    public final int[] heap;

    public final long[] offset;
    public final long[] bytes;
    /**
     * What resources need beside their bytes: there are few kinds, the first of which is of those that are not placed.
     */
    private final List<Needs> needs = new ArrayList<>(4);

    /** By resource its place in {@link #needs}. */
    private final int[] needsOf;

    /** No resource has a place. */
    Placement(int resources) {
        heap = new int[resources];
        offset = new long[resources];
        bytes = new long[resources];
        needsOf = new int[resources];
        needs.add(new Needs(0, 0));
        Arrays.fill(heap, -1);
    }

    /** Notes what a resource needs beside its bytes. */
    void need(int resource, long alignment, int memoryTypes) {
        needsOf[resource] = needs(alignment, memoryTypes);
    }

    private int needs(long alignment, int memoryTypes) {
        for (int k = 1; k < needs.size(); k++) {
            Needs known = needs.get(k);
            if (known.alignment == alignment && known.memoryTypes == memoryTypes) {
                return k;
            }
        }
        needs.add(new Needs(alignment, memoryTypes));
        return needs.size() - 1;
    }

    /** Returns the alignment of a resource that is in a heap. */
    public long alignment(int resource) {
        return needs.get(needsOf[resource]).alignment();
    }

    /** Returns what a resource in a heap could be in; the heap is in what all of them can be in. */
    public int memoryTypes(int resource) {
        return needs.get(needsOf[resource]).memoryTypes();
    }

    /** Returns the resources of a heap. */
    public int[] members(int ofHeap) {
        int[] members = new int[heap.length];
        int count = 0;
        for (int r = 0; r < heap.length; r++) {
            if (heap[r] == ofHeap) {
                members[count++] = r;
            }
        }
        return Arrays.copyOf(members, count);
    }
}
