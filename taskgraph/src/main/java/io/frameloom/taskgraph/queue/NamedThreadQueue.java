package io.frameloom.taskgraph.queue;

import io.frameloom.taskgraph.ThreadScheduler;
import io.frameloom.taskgraph.parts.ThreadParker;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The queues of one named thread: main and local, each with two priorities, and one parker for all four.
 *
 * <p>Any thread may {@link #offer} and {@link #wakeConsumer()}. {@link #poll} and the parker's waiting
 * side belong to one consumer at a time. Per queue, priority and producer the order is FIFO.
 *
 * <p><b>No lost wake-up.</b> A producer offers and then wakes (full fence inside). The consumer prepares its parker
 * (full fence inside), looks at {@link #isEmpty} of every queue it serves, and parks only if all are empty. No flag
 * says "it is woken already": a second producer could not trust it.
 *
 * <p><b>The bubble.</b> A producer that stands still between claiming a place and storing the item holds up its queue.
 * {@link #poll} returns null then and {@link #isEmpty} false: the consumer looks again, and may look at what else it
 * waits for.
 *
 * <p><b>Cache lines.</b> A consumer that waits actively asks {@link #hasReady}, which reads only the slots that
 * producers fill: so a producer's own words stay in its cache.
 *
 * <p><b>Progress.</b> {@code offer} is lock-free, and {@code poll} wait-free: the queues are JCTools' unbounded
 * multi-producer single-consumer queues.
 *
 * @param <T> type of the items
 */
public final class NamedThreadQueue<T> {
    private final MpscUnboundedVarHandleArrayQueue<T> localHigh;
    private final MpscUnboundedVarHandleArrayQueue<T> mainHigh;
    private final MpscUnboundedVarHandleArrayQueue<T> localNormal;
    private final MpscUnboundedVarHandleArrayQueue<T> mainNormal;
    private final ThreadParker parker;

    /**
     * Empty queues with so many items per array, 2 or more; a queue makes another array only if it holds more. A
     * scheduler blocks and wakes the consumer, or the operating system if that is null.
     */
    public NamedThreadQueue(int chunk, @Nullable ThreadScheduler scheduler) {
        parker = new ThreadParker(scheduler);
        localHigh = new MpscUnboundedVarHandleArrayQueue<>(chunk);
        mainHigh = new MpscUnboundedVarHandleArrayQueue<>(chunk);
        localNormal = new MpscUnboundedVarHandleArrayQueue<>(chunk);
        mainNormal = new MpscUnboundedVarHandleArrayQueue<>(chunk);
    }

    /** Appends an item. The producer must call {@link #wakeConsumer()} afterwards. */
    public void offer(T item, boolean local, boolean high) {
        queue(local, high).offer(item);
    }

    /** Wakes the consumer if it parks or is about to. */
    public void wakeConsumer() {
        parker.wake();
    }

    /**
     * Takes the next item: high before normal priority, within a priority local before main. Null if the queues are
     * empty, or a producer stands still before an item.
     */
    public @Nullable T poll(boolean localOnly) {
        T item = localHigh.relaxedPoll();
        if (item == null && !localOnly) {
            item = mainHigh.relaxedPoll();
        }
        if (item == null) {
            item = localNormal.relaxedPoll();
        }
        return item != null || localOnly ? item : mainNormal.relaxedPoll();
    }

    /**
     * Whether there is something to poll, for active waiting by the consumer. It may miss items after a producer in the
     * middle of {@link #offer}, so a consumer must not park because of it.
     */
    public boolean hasReady(boolean localOnly) {
        return localHigh.relaxedPeek() != null
                || localNormal.relaxedPeek() != null
                || (!localOnly && (mainHigh.relaxedPeek() != null || mainNormal.relaxedPeek() != null));
    }

    /** Whether every offered item was polled; false also while a producer is in the middle of {@link #offer}. */
    public boolean isEmpty(boolean localOnly) {
        // All queues of one parker. Guards race 12: see park.PushHighAgainstRecheckStress and QueuesTest.
        return localHigh.isEmpty()
                && localNormal.isEmpty()
                && (localOnly || (mainHigh.isEmpty() && mainNormal.isEmpty()));
    }

    /** Items in the main or the local queue, exact only while no thread offers or polls; any thread. */
    public int size(boolean local) {
        return local ? localHigh.size() + localNormal.size() : mainHigh.size() + mainNormal.size();
    }

    public ThreadParker parker() {
        return parker;
    }

    /** One of the four. */
    private MpscUnboundedVarHandleArrayQueue<T> queue(boolean local, boolean high) {
        if (local) {
            return high ? localHigh : localNormal;
        }
        return high ? mainHigh : mainNormal;
    }
}
