package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.resource.Buffer;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The bytes of buffers that were written since the last barrier, as disjoint ranges of which no two touch. One thread
 * at a time.
 */
public final class WrittenRanges {
    /** Ends by begins. */
    private final IdentityHashMap<Buffer, TreeMap<Long, Long>> written = new IdentityHashMap<>();

    /** Returns whether some of the bytes were written. */
    public boolean overlap(Buffer target, long from, long to) {
        TreeMap<Long, Long> ranges = written.get(target);
        if (ranges == null) {
            return false;
        }
        Map.Entry<Long, Long> below = ranges.lowerEntry(to);
        return below != null && below.getValue() > from;
    }

    /** Notes that bytes are written that were not. */
    public void add(Buffer target, long from, long to) {
        TreeMap<Long, Long> ranges = written.computeIfAbsent(target, buffer -> new TreeMap<>());
        long begin = from;
        long end = to;
        Map.Entry<Long, Long> before = ranges.floorEntry(from);
        if (before != null && before.getValue() == from) {
            begin = before.getKey();
        }
        Long after = ranges.remove(to);
        if (after != null) {
            end = after;
        }
        ranges.put(begin, end);
    }

    /** Forgets everything: a barrier orders what follows. */
    public void clear() {
        written.clear();
    }
}
