package io.frameloom.gpu.record;

import io.frameloom.gpu.error.TableFullException;
import io.frameloom.gpu.pipeline.BindlessTable.Kind;
import io.frameloom.gpu.resource.Resource;
import java.util.Arrays;
import org.agrona.collections.IntArrayList;
import org.jspecify.annotations.Nullable;

/** The numbers of one kind of a bindless table: which are free, and what the others hold. With the lock of the table. */
public final class TableSlots {
    private final String table;
    private final Kind kind;
    private final int capacity;
    private final boolean unusedFirst;
    private final IntArrayList free = new IntArrayList();
    private @Nullable Perishable[] resources = new @Nullable Perishable[16];
    /** The numbers from here on were never given. */
    private int next;

    /**
     * No number taken.
     *
     * @param unusedFirst whether freed numbers, the oldest first, are given when there are no others; else they are
     *     given at once
     */
    public TableSlots(String table, Kind kind, int capacity, boolean unusedFirst) {
        this.table = table;
        this.kind = kind;
        this.capacity = capacity;
        this.unusedFirst = unusedFirst;
    }

    public int capacity() {
        return capacity;
    }

    /**
     * Takes a number for a resource, or for a sampler, which is none.
     *
     * @throws TableFullException if there is none left
     * @throws IllegalStateException if the resource is closed
     */
    public int take(@Nullable Perishable resource) {
        if (free.isEmpty() && next == capacity) {
            throw new TableFullException("bindless table '" + table + "' has all of its " + capacity + " slots of "
                    + kind + " in use; close slots, and wait for the submissions that may use them");
        }
        if (resource != null) {
            resource.enterTable();
        }
        boolean unused = free.isEmpty() || (unusedFirst && next < capacity);
        int index = unused ? next++ : free.removeAt(unusedFirst ? 0 : free.size() - 1);
        if (index >= resources.length) {
            resources = Arrays.copyOf(resources, Math.min(capacity, 2 * resources.length));
        }
        resources[index] = resource;
        return index;
    }

    /** Forgets the resource of a number, which stays taken. */
    public void forget(int index) {
        Perishable resource = resources[index];
        if (resource != null) {
            resource.leaveTable();
            resources[index] = null;
        }
    }

    /** Forgets all resources: the table is closed. */
    public void clear() {
        for (int i = 0; i < next; i++) {
            forget(i);
        }
    }

    /** Gives a number back, when no submission can use it any more. */
    public void give(int index) {
        free.addInt(index);
    }

    /** Returns a resource that is closed and whose slot is not, or null. */
    public @Nullable Resource firstClosed() {
        for (int i = 0; i < next; i++) {
            Perishable resource = resources[i];
            if (resource != null && resource.isClosed()) {
                return (Resource) resource;
            }
        }
        return null;
    }
}
