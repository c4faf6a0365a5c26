package io.frameloom.gpu.record;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The number of closed objects of a device: while it stands still, nothing that a command list names was closed. Any
 * thread.
 */
public final class Closings {
    private final AtomicLong count = new AtomicLong();

    /** Notes a closing: after the object counts as closed, before it is destroyed. */
    public void add() {
        count.incrementAndGet();
    }

    /** Returns the number: an object that was open at a moment with the same number is open. */
    public long count() {
        return count.get();
    }
}
