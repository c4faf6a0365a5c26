package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.resource.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The resources of a heap, sorted so that a range finds those that it overlaps without a look at the rest: by size up
 * to the next power of two, and among those of about one size by offset. One thread at a time.
 */
final class Placements<T> {
    private final NavigableMap<Integer, NavigableMap<Long, List<T>>> bySize = new TreeMap<>();
    private final Function<T, Resource.Placement> placements;

    /** An empty heap; {@code placements} gives the place of what is added, always the same. */
    Placements(Function<T, Resource.Placement> placements) {
        this.placements = placements;
    }

    private static int sizeOf(Resource.Placement placement) {
        return Long.SIZE - Long.numberOfLeadingZeros(placement.bytes());
    }

    void add(T placed) {
        Resource.Placement placement = placements.apply(placed);
        bySize.computeIfAbsent(sizeOf(placement), size -> new TreeMap<>())
                .computeIfAbsent(placement.offset(), offset -> new ArrayList<>(1))
                .add(placed);
    }

    /** Takes something out that was added. */
    void remove(T placed) {
        Resource.Placement placement = placements.apply(placed);
        NavigableMap<Long, List<T>> ofSize = bySize.get(sizeOf(placement));
        List<T> there = ofSize == null ? null : ofSize.get(placement.offset());
        if (ofSize == null || there == null) {
            return;
        }
        there.removeIf(other -> other == placed);
        if (there.isEmpty()) {
            ofSize.remove(placement.offset());
        }
        if (ofSize.isEmpty()) {
            bySize.remove(sizeOf(placement));
        }
    }

    boolean isEmpty() {
        return bySize.isEmpty();
    }

    /** Gives whatever has bytes in common with a placement in this heap. */
    void overlapping(Resource.Placement placement, Consumer<T> each) {
        long end = placement.offset() + placement.bytes();
        for (Map.Entry<Integer, NavigableMap<Long, List<T>>> ofSize : bySize.entrySet()) {
            long first = placement.offset() - (1L << ofSize.getKey());
            for (List<T> there : ofSize.getValue().subMap(first, end).values()) {
                for (T placed : there) {
                    if (placements.apply(placed).overlaps(placement)) {
                        each.accept(placed);
                    }
                }
            }
        }
    }
}
