package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.ThreadScheduler;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The roots of pending work that only the application can resolve: manual events that something waits for, held tasks,
 * and futures. Closing the graph fails them, and with them everything after.
 *
 * <p>Any thread may call any method.
 */
public final class PendingRoots {
    private final Set<ManualEvent> events;
    private final Map<CoreEvent, HeldStart> held;
    private final Set<Promise> promises;

    PendingRoots(@Nullable ThreadScheduler scheduler) {
        events = newSet(scheduler);
        held = scheduler == null ? new ConcurrentHashMap<>() : Collections.synchronizedMap(new LinkedHashMap<>());
        promises = newSet(scheduler);
    }

    /** A schedule can only be repeated if the order of the failures does not depend on identity hash codes. */
    private static <T> Set<T> newSet(@Nullable ThreadScheduler scheduler) {
        return scheduler == null ? ConcurrentHashMap.newKeySet() : Collections.synchronizedSet(new LinkedHashSet<>());
    }

    void add(ManualEvent manualEvent) {
        events.add(manualEvent);
    }

    void remove(ManualEvent manualEvent) {
        events.remove(manualEvent);
    }

    public void add(HeldStart task) {
        held.put(task.event(), task);
    }

    void remove(HeldStart task) {
        held.remove(task.event());
    }

    /** Whether the event is that of a held task. */
    public boolean holds(CoreEvent event) {
        return held.containsKey(event);
    }

    public void add(Promise promise) {
        promises.add(promise);
    }

    public void remove(Promise promise) {
        promises.remove(promise);
    }

    /** Fails all. A thread that adds one afterwards sees the graph closing and fails it itself. */
    public void failAll() {
        for (HeldStart task : List.copyOf(held.values())) {
            task.failByClose();
        }
        for (ManualEvent event : List.copyOf(events)) {
            event.failByClose();
        }
        for (Promise promise : List.copyOf(promises)) {
            promise.failByClose();
        }
    }

    public int size() {
        return events.size() + held.size() + promises.size();
    }
}
