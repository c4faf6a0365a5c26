package io.frameloom.rdg.compile.memory;

import io.frameloom.gpu.resource.MemoryRequirements;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where each resource lies. A part of the plan; immutable once resources are placed. */
public final class Placement {
    private static final short NONE = -1;

    /** Heap of each resource, -1 for none. */
    public final short[] heap;

    public final long[] offset;
    /** What each resource takes; null for those that are neither placed nor on tiles. */
    final @Nullable MemoryRequirements[] memory;

    /** No resource has a place. */
    Placement(int resources) {
        heap = new short[resources];
        offset = new long[resources];
        memory = new MemoryRequirements[resources];
        Arrays.fill(heap, NONE);
    }

    /** Returns what a resource takes that is in a heap or on tiles. */
    public MemoryRequirements memory(int resource) {
        return Objects.requireNonNull(memory[resource]);
    }

    /** Returns the bytes of a resource, 0 if it is neither placed nor on tiles. */
    public long bytes(int resource) {
        MemoryRequirements needed = memory[resource];
        return needed == null ? 0 : needed.bytes();
    }

    public long[] bytes() {
        long[] bytes = new long[heap.length];
        Arrays.setAll(bytes, this::bytes);
        return bytes;
    }

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

    /** Returns the bytes of a heap if each of its resources had memory of its own. */
    public long bytesSideBySide(int ofHeap) {
        int[] members = members(ofHeap);
        long[] alignment = new long[heap.length];
        for (int r : members) {
            alignment[r] = memory(r).alignment();
        }
        return HeapPacker.sideBySide(members, members.length, bytes(), alignment, new long[heap.length]);
    }
}
