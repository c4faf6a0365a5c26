package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.DeviceEventSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** The first halves of split barriers whose second halves are still to come, until their events are taken back. */
final class SetEvents {
    private final IdentityHashMap<DeviceEventSet, Map<Integer, Half>> halves = new IdentityHashMap<>(1);

    /**
     * A first half.
     *
     * @param source what it follows on its queue
     * @param seen what the host had seen when it was submitted: what the host sees later may be beside the barrier
     */
    record Half(SplitSource source, HostView seen) {
        boolean sameAs(Half other) {
            return seen.sameAs(other.seen) && source.sameAbove(seen, other.source);
        }
    }

    SetEvents copy() {
        SetEvents copy = new SetEvents();
        halves.forEach((events, ofSet) -> copy.halves.put(events, new HashMap<>(ofSet)));
        return copy;
    }

    void set(DeviceEventSet events, int index, SplitSource source, HostView host) {
        halves.computeIfAbsent(events, first -> new HashMap<>()).put(index, new Half(source, host.copy()));
    }

    /** Returns the first half of a split barrier that a queue waits for, or one that follows nothing. */
    Half take(DeviceEventSet events, int index, int queue, HostView host) {
        Map<Integer, Half> ofSet = halves.getOrDefault(events, Map.of());
        Half half = ofSet.get(index);
        if (half == null) {
            return new Half(SplitSource.ofNothing(queue), host);
        }
        ofSet.remove(index);
        if (ofSet.isEmpty()) {
            halves.remove(events);
        }
        return half.source.queue() == queue ? half : new Half(SplitSource.ofNothing(queue), host);
    }

    /** Forgets the events of a set that were taken back: no later wait follows what set them. */
    void forget(DeviceEventSet events) {
        halves.remove(events);
    }

    /** Returns what the host had seen at the submission of the oldest half; its present view if there is none. */
    HostView seenByAll(HostView host) {
        HostView oldest = host;
        for (Map<Integer, Half> ofSet : halves.values()) {
            for (Half half : ofSet.values()) {
                oldest = half.seen.waits() < oldest.waits() ? half.seen : oldest;
            }
        }
        return oldest;
    }

    /** Returns the number of halves. */
    int size() {
        return halves.values().stream().mapToInt(Map::size).sum();
    }

    /** Returns whether both have the same halves, which follow the same. */
    boolean sameAs(SetEvents other) {
        return halves.size() == other.halves.size()
                && halves.entrySet().stream()
                        .allMatch(each -> same(each.getValue(), other.halves.getOrDefault(each.getKey(), Map.of())));
    }

    private static boolean same(Map<Integer, Half> mine, Map<Integer, Half> theirs) {
        return mine.keySet().equals(theirs.keySet())
                && mine.entrySet().stream().allMatch(each -> {
                    Half other = theirs.get(each.getKey());
                    return other != null && each.getValue().sameAs(other);
                });
    }
}
