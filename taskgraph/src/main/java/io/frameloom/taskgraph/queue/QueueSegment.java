package io.frameloom.taskgraph.queue;

import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.PaddedLong;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of an {@link InjectionQueue}: slots, and the tickets that say whose slot it is.
 *
 * <p>A slot goes from vacant to an item, or at once, to closed. Vacant means that it holds the segment itself. As no
 * two segments are the same object, a producer that wakes up late finds no slot of its segment vacant once the array
 * serves another one. An array may do so when all of its slots are closed: the one consumer that has a slot's ticket
 * closes it, so then no consumer needs the array any more.
 *
 * <p>The {@code next} of a used-up segment is its successor or, once consumers have left it, the segment itself: a
 * segment in the old generation must not keep all younger ones alive.
 */
final class QueueSegment {
    private static final Object CLOSED = new Object();

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle NEXT =
            Fields.handle(MethodHandles.lookup(), QueueSegment.class, "next", QueueSegment.class);

    final int length;
    private final Object[] slots;
    private final PaddedLong filled = new PaddedLong(0);
    private final PaddedLong taken = new PaddedLong(0);
    private volatile @Nullable QueueSegment next;

    /** An empty segment in an array that no other segment uses. */
    QueueSegment(Object[] slots) {
        this.slots = slots;
        length = slots.length;
        Arrays.fill(slots, this);
    }

    /** Fills the first slot of a segment that no other thread knows yet. */
    void fillFirst(Object item) {
        slots[0] = item;
        filled.setRelease(1L);
    }

    /** A producer's ticket; at the length or beyond there is no slot. */
    long drawToFill() {
        return filled.getAndAdd(1L);
    }

    /**
     * Draws a consumer's ticket that is the next one and that a producer has drawn. Not by fetch-and-add: of several
     * consumers that see one item all but one would draw tickets ahead of producers, which then find their slots
     * closed.
     */
    boolean casTaken(long ticket) {
        return taken.cas(ticket, ticket + 1L);
    }

    /** Whether a producer has drawn the ticket. */
    boolean isDrawnToFill(long ticket) {
        return ticket < filled.valueVolatile();
    }

    /** Whether consumers have drawn a ticket for each that producers have drawn. */
    boolean isDrained() {
        // In this order: the consumers' tickets only grow, so "drained" is true at the second load.
        long t = taken.valueVolatile();
        return t >= Math.min(filled.valueVolatile(), length);
    }

    long takenVolatile() {
        return taken.valueVolatile();
    }

    int size() {
        long t = Math.min(taken.valueVolatile(), length);
        return (int) Math.max(0L, Math.min(filled.valueVolatile(), length) - t);
    }

    /** Fills a vacant slot, unless a consumer has closed it. */
    boolean casFilled(long ticket, Object item) {
        return SLOT.compareAndSet(slots, (int) ticket, (Object) this, item);
    }

    /** Closes the slot of a consumer's ticket and returns its item, or null if it was vacant. */
    @Nullable
    Object getAndClose(long ticket) {
        Object item = itemAcquire(ticket);
        if (item != null) {
            // Its producer has done its part and no other consumer has the ticket: a store is enough.
            setClosedRelease(ticket);
            return item;
        }
        // Guards race 27: the producer may come at any time, or never. See QueuesTest.
        Object content = (Object) SLOT.getAndSet(slots, (int) ticket, CLOSED);
        return content == this ? null : content;
    }

    /** Closes a filled slot, by the consumer that has its item. */
    void setClosedRelease(long ticket) {
        SLOT.setRelease(slots, (int) ticket, CLOSED);
    }

    /** The item of a slot; null if there is none. */
    @Nullable
    Object itemAcquire(long ticket) {
        Object content = (Object) SLOT.getAcquire(slots, (int) ticket);
        return content == this || content == CLOSED ? null : content;
    }

    /** Closes the slots of a segment that no other thread knows. */
    void closeAll() {
        Arrays.fill(slots, CLOSED);
    }

    /** Whether another segment may have the array. */
    boolean isClosed() {
        return areClosed(slots);
    }

    /** Whether all slots of an array are closed, so that it holds nothing. */
    static boolean areClosed(Object[] slots) {
        for (int ticket = 0; ticket < slots.length; ticket++) {
            if ((Object) SLOT.getAcquire(slots, ticket) != CLOSED) {
                return false;
            }
        }
        return true;
    }

    Object[] slots() {
        return slots;
    }

    @Nullable
    QueueSegment nextVolatile() {
        return next;
    }

    boolean casNext(QueueSegment appended) {
        return NEXT.compareAndSet(this, (QueueSegment) null, appended);
    }

    /** Consumers and producers have gone on. */
    void unlink() {
        next = this;
    }
}
