package io.frameloom.gpu.check;

import io.frameloom.gpu.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What lies in a heap, sorted so that a range finds what it overlaps without a look at the rest: by size to the next power
 * of two, and among those of about one size by offset.
 */
final class Residents {
    private final NavigableMap<Integer, NavigableMap<Long, List<Resident>>> bySize = new TreeMap<>();

    private record Resident(Resource resource, Resource.Placement placement) {}

    private static int sizeOf(Resource.Placement placement) {
        return Long.SIZE - Long.numberOfLeadingZeros(placement.bytes());
    }

    void add(Resource resource, Resource.Placement placement) {
        bySize.computeIfAbsent(sizeOf(placement), size -> new TreeMap<>())
                .computeIfAbsent(placement.offset(), offset -> new ArrayList<>(1))
                .add(new Resident(resource, placement));
    }

    void remove(Resource resource, Resource.Placement placement) {
        NavigableMap<Long, List<Resident>> ofSize = bySize.get(sizeOf(placement));
        List<Resident> there = ofSize == null ? null : ofSize.get(placement.offset());
        if (ofSize == null || there == null) {
            return;
        }
        there.removeIf(resident -> resident.resource == resource);
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

    /** Gives whatever has bytes in common with a placement. */
    void overlapping(Resource.Placement placement, Consumer<Resource> each) {
        long end = placement.offset() + placement.bytes();
        for (Map.Entry<Integer, NavigableMap<Long, List<Resident>>> ofSize : bySize.entrySet()) {
            long first = placement.offset() - (1L << ofSize.getKey());
            for (List<Resident> there : ofSize.getValue().subMap(first, end).values()) {
                for (Resident resident : there) {
                    if (resident.placement.overlaps(placement)) {
                        each.accept(resident.resource);
                    }
                }
            }
        }
    }
}
