package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.graph.Scratch;

/**
 * Packs resources into one heap: dynamic storage allocation, which is NP-hard, by first fit, the largest first ("greedy
 * by size" in "Efficient Memory Management for Deep Neural Net Inference", Y. Pisarchyk and J. Lee, 2020). If asked to
 * search, it tries other orders until one comes close to a lower bound, then an {@link OrderSearch} if none did. The
 * best result is kept.
 *
 * <p>An order after the first has to lower the peak of the best placement. So it first places what lives around that
 * peak alone, and is given up if that is as high.
 */
public final class HeapPacker {
    /**
     * The further orders are tried as long as more than this part of the most bytes around one node is to be gained.
     */
    private static final int WORTH_TRYING = 128;
    /** As {@link #WORTH_TRYING}, of the bytes at the peak of a placement. */
    private static final int WORTH_TRYING_AT_PEAK = 256;

    /** Lower placements are searched for if more than this part of the bound is to be gained. */
    private static final int WORTH_SEARCHING = 100;
    /** A search goes on as long as more than this part of the bound is to be gained. */
    private static final int WORTH_GOING_ON = 1_000;

    /** Places on each side of the highest one that say whether a further order lowers it. */
    private static final int AROUND_PEAK = 32;

    private static final long UNKNOWN = -1;
    private static final Order[] ORDERS = Order.values();

    /**
     * A packed heap.
     *
     * @param bytes size of the heap
     * @param bound bytes that no placement can go below
     * @param boundIsExact whether no more than these can be found, see {@link HeapBound#find}
     * @param unsearchedBytes size that is found without a search
     * @param mayGain whether a search that was not asked for may find a smaller size
     */
    public record Packed(long bytes, long bound, boolean boundIsExact, long unsearchedBytes, boolean mayGain) {}

    /** As many as {@link #count} says. */
    private final int[] resources;

    private final int count;
    private final long[] bytesOf;
    private final long[] alignmentOf;
    private final Lifetimes lifetimes;
    private final boolean aliasing;
    private final boolean searching;
    private final Scratch scratch;
    private final int mostConflicts;
    private int[] byFirstUse = {};

    HeapPacker(
            int[] resources,
            int count,
            long[] bytesOf,
            long[] alignmentOf,
            Lifetimes lifetimes,
            boolean aliasing,
            boolean searching,
            Scratch scratch) {
        this(resources, count, bytesOf, alignmentOf, lifetimes, Conflicts.MOST, aliasing, searching, scratch);
    }

    /** Packs; if there are more conflicts than {@code mostConflicts}, they are tested pair by pair. */
    public HeapPacker(
            int[] resources,
            int count,
            long[] bytesOf,
            long[] alignmentOf,
            Lifetimes lifetimes,
            int mostConflicts,
            boolean aliasing,
            boolean searching,
            Scratch scratch) {
        this.scratch = scratch;
        this.resources = resources;
        this.count = count;
        this.bytesOf = bytesOf;
        this.alignmentOf = alignmentOf;
        this.lifetimes = lifetimes;
        this.aliasing = aliasing;
        this.searching = searching;
        this.mostConflicts = mostConflicts;
    }

    /** Packs and writes the offset of each resource to {@code offsetOf}, which is indexed by resource. */
    public Packed pack(long[] offsetOf) {
        if (!aliasing || count == 0) {
            return unshared(offsetOf);
        }
        int n = count;
        Conflicts conflicts = new Conflicts(resources, n, lifetimes, mostConflicts, scratch);
        byFirstUse = conflicts.inOrder;
        int[] placed = conflicts.resources;
        long[] size = byPlace(placed, bytesOf);
        long[] alignment = byPlace(placed, alignmentOf);
        FirstFit fit = new FirstFit(n, size, alignment, conflicts, scratch);
        PeakBound peak = new PeakBound(n, size, conflicts, scratch);
        long[] key = scratch.longs(n);
        int[] sequence = scratch.ints(n);
        int[] bestSequence = scratch.ints(n);
        long[] best = scratch.longs(n);
        long heap = Long.MAX_VALUE;
        long bound = 0;
        long clique = UNKNOWN;
        long unsearched = Long.MAX_VALUE;
        boolean close = false;
        int most = searching ? ORDERS.length : 1;
        for (int tried = 0; tried < most && !close; tried++) {
            Order order = ORDERS[tried];
            if (order == Order.ALIGNMENT && alignAlike(alignment)) {
                continue;
            }
            if (tried > 0) {
                int top = peak.highest(best);
                int around = sort(top - AROUND_PEAK, top + AROUND_PEAK, sequence, order, conflicts, key);
                if (fit.place(sequence, around, heap - 1) >= heap) {
                    continue;
                }
            }
            sort(0, n - 1, sequence, order, conflicts, key);
            long bytes = fit.place(sequence, n, heap - 1);
            if (bytes >= heap) {
                continue;
            }
            heap = bytes;
            unsearched = tried == 0 ? heap : unsearched;
            fit.copyTo(best);
            System.arraycopy(sequence, 0, bestSequence, 0, n);
            bound = Math.max(bound, peak.find(best, heap));
            close = heap - bound <= bound / WORTH_TRYING_AT_PEAK;
            if (!close && searching) {
                clique = clique == UNKNOWN ? cliqueBound(conflicts) : clique;
                bound = Math.max(bound, clique);
                close = heap - clique <= clique / WORTH_TRYING;
            }
        }
        if (searching && conflicts.isKept() && heap > bound + bound / WORTH_SEARCHING) {
            long enough = bound + bound / WORTH_GOING_ON;
            heap = new OrderSearch(n, fit, conflicts, scratch).find(heap, enough, bestSequence, best);
        }
        // Where little is shared, the holes that alignment leaves may cost more than sharing gains.
        long unshared = unsearched > sum(size, n) ? sideBySide(offsetOf) : Long.MAX_VALUE;
        if (heap <= unshared) {
            for (int place = 0; place < n; place++) {
                offsetOf[placed[place]] = best[place];
            }
        }
        heap = Math.min(heap, unshared);
        boolean exact = heap <= bound || (clique != UNKNOWN && n > AntichainBound.LARGEST);
        return new Packed(heap, bound, exact, Math.min(unsearched, unshared), !close && !searching);
    }

    /** Returns the packed resources in the order of their first uses; none if none may share memory. */
    int[] byFirstUse() {
        return byFirstUse;
    }

    private Packed unshared(long[] offsetOf) {
        long bound = 0;
        for (int i = 0; i < count; i++) {
            bound += bytesOf[resources[i]];
        }
        long bytes = sideBySide(offsetOf);
        return new Packed(bytes, bound, true, bytes, false);
    }

    private long[] byPlace(int[] placed, long[] ofResource) {
        long[] numbers = scratch.longs(count);
        for (int place = 0; place < count; place++) {
            numbers[place] = ofResource[placed[place]];
        }
        return numbers;
    }

    /** In what order resources are placed; those that are equal in it come by their first uses. */
    private enum Order {
        SIZE,
        SIZE_TIMES_LENGTH,
        SIZE_THEN_LENGTH,
        LENGTH,
        FIRST_USE,
        /** Those of one alignment by their sizes: what must not lie anywhere is placed before the holes are odd. */
        ALIGNMENT
    }

    private boolean alignAlike(long[] alignment) {
        for (int i = 1; i < count; i++) {
            if (alignment[i] != alignment[0]) {
                return false;
            }
        }
        return true;
    }

    /** Writes the places from one to another in an order, and returns how many there are. */
    private int sort(int from, int to, int[] sequence, Order order, Conflicts conflicts, long[] key) {
        int found = 0;
        for (int i = 0; i < count; i++) {
            int place = conflicts.byFirstUse[i];
            sequence[found] = place;
            found += place >= from && place <= to ? 1 : 0;
        }
        if (order == Order.SIZE_THEN_LENGTH) {
            sort(sequence, found, Order.LENGTH, key, conflicts.resources);
        } else if (order == Order.ALIGNMENT) {
            sort(sequence, found, Order.SIZE, key, conflicts.resources);
        }
        if (order != Order.FIRST_USE) {
            sort(sequence, found, order, key, conflicts.resources);
        }
        return found;
    }

    /** Sorts places so that the largest come first; equal ones keep their order. */
    private void sort(int[] sequence, int length, Order order, long[] key, int[] placed) {
        for (int i = 0; i < length; i++) {
            int place = sequence[i];
            int resource = placed[place];
            key[place] = switch (order) {
                case SIZE, SIZE_THEN_LENGTH -> -bytesOf[resource];
                case SIZE_TIMES_LENGTH -> -bytesOf[resource] * lifetimes.length(resource);
                case LENGTH -> -lifetimes.length(resource);
                case FIRST_USE -> 0;
                case ALIGNMENT -> -alignmentOf[resource];
            };
        }
        scratch.sort.sort(sequence, length, key);
    }

    private static long sum(long[] size, int count) {
        long sum = 0;
        for (int place = 0; place < count; place++) {
            sum += size[place];
        }
        return sum;
    }

    private long sideBySide(long[] offsetOf) {
        return sideBySide(resources, count, bytesOf, alignmentOf, offsetOf);
    }

    /**
     * Puts resources side by side, those of the largest alignment first, and returns the end: one pass for each
     * alignment, of which there are few. Numbers are by resource.
     */
    public static long sideBySide(int[] resources, int count, long[] bytesOf, long[] alignmentOf, long[] offsetOf) {
        long end = 0;
        long placed = Long.MAX_VALUE;
        while (true) {
            long largest = -1;
            for (int i = 0; i < count; i++) {
                long alignment = alignmentOf[resources[i]];
                largest = alignment < placed ? Math.max(largest, alignment) : largest;
            }
            if (largest < 0) {
                return end;
            }
            for (int i = 0; i < count; i++) {
                int resource = resources[i];
                if (alignmentOf[resource] == largest) {
                    offsetOf[resource] = FirstFit.align(end, largest);
                    end = offsetOf[resource] + bytesOf[resource];
                }
            }
            placed = largest;
        }
    }

    /** The most bytes in use around one node, exact on one queue; all bytes if no two share any. */
    private long cliqueBound(Conflicts conflicts) {
        if (!conflicts.isOfAll()) {
            return lifetimes.mostInUse(resources, count, bytesOf, scratch);
        }
        long bound = 0;
        for (int i = 0; i < count; i++) {
            bound += bytesOf[resources[i]];
        }
        return bound;
    }
}
