package io.frameloom.taskgraph;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What pending work hangs on and only the application can resolve: manual events that something waits
 * for, held tasks, and futures. Closing the graph fails them, and with them everything behind.
 *
 * <p>Any thread may call any method.
 */
final class PendingRoots {
    private final Set<ManualEvent> events = ConcurrentHashMap.newKeySet();
    private final Set<HeldTask> held = ConcurrentHashMap.newKeySet();
    private final Set<Promise> promises = ConcurrentHashMap.newKeySet();

    void add(ManualEvent manualEvent) {
        events.add(manualEvent);
    }

    void remove(ManualEvent manualEvent) {
        events.remove(manualEvent);
    }

    void add(HeldTask task) {
        held.add(task);
    }

    void remove(HeldTask task) {
        held.remove(task);
    }

    void add(Promise promise) {
        promises.add(promise);
    }

    void remove(Promise promise) {
        promises.remove(promise);
    }

    /** Fails all. Whoever adds one afterwards sees the graph closing and fails it himself. */
    void failAll() {
        for (HeldTask task : held) {
            task.failByClose();
        }
        for (ManualEvent event : events) {
            event.failByClose();
        }
        for (Promise promise : promises) {
            promise.failByClose();
        }
    }

    int size() {
        return events.size() + held.size() + promises.size();
    }
}
