package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.PlanDerivation.Epoch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Ranges of one resource that lie beside each other as few larger ones: what one barrier each takes. */
final class MergedRanges {
    private static final int MIPS = 0;
    private static final int LAYERS = 1;
    private static final int PLANES = 2;
    private static final int AXES = 3;

    private MergedRanges() {}

    /** Returns the first and the end of each axis of the range of an epoch; bytes of a buffer are the first axis. */
    static long[] box(Epoch epoch) {
        SubresourceRange range = epoch.range();
        return range == null
                ? new long[] {epoch.offset(), epoch.offset() + epoch.bytes(), 0, 1, 0, 1}
                : new long[] {
                    range.baseMip(),
                    range.baseMip() + range.mipCount(),
                    range.baseLayer(),
                    range.baseLayer() + range.layerCount(),
                    range.basePlane(),
                    range.basePlane() + range.planeCount()
                };
    }

    /** Returns how many ranges are left of disjoint boxes. */
    static int count(List<long[]> boxes) {
        if (boxes.size() < 2) {
            return boxes.size();
        }
        return Math.min(count(boxes, MIPS, LAYERS, PLANES), count(boxes, LAYERS, MIPS, PLANES));
    }

    private static int count(List<long[]> boxes, int... axes) {
        Collection<long[]> merged = boxes;
        for (int axis : axes) {
            merged = merged(merged, axis);
        }
        return merged.size();
    }

    private static List<long[]> merged(Collection<long[]> boxes, int axis) {
        Map<List<Long>, List<long[]>> alike = new HashMap<>();
        for (long[] box : boxes) {
            List<Long> others = new ArrayList<>(2 * AXES);
            for (int i = 0; i < box.length; i++) {
                others.add(i / 2 == axis ? 0 : box[i]);
            }
            alike.computeIfAbsent(others, key -> new ArrayList<>()).add(box.clone());
        }
        List<long[]> result = new ArrayList<>();
        for (List<long[]> row : alike.values()) {
            row.sort(Comparator.comparingLong(box -> box[2 * axis]));
            long[] last = row.get(0);
            result.add(last);
            for (long[] box : row.subList(1, row.size())) {
                if (box[2 * axis] == last[2 * axis + 1]) {
                    last[2 * axis + 1] = box[2 * axis + 1];
                } else {
                    last = box;
                    result.add(last);
                }
            }
        }
        return result;
    }
}
