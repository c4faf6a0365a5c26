package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.DeviceEventSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** The first halves of split barriers whose second halves are still to come, until their events are taken back. */
final class SetEvents {
    private final IdentityHashMap<DeviceEventSet, Map<Integer, FirstHalf>> halves = new IdentityHashMap<>(1);

    SetEvents copy() {
        SetEvents copy = new SetEvents();
        halves.forEach((events, ofSet) -> copy.halves.put(events, new HashMap<>(ofSet)));
        return copy;
    }

    void set(DeviceEventSet events, int index, FirstHalf half) {
        halves.computeIfAbsent(events, first -> new HashMap<>()).put(index, half.copy());
    }

    /** Returns the first half of a split barrier that a queue waits for, or one that follows nothing. */
    FirstHalf take(DeviceEventSet events, int index, int queue, HostView host) {
        Map<Integer, FirstHalf> ofSet = halves.getOrDefault(events, Map.of());
        FirstHalf half = ofSet.get(index);
        if (half == null) {
            return FirstHalf.ofNothing(queue, host);
        }
        ofSet.remove(index);
        if (ofSet.isEmpty()) {
            halves.remove(events);
        }
        return half.queue() == queue ? half : FirstHalf.ofNothing(queue, host);
    }

    /** Forgets the events of a set that were taken back: no later wait follows what set them. */
    void forget(DeviceEventSet events) {
        halves.remove(events);
    }

    /** Returns what the host had seen at the submission of the oldest half; its present view if there is none. */
    HostView seenByAll(HostView host) {
        HostView oldest = host;
        for (Map<Integer, FirstHalf> ofSet : halves.values()) {
            for (FirstHalf half : ofSet.values()) {
                oldest = half.seen().waits() < oldest.waits() ? half.seen() : oldest;
            }
        }
        return oldest;
    }

    int size() {
        return halves.values().stream().mapToInt(Map::size).sum();
    }

    /** Returns whether both have the same halves, which follow the same. */
    boolean sameAs(SetEvents other) {
        return halves.size() == other.halves.size()
                && halves.entrySet().stream()
                        .allMatch(each -> same(each.getValue(), other.halves.getOrDefault(each.getKey(), Map.of())));
    }

    private static boolean same(Map<Integer, FirstHalf> mine, Map<Integer, FirstHalf> theirs) {
        return mine.keySet().equals(theirs.keySet())
                && mine.entrySet().stream().allMatch(each -> {
                    FirstHalf other = theirs.get(each.getKey());
                    return other != null && each.getValue().sameAs(other);
                });
    }
}
