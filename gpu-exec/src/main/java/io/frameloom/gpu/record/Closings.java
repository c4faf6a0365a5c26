package io.frameloom.gpu.record;

import java.util.concurrent.atomic.AtomicLong;

/** How many things of a device were closed: while the number stands still, nothing that a command list names was. Any thread. */
public final class Closings {
    private final AtomicLong count = new AtomicLong();

    /** Notes a closing: behind the moment at which the thing says that it is closed, before it is destroyed. */
    public void add() {
        count.incrementAndGet();
    }

    /** Returns the number: what was open at a moment at which it was the same is open. */
    public long count() {
        return count.get();
    }
}
