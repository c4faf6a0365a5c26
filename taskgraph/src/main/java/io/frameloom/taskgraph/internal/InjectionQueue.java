package io.frameloom.taskgraph.internal;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * An unbounded queue for many producers and many consumers: a bounded array queue that allocates nothing,
 * and a linked queue for what does not fit.
 *
 * <p>Any thread may call any method. While the overflow is in use new items go there too, so that the
 * array runs empty and the overflow is served: nothing starves. The order is FIFO except around such a
 * change. <b>Linearization.</b> That of the part that an operation ends in; {@code poll} returns null
 * only if it found both parts without a ready item. An item being offered at that time may be missed:
 * its producer has yet to notify. <b>Progress.</b> Lock-free.
 *
 * @param <T> type of the items
 */
public final class InjectionQueue<T> {
    private final MpmcVarHandleArrayQueue<T> array;
    private final ConcurrentLinkedQueue<T> overflow = new ConcurrentLinkedQueue<>();

    /**
     * An empty queue.
     *
     * @param capacity items that fit without allocation
     */
    public InjectionQueue(int capacity) {
        array = new MpmcVarHandleArrayQueue<>(capacity);
    }

    /**
     * Appends an item.
     *
     * @param item the item
     */
    public void offer(T item) {
        if (!overflow.isEmpty() || !array.offer(item)) {
            overflow.offer(item);
        }
    }

    /**
     * Takes an item.
     *
     * @return the item, or null if none is ready
     */
    public @Nullable T poll() {
        T item = array.relaxedPoll();
        // Both parts. Guards against stranded items: see queue.InjectionOverflowStress and QueuesTest.
        return item != null || overflow.isEmpty() ? item : overflow.poll();
    }

    /**
     * Whether there is nothing to take.
     *
     * @return false also while a producer is in the middle of {@link #offer}
     */
    public boolean isEmpty() {
        return array.isEmpty() && overflow.isEmpty();
    }

    /**
     * Number of items, for reports.
     *
     * @return the number, exact only at rest; linear in the overflow
     */
    public int size() {
        return array.size() + overflow.size();
    }
}
