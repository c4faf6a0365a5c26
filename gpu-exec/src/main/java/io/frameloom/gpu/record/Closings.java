package io.frameloom.gpu.record;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The number of closed objects of a device: while it stands still, nothing that a command list names was closed. Any
 * thread.
 */
public final class Closings {
    private final AtomicLong count = new AtomicLong();
    /** Those of objects in bindless tables, whose slots are to be closed before: a table of thousands is not searched. */
    private final AtomicLong inTables = new AtomicLong();

    /** Notes a closing: after the object counts as closed, before it is destroyed. */
    public void add(Object closed) {
        if (closed instanceof Perishable thing && thing.isInTable()) {
            inTables.incrementAndGet();
        }
        count.incrementAndGet();
    }

    /** Returns how many objects were closed that had an open slot of a bindless table. */
    public long inTables() {
        return inTables.get();
    }

    /** Returns the number: an object that was open at a moment with the same number is open. */
    public long count() {
        return count.get();
    }
}
