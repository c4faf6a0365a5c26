package io.frameloom.taskgraph.parts;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The free ones among a fixed number of slots. Any thread may call any method. The slot that was freed last
 * is taken first: what belongs to it is likely to be in a cache, and slots that are never needed at the same
 * time are never used.
 *
 * <p>A Treiber stack ("Systems programming: coping with parallelism") of indices.
 *
 * <pre>
 *   top: | version (32 bits) | index + 1 of the topmost free slot, 0 if none (32 bits) |
 *   next[i]: index + 1 of the free slot below i
 * </pre>
 *
 * <p><b>Linearization.</b> {@code take} and {@code free} at their successful compare-and-set of
 * {@code top}, a failed {@code take} at the load that sees no slot. <b>Memory order.</b> {@code next} is
 * written before the volatile update of {@code top} that publishes it and read after a volatile load of
 * {@code top}; a value that another thread has overwritten meanwhile is thrown away, because the version
 * has moved on. The version makes the compare-and-set fail when a slot was taken and freed in between
 * (ABA), unless exactly 2^32 updates fall between two instructions. <b>Progress.</b> Lock-free; no
 * allocation.
 */
public final class SlotStack {
    private static final long INDEX_MASK = 0xFFFF_FFFFL;
    private static final long ONE_VERSION = 1L << 32;

    private static final VarHandle TOP = Fields.handle(MethodHandles.lookup(), SlotStack.class, "top", long.class);
    private static final VarHandle NEXT = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] next;
    private volatile long top;

    /** A stack on which all slots, 1 or more, are free; slot 0 is taken first. */
    public SlotStack(int slots) {
        next = new int[slots];
        for (int i = 0; i < slots - 1; i++) {
            next[i] = i + 2;
        }
        TOP.set(this, 1L);
    }

    /** Takes a free slot. Returns its index, or -1 if none is free. */
    public int take() {
        while (true) {
            long seen = top;
            int slot = (int) (seen & INDEX_MASK) - 1;
            if (slot < 0) {
                return -1;
            }
            if (casTop(seen, nextOpaque(slot))) {
                return slot;
            }
        }
    }

    /** Frees a slot that the caller has taken. */
    public void free(int slot) {
        while (true) {
            long seen = top;
            NEXT.setOpaque(next, slot, (int) (seen & INDEX_MASK));
            if (casTop(seen, slot + 1)) {
                return;
            }
        }
    }

    /** Whether a {@link #take()} at this moment would have failed. */
    public boolean isEmpty() {
        return (top & INDEX_MASK) == 0;
    }

    private int nextOpaque(int slot) {
        return (int) NEXT.getOpaque(next, slot);
    }

    private boolean casTop(long seen, int index) {
        long version = (seen & ~INDEX_MASK) + ONE_VERSION;
        return TOP.compareAndSet(this, seen, version | index);
    }
}
