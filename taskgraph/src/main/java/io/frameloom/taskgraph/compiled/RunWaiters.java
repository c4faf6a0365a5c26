package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.parts.PaddedLong;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.task.FailStop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The parkers of the threads that wait for a run. Any thread may call any method. A waiter adds its parker before it
 * looks for the last time whether to park; the thread that completes the run wakes all afterwards. The first few
 * waiters allocate nothing.
 */
final class RunWaiters {
    private static final int PLACES = 8;
    private static final int OVERFLOW = PLACES;

    private final PaddedLong count = new PaddedLong(0);
    private final AtomicReferenceArray<@Nullable ThreadParker> places = new AtomicReferenceArray<>(PLACES);
    private final ConcurrentLinkedQueue<ThreadParker> overflow = new ConcurrentLinkedQueue<>();

    /** Returns the place, for {@link #remove}. */
    int add(ThreadParker parker) {
        int place = 0;
        while (place < PLACES && !places.compareAndSet(place, null, parker)) {
            place++;
        }
        if (place == OVERFLOW) {
            overflow.add(parker);
        }
        count.getAndAdd(1L);
        return place;
    }

    void remove(int place, ThreadParker parker) {
        count.getAndAdd(-1L);
        if (place == OVERFLOW) {
            overflow.remove(parker);
        } else {
            places.set(place, null);
        }
    }

    /** The threads that are parked at some moment; for reports. */
    List<Thread> parkedThreads() {
        List<Thread> found = new ArrayList<>();
        for (int place = 0; place < PLACES; place++) {
            addParked(found, places.get(place));
        }
        overflow.forEach(parker -> addParked(found, parker));
        return found;
    }

    private static void addParked(List<Thread> found, @Nullable ThreadParker parker) {
        Thread thread = parker == null ? null : parker.parkedThread();
        if (thread != null) {
            found.add(thread);
        }
    }

    /** Lets all waiters go on, see {@link FailStop}. */
    void releaseAll() {
        for (int place = 0; place < PLACES; place++) {
            ThreadParker parker = places.get(place);
            if (parker != null) {
                parker.release();
            }
        }
        overflow.forEach(ThreadParker::release);
    }

    /** Wakes all waiters; must follow a full fence after what they wait for. */
    void wakeAll() {
        if (count.valueVolatile() == 0L) {
            return;
        }
        for (int place = 0; place < PLACES; place++) {
            ThreadParker parker = places.get(place);
            if (parker != null) {
                parker.wake();
            }
        }
        // An iterator would be an allocation for every run with waiters.
        if (!overflow.isEmpty()) {
            overflow.forEach(ThreadParker::wake);
        }
    }
}
