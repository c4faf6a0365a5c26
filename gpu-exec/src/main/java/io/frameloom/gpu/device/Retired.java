package io.frameloom.gpu.device;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What was closed while the device was at work: it is destroyed when everything has been completed that was submitted
 * before the close, in the order of the closes, so users before what they use. That takes no look at what a submission
 * names, and costs submissions nothing. Any thread.
 */
public final class Retired {
    /** How long somebody without memory waits for the device at most; it may be at work on what never ends. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Deque<Entry> waiting = new ArrayDeque<>();
    private List<? extends Work> queues = List.of();
    private volatile int count;
    /** Changed with the lock. */
    private volatile long destroyed;

    /** What a queue has to do. */
    public interface Work {
        /** Returns the highest value of a submission that may name what is open now. */
        long newest();

        /** Returns whether nothing up to a value of {@link #newest} is executed any more; nobody is told of it. */
        boolean isOver(long value);

        /**
         * Waits until {@link #isOver} holds of what is submitted of that; nobody is told of it.
         *
         * @param nanos how long at most
         */
        void awaitOver(long value, long nanos);
    }

    /** Something closed, and the newest value of each queue at that time. */
    private static final class Entry {
        private final long[] values;
        private final Runnable destruction;

        Entry(long[] values, Runnable destruction) {
            this.values = values;
            this.destruction = destruction;
        }
    }

    /** Sets the queues of the device, before any submission. */
    public void connect(List<? extends Work> all) {
        queues = all;
    }

    /**
     * Destroys something as soon as it may be, which may be now.
     *
     * @param destruction what to do, on whichever thread finds that it may; what is to be destroyed says that it is closed
     *     already, so that no further submission names it
     */
    public void add(Runnable destruction) {
        // Out of the lock: a queue may have one that is held while somebody closes something.
        long[] values = new long[queues.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = queues.get(i).newest();
        }
        synchronized (this) {
            waiting.add(new Entry(values, destruction));
            destroyOver();
        }
    }

    /** Destroys what may be by now; next to nothing where nothing waits. */
    public void sweep() {
        if (count > 0) {
            destroyOver();
        }
    }

    /** Returns how much was destroyed so far. */
    public long destroyed() {
        return destroyed;
    }

    /**
     * Waits until the device has done with what is closed by now, for two seconds at most, and destroys that. For whoever
     * finds no memory left and then tries once more.
     *
     * @param before what {@link #destroyed} has returned before there was none
     * @return whether anything was destroyed since, by whichever thread
     */
    public boolean reclaim(long before) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        long[] values = newest();
        for (int i = 0; i < values.length; i++) {
            queues.get(i).awaitOver(values[i], Math.max(0, end - System.nanoTime()));
        }
        destroyOver();
        return destroyed != before;
    }

    /** Returns for each queue what everything closed waits for. */
    private synchronized long[] newest() {
        long[] values = new long[queues.size()];
        for (Entry entry : waiting) {
            for (int i = 0; i < values.length; i++) {
                values[i] = Math.max(values[i], entry.values[i]);
            }
        }
        return values;
    }

    private synchronized void destroyOver() {
        while (!waiting.isEmpty() && isOver(waiting.element())) {
            count = waiting.size() - 1;
            Entry over = waiting.remove();
            try {
                over.destruction.run();
            } finally {
                // Not before: whoever sees the number may take it that the memory is there.
                destroyed++;
            }
        }
        count = waiting.size();
    }

    private boolean isOver(Entry entry) {
        for (int i = 0; i < entry.values.length; i++) {
            if (!queues.get(i).isOver(entry.values[i])) {
                return false;
            }
        }
        return true;
    }

    /**
     * Destroys everything: the device is at work on nothing.
     *
     * @param failures takes what is thrown; the rest is destroyed all the same
     */
    public synchronized void destroyAll(List<? super RuntimeException> failures) {
        while (!waiting.isEmpty()) {
            try {
                waiting.remove().destruction.run();
            } catch (RuntimeException failure) {
                failures.add(failure);
            }
        }
        count = 0;
    }
}
