package io.frameloom.taskgraph.internal;

import io.frameloom.taskgraph.ThreadScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The queues of one named thread: main and local, each with two priorities, and one parker for all four.
 *
 * <p>Any thread may {@link #offer} and {@link #wakeConsumer()}. {@link #poll} and the parker's waiting
 * side belong to one consumer at a time. Per queue, priority and producer the order is FIFO.
 *
 * <p><b>No lost wake-up.</b> A producer offers and then wakes (full fence inside); the consumer prepares
 * its parker (full fence inside), looks at {@link #isEmpty} of every queue it serves, and parks only if
 * all are empty. There is no "somebody has woken it already" flag that a second producer could trust.
 *
 * <p><b>The bubble.</b> A producer that stalls, or dies, between claiming a place and storing the item
 * holds up nothing: {@link #poll} closes the place ({@link InjectionQueue}). {@link #isEmpty} is false
 * until then, which costs the consumer one more turn.
 *
 * <p><b>Cache lines.</b> A consumer that waits actively asks {@link #hasReady}, which reads the slots that
 * producers fill and nothing else that they write: so a producer's own words stay in its cache.
 *
 * <p><b>Progress.</b> {@code offer} and {@code poll} are lock-free.
 *
 * @param <T> type of the items
 */
public final class NamedThreadQueue<T> {
    private final InjectionQueue<T> localHigh;
    private final InjectionQueue<T> mainHigh;
    private final InjectionQueue<T> localNormal;
    private final InjectionQueue<T> mainNormal;
    private final ThreadParker parker;

    /**
     * Empty queues.
     *
     * @param segment items per segment of a queue, 1 or more
     */
    public NamedThreadQueue(int segment) {
        this(segment, null);
    }

    /**
     * Empty queues whose consumer is blocked and woken by a scheduler.
     *
     * @param segment items per segment of a queue, 1 or more
     * @param scheduler the scheduler, or null for the operating system
     */
    public NamedThreadQueue(int segment, @Nullable ThreadScheduler scheduler) {
        parker = new ThreadParker(scheduler);
        localHigh = new InjectionQueue<>(segment);
        mainHigh = new InjectionQueue<>(segment);
        localNormal = new InjectionQueue<>(segment);
        mainNormal = new InjectionQueue<>(segment);
    }

    /**
     * Appends an item. The producer must call {@link #wakeConsumer()} afterwards.
     *
     * @param item the item
     * @param local into the local instead of the main queue
     * @param high with high priority
     */
    public void offer(T item, boolean local, boolean high) {
        queue(local, high).offer(item);
    }

    /** Wakes the consumer if it parks or is about to. */
    public void wakeConsumer() {
        parker.wake();
    }

    /**
     * Takes the next item: high before normal priority, within a priority local before main.
     *
     * @param localOnly only from the local queue
     * @return the item, or null if every offer that had returned was polled
     */
    public @Nullable T poll(boolean localOnly) {
        T item = localHigh.pollAlone();
        if (item == null && !localOnly) {
            item = mainHigh.pollAlone();
        }
        if (item == null) {
            item = localNormal.pollAlone();
        }
        return item != null || localOnly ? item : mainNormal.pollAlone();
    }

    /**
     * Whether there is something to poll, for active waiting: it may miss what is behind a producer in the
     * middle of {@link #offer}, so a consumer must not park on its word.
     *
     * @param localOnly look only at the local queue
     * @return true if so
     */
    public boolean hasReady(boolean localOnly) {
        return localHigh.hasReady()
                || localNormal.hasReady()
                || (!localOnly && (mainHigh.hasReady() || mainNormal.hasReady()));
    }

    /**
     * Whether every offered item was polled.
     *
     * @param localOnly look only at the local queue
     * @return false also while a producer is in the middle of {@link #offer}, and after one has died there, until the
     *     next poll
     */
    public boolean isEmpty(boolean localOnly) {
        // All queues of one parker. Guards race 12: see park.PushHighAgainstRecheckStress and QueuesTest.
        return localHigh.isEmpty()
                && localNormal.isEmpty()
                && (localOnly || (mainHigh.isEmpty() && mainNormal.isEmpty()));
    }

    /**
     * Items in the main or the local queue; any thread.
     *
     * @param local count the local instead of the main queue
     * @return the number, exact only when nobody offers or polls
     */
    public int size(boolean local) {
        return local ? localHigh.size() + localNormal.size() : mainHigh.size() + mainNormal.size();
    }

    /**
     * The parker of the consumer.
     *
     * @return the parker
     */
    public ThreadParker parker() {
        return parker;
    }

    /** One of the four. */
    InjectionQueue<T> queue(boolean local, boolean high) {
        if (local) {
            return high ? localHigh : localNormal;
        }
        return high ? mainHigh : mainNormal;
    }
}
