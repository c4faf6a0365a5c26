package io.frameloom.taskgraph.queue;

import io.frameloom.taskgraph.parts.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * An unbounded queue, first in, first out, for many producers and consumers. A producer that stands still in the middle
 * of {@link #offer} blocks no other thread.
 *
 * <p>The "FAAArrayQueue" of Andreia Correia and Pedro Ramalhete: a linked list of segments, in which both sides draw
 * tickets, and a ticket is a slot. The producer puts its item into the slot with a compare-and-set from vacant; the
 * consumer takes it and closes the slot. If the consumer comes first, it closes the slot without an item and goes on to
 * the next: the producer's compare-and-set fails and it draws another ticket. Unlike there, consumers draw by
 * compare-and-set and never ahead of producers: idle workers poll in crowds, and all but one of those that see an item
 * would close a slot that a producer is about to draw.
 *
 * <p><b>Who calls what.</b> Any thread may call any method. The same object may be offered again at any time, also
 * while it is in the queue.
 *
 * <p><b>Linearization.</b> {@code offer} where it draws the ticket of the slot that it fills, or where it appends a
 * segment. {@code poll} where it draws the ticket of the slot whose item it returns; where it returns null, at its load
 * of the producers' tickets. {@code isEmpty} is a hint while a thread offers.
 *
 * <p><b>Memory order.</b> What was done before {@code offer} is visible to the thread that takes the item: the slot is
 * filled with a volatile compare-and-set, and read with acquire semantics or stronger. No later {@code poll} or {@code
 * isEmpty} misses an {@code offer} that has returned: tickets are volatile. A producer that goes on to look for
 * sleepers needs a full fence in between.
 *
 * <p><b>Progress.</b> {@code offer} and {@code poll} are lock-free. A producer tries again only if a consumer has
 * closed its slot; a consumer only if another one drew the ticket, or if it drew that of such a producer.
 *
 * <p><b>Allocation.</b> The counters of a segment, some 600 bytes per {@code segment} items. The slots
 * serve one segment after the other as long as the queue holds less than two segments and no consumer is
 * slow; a queue that grows allocates them, 4 bytes an item where references are compressed.
 *
 * @param <T> type of the items
 */
public final class InjectionQueue<T> {
    private static final VarHandle HEAD =
            Fields.handle(MethodHandles.lookup(), InjectionQueue.class, "head", QueueSegment.class);
    private static final VarHandle TAIL =
            Fields.handle(MethodHandles.lookup(), InjectionQueue.class, "tail", QueueSegment.class);
    private static final VarHandle SPARE =
            Fields.handle(MethodHandles.lookup(), InjectionQueue.class, "spare", Object[].class);

    /** A queue that is hardly used needs no more; an application may have many. */
    private static final int FIRST_SEGMENT = 32;

    private final int segment;
    private volatile QueueSegment head;
    private volatile QueueSegment tail;

    /** An array for the next segment. */
    @SuppressWarnings("unused") // accessed through SPARE
    private Object @Nullable [] spare;

    /** An empty queue with so many items per segment, 1 or more; the first has no more than 32. */
    public InjectionQueue(int segment) {
        if (segment < 1) {
            throw new IllegalArgumentException("a segment holds at least 1 item, not " + segment);
        }
        this.segment = segment;
        head = new QueueSegment(new Object[Math.min(FIRST_SEGMENT, segment)]);
        tail = head;
    }

    /** Appends an item. Any thread. */
    public void offer(T item) {
        while (true) {
            QueueSegment last = tail;
            long ticket = last.drawToFill();
            if (ticket < last.length) {
                // Guards race 27: a consumer may have closed the slot. See QueuesTest.
                if (last.casFilled(ticket, item)) {
                    return;
                }
            } else if (append(last, item)) {
                return;
            }
        }
    }

    private boolean append(QueueSegment last, T item) {
        QueueSegment next = last.nextVolatile();
        if (next == null) {
            Object[] recycled = takeSpare();
            QueueSegment appended = new QueueSegment(recycled == null ? new Object[segment] : recycled);
            appended.fillFirst(item);
            if (last.casNext(appended)) {
                casTail(last, appended);
                return true;
            }
            takeBack(appended);
            next = last.nextVolatile();
        }
        if (next != null && next != last) {
            casTail(last, next);
        }
        return false;
    }

    /** Takes an item; null if every offer that has returned was taken. Any thread. */
    public @Nullable T poll() {
        while (true) {
            QueueSegment first = head;
            long ticket = first.takenVolatile();
            if (ticket >= first.length) {
                if (!advance(first)) {
                    return null;
                }
            } else if (!first.isDrawnToFill(ticket)) {
                return null;
            } else if (first.casTaken(ticket)) {
                Object item = first.getAndClose(ticket);
                if (item != null) {
                    return cast(item);
                }
            }
        }
    }

    /** Makes the following segment the first one, if there is one. */
    private boolean advance(QueueSegment first) {
        QueueSegment next = first.nextVolatile();
        if (next == null) {
            return false;
        }
        if (next != first) {
            // Before the head: producers find no way on from a segment that consumers have unlinked.
            casTail(first, next);
            if (casHead(first, next)) {
                first.unlink();
                // Guards race 19. See QueuesTest.
                if (first.isClosed()) {
                    keepSpare(first.slots());
                }
            }
        }
        return true;
    }

    /**
     * Whether every offer that has returned was taken. Any thread. False also while a producer is in the middle of
     * {@link #offer}, and after one has died there, until the next poll.
     */
    public boolean isEmpty() {
        QueueSegment first = head;
        return first.isDrained() && first.nextVolatile() == null;
    }

    /**
     * Number of items, for reports: exact only at rest; counts a producer that has died in {@link #offer} until the
     * next poll. Any thread.
     */
    public int size() {
        int size = 0;
        QueueSegment segment = head;
        while (segment != null) {
            size += segment.size();
            QueueSegment next = segment.nextVolatile();
            segment = next == segment ? null : next;
        }
        return size;
    }

    /** Where producers draw their tickets; for tests. */
    QueueSegment tail() {
        return tail;
    }

    /** Whether what is kept for the next segment keeps anything else; for tests. */
    boolean spareHoldsSomething() {
        Object[] kept = (Object[]) SPARE.getVolatile(this);
        return kept != null && !QueueSegment.areClosed(kept);
    }

    /** Keeps the empty array of a segment that was not appended and that no other thread has seen. */
    void takeBack(QueueSegment unused) {
        unused.closeAll();
        keepSpare(unused.slots());
    }

    private Object @Nullable [] takeSpare() {
        return (Object[]) SPARE.getAndSet(this, (Object[]) null);
    }

    private void keepSpare(Object[] slots) {
        if (slots.length == segment) {
            SPARE.setVolatile(this, slots);
        }
    }

    private boolean casHead(QueueSegment expected, QueueSegment desired) {
        return HEAD.compareAndSet(this, expected, desired);
    }

    private void casTail(QueueSegment expected, QueueSegment desired) {
        TAIL.compareAndSet(this, expected, desired);
    }

    @SuppressWarnings("unchecked")
    private T cast(Object item) {
        return (T) item;
    }
}
