package io.frameloom.gpu.check;

import io.frameloom.gpu.DeviceEventSet;
import java.util.HashMap;
import java.util.Map;

/** The first halves of split barriers whose second halves are still to come. */
final class SetEvents {
    private final Map<Key, SplitSource> sources = new HashMap<>();

    private record Key(DeviceEventSet events, int index) {}

    SetEvents copy() {
        SetEvents copy = new SetEvents();
        copy.sources.putAll(sources);
        return copy;
    }

    void set(DeviceEventSet events, int index, SplitSource source) {
        sources.put(new Key(events, index), source);
    }

    /** Returns the first half of a split barrier that a queue waits for, or one that follows nothing. */
    SplitSource take(DeviceEventSet events, int index, int queue) {
        SplitSource source = sources.remove(new Key(events, index));
        return source == null || source.queue() != queue ? SplitSource.ofNothing(queue) : source;
    }

    /** Returns whether both have the same halves, which follow the same, given what the host has seen. */
    boolean sameAbove(HostView host, SetEvents other) {
        if (!sources.keySet().equals(other.sources.keySet())) {
            return false;
        }
        return sources.entrySet().stream().allMatch(each -> {
            SplitSource theirs = other.sources.get(each.getKey());
            return theirs != null && each.getValue().sameAbove(host, theirs);
        });
    }
}
