package io.frameloom.gpu.device;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Objects that were closed while the device was at work. Each is destroyed when everything submitted before its close
 * has been completed, in the order of the closes, so users before what they use. That needs no look at the resources of
 * a submission, and costs submissions nothing. Any thread.
 */
public final class Retired {
    /** The longest wait of a thread without memory for the device, which may execute something that never ends. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Deque<Entry> waiting = new ArrayDeque<>();
    private List<? extends Work> queues = List.of();
    private volatile int count;
    /** Changed with the lock. */
    private volatile long destroyed;

    /** The pending work of a queue. */
    public interface Work {
        /** Returns the highest value of a submission that may name what is open now. */
        long newest();

        /**
         * Returns whether the device has finished everything up to a value of {@link #newest}; not reported to
         * observers.
         */
        boolean isOver(long value);

        /**
         * Waits until {@link #isOver} holds for the submitted part of that; not reported to observers.
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
     * @param destruction the destruction, on any thread that finds it possible; the object counts as closed already, so
     *     no later submission names it
     */
    public void add(Runnable destruction) {
        // Out of the lock: a queue may have one that is held while another thread closes something.
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
     * Waits until the device has finished with what is closed by now, for two seconds at most, and destroys that. For
     * each thread that finds no memory left and then tries once more.
     *
     * @param before what {@link #destroyed} has returned before memory ran out
     * @return whether anything was destroyed since, by any thread
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
                // Not before: a thread that sees the number may assume that the memory is free.
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
