package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.explain.PlanClocks;
import java.util.List;
import java.util.OptionalLong;

/**
 * The fewest bytes that hold the transients of a heap, of those that the plan keeps apart none on common bytes. A heap
 * as small as its lower bound is the smallest. Of few transients all orders are tried, each transient at the lowest
 * free offset. The order of the offsets of any placement is among these, and gives one that is no larger.
 */
final class ExactPlacement {
    /** All orders of more take too long. */
    private static final int MOST = 8;

    private final long[] bytes;
    private final long[] alignment;
    private final boolean[][] apart;
    private final long[] offset;
    private final boolean[] placed;
    private long best;

    private ExactPlacement(PlanClocks clocks, List<ResourcePlan> resources, long[] alignments, long known) {
        int count = resources.size();
        bytes = new long[count];
        alignment = new long[count];
        apart = new boolean[count][count];
        offset = new long[count];
        placed = new boolean[count];
        best = known;
        for (int a = 0; a < count; a++) {
            bytes[a] = resources.get(a).bytes();
            alignment[a] = alignments[resources.get(a).index()];
            for (int b = 0; b < count; b++) {
                apart[a][b] = a != b
                        && !clocks.precedes(resources.get(a), resources.get(b))
                        && !clocks.precedes(resources.get(b), resources.get(a));
            }
        }
    }

    /**
     * Returns the fewest bytes of a heap, nothing if it has too many transients.
     *
     * @param alignments of all resources of the plan
     */
    static OptionalLong of(FramePlan plan, PlanClocks clocks, int heap, long[] alignments) {
        FramePlan.HeapPlan known = plan.heaps().get(heap);
        List<ResourcePlan> resources =
                plan.resources().stream().filter(r -> r.heap() == heap).toList();
        if (known.bytes() == known.lowerBound()) {
            return OptionalLong.of(known.bytes());
        }
        if (resources.size() > MOST) {
            return OptionalLong.empty();
        }
        ExactPlacement search = new ExactPlacement(clocks, resources, alignments, known.bytes());
        search.place(0, 0);
        return OptionalLong.of(search.best);
    }

    private void place(int done, long end) {
        if (end >= best) {
            return;
        }
        if (done == bytes.length) {
            best = end;
            return;
        }
        for (int r = 0; r < bytes.length; r++) {
            if (!placed[r]) {
                offset[r] = lowest(r);
                placed[r] = true;
                place(done + 1, Math.max(end, offset[r] + bytes[r]));
                placed[r] = false;
            }
        }
    }

    /** Returns the lowest offset at which nothing is in the way. */
    private long lowest(int r) {
        long at = 0;
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int other = 0; other < bytes.length; other++) {
                if (placed[other]
                        && apart[r][other]
                        && at < offset[other] + bytes[other]
                        && offset[other] < at + bytes[r]) {
                    at = (offset[other] + bytes[other] + alignment[r] - 1) / alignment[r] * alignment[r];
                    moved = true;
                }
            }
        }
        return at;
    }
}
