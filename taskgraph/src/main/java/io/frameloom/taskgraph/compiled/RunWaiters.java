package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.parts.ThreadParker;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parkers of the threads that wait for runs of one compiled graph; the first few allocate nothing. Any thread may
 * call any method, {@link #remove} the one that added.
 */
final class RunWaiters {
    private static final int PLACES = 8;

    private final AtomicReferenceArray<@Nullable ThreadParker> places = new AtomicReferenceArray<>(PLACES);
    private final ConcurrentLinkedQueue<ThreadParker> overflow = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    /** Adds the parker of the calling thread, before its last look whether to park. Returns its place. */
    int add(ThreadParker parker) {
        int place = 0;
        while (place < PLACES && !places.compareAndSet(place, null, parker)) {
            place++;
        }
        if (place == PLACES) {
            overflow.add(parker);
        }
        count.getAndIncrement();
        return place;
    }

    void remove(int place, ThreadParker parker) {
        count.getAndDecrement();
        if (place == PLACES) {
            overflow.remove(parker);
        } else {
            places.set(place, null);
        }
    }

    /** Whether nobody waits; after the end of what they wait for was published, and a full fence. */
    boolean isEmpty() {
        return count.get() == 0;
    }

    void forEach(Consumer<ThreadParker> action) {
        for (int place = 0; place < PLACES; place++) {
            ThreadParker parker = places.get(place);
            if (parker != null) {
                action.accept(parker);
            }
        }
        // An iterator would be an allocation for every run with waiters.
        if (!overflow.isEmpty()) {
            overflow.forEach(action);
        }
    }
}
