package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalSemaphore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What external semaphores follow of the submissions here. Values of a timeline are reached in order, so a point
 * follows whatever lower ones do; those that their owner signals add nothing that is known. A binary semaphore is a
 * point that is signalled again and again: it has been waited for before, so each signal follows the one before it.
 */
final class ExternalSignals {
    /** By timeline and value. Copies share the inner maps, which are never changed. */
    private final Map<Object, TreeMap<Long, Signal>> timelines = new HashMap<>();
    /** Those of the newest submission, as it gives them. */
    private final List<Signal> newest = new ArrayList<>(0);

    /** Returns a copy that later changes do not share. */
    ExternalSignals copy() {
        ExternalSignals copy = new ExternalSignals();
        copy.timelines.putAll(timelines);
        return copy;
    }

    /** A semaphore that was imported twice is one. */
    private static Object key(ExternalSemaphore semaphore) {
        return semaphore.nativeHandle() == 0 ? semaphore : semaphore.nativeHandle();
    }

    /** Returns what a point follows, null if nothing is known. */
    @Nullable
    Signal reachedBy(ExternalPoint point) {
        TreeMap<Long, Signal> known = timelines.get(key(point.semaphore()));
        Map.Entry<Long, Signal> reached = known == null ? null : known.floorEntry(point.value());
        return reached == null ? null : reached.getValue();
    }

    void begin() {
        newest.clear();
    }

    /** Notes that a point is signalled, which no higher one is before. */
    void signal(ExternalPoint point, Signal signal) {
        newest.add(signal);
        Object key = key(point.semaphore());
        TreeMap<Long, Signal> changed = new TreeMap<>(timelines.getOrDefault(key, new TreeMap<>()));
        Map.Entry<Long, Signal> below = changed.floorEntry(point.value());
        changed.put(point.value(), below == null ? signal : below.getValue().with(signal));
        changed.tailMap(point.value(), false).replaceAll((value, higher) -> higher.with(signal));
        timelines.put(key, changed);
    }

    boolean hasSignalled() {
        return !newest.isEmpty();
    }

    /** Returns whether the newest submission signals the same here as there, given what the host has seen. */
    boolean signalledAs(HostView host, ExternalSignals other) {
        for (int i = 0; i < newest.size(); i++) {
            if (!newest.get(i).sameAbove(host, other.newest.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Forgets the points that order nothing any more, because the host has seen all that they follow. */
    void forgetSeen(HostView host) {
        timelines.values().removeIf(points -> host.hasSeen(points.lastEntry().getValue()));
        timelines.replaceAll((timeline, points) -> {
            if (!host.hasSeen(points.firstEntry().getValue())) {
                return points;
            }
            TreeMap<Long, Signal> left = new TreeMap<>(points);
            left.values().removeIf(host::hasSeen);
            return left;
        });
    }
}
