package io.frameloom.taskgraph.internal;

import io.frameloom.taskgraph.ThreadScheduler;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
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
 * <p><b>The bubble.</b> A producer that stalls between claiming a place and storing the item makes its
 * queue non-empty with nothing to poll. {@link #poll} then goes on to the other queues instead of
 * spinning, and {@link #isEmpty} keeps the consumer from parking.
 *
 * <p><b>Progress.</b> {@code offer} is wait-free except when a chunk is added (other producers wait for
 * it); {@code poll} is wait-free.
 *
 * @param <T> type of the items
 */
public final class NamedThreadQueue<T> {
    private static final int LOCAL_HIGH = 0;
    private static final int MAIN_HIGH = 1;
    private static final int LOCAL_NORMAL = 2;
    private static final int MAIN_NORMAL = 3;

    private final MpscUnboundedVarHandleArrayQueue<T> localHigh;
    private final MpscUnboundedVarHandleArrayQueue<T> mainHigh;
    private final MpscUnboundedVarHandleArrayQueue<T> localNormal;
    private final MpscUnboundedVarHandleArrayQueue<T> mainNormal;
    private final ThreadParker parker;

    /**
     * Empty queues.
     *
     * @param chunk items per array chunk; a power of two, 2 or more
     */
    public NamedThreadQueue(int chunk) {
        this(chunk, null);
    }

    /**
     * Empty queues whose consumer is blocked and woken by a scheduler.
     *
     * @param chunk items per array chunk; a power of two, 2 or more
     * @param scheduler the scheduler, or null for the operating system
     */
    public NamedThreadQueue(int chunk, @Nullable ThreadScheduler scheduler) {
        parker = new ThreadParker(scheduler);
        localHigh = new MpscUnboundedVarHandleArrayQueue<>(chunk);
        mainHigh = new MpscUnboundedVarHandleArrayQueue<>(chunk);
        localNormal = new MpscUnboundedVarHandleArrayQueue<>(chunk);
        mainNormal = new MpscUnboundedVarHandleArrayQueue<>(chunk);
    }

    /**
     * Appends an item. The producer must call {@link #wakeConsumer()} afterwards.
     *
     * @param item the item
     * @param local into the local instead of the main queue
     * @param high with high priority
     */
    public void offer(T item, boolean local, boolean high) {
        queue(high ? (local ? LOCAL_HIGH : MAIN_HIGH) : (local ? LOCAL_NORMAL : MAIN_NORMAL))
                .offer(item);
    }

    /** Wakes the consumer if it parks or is about to. */
    public void wakeConsumer() {
        parker.wake();
    }

    /**
     * Takes the next item: high before normal priority, within a priority local before main.
     *
     * @param localOnly only from the local queue
     * @return the item, or null if there is none to be had now ({@link #isEmpty} tells whether one is
     *     about to arrive)
     */
    public @Nullable T poll(boolean localOnly) {
        for (int i = 0; i <= MAIN_NORMAL; i++) {
            if (localOnly && (i & 1) != 0) {
                continue;
            }
            // Not poll(), which would spin for a stalled producer. Guards race 13: see StalledProducerTest.
            T item = queue(i).relaxedPoll();
            if (item != null) {
                return item;
            }
        }
        return null;
    }

    /**
     * Whether every offered item was polled.
     *
     * @param localOnly look only at the local queue
     * @return false also while a producer is in the middle of {@link #offer}
     */
    public boolean isEmpty(boolean localOnly) {
        // All queues of one parker. Guards races 12 and 13: see park.PushHighAgainstRecheckStress and
        // StalledProducerTest.
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

    private MpscUnboundedVarHandleArrayQueue<T> queue(int index) {
        return switch (index) {
            case LOCAL_HIGH -> localHigh;
            case MAIN_HIGH -> mainHigh;
            case LOCAL_NORMAL -> localNormal;
            default -> mainNormal;
        };
    }
}
