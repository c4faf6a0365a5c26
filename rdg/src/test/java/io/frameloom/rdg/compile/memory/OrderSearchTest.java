package io.frameloom.rdg.compile.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.order.Synchronization;
import io.frameloom.rdg.compile.order.VectorClocks;
import io.frameloom.testing.TestEffort;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Few resources on one queue, for which the lowest heap is known: by trying all orders of them. */
class OrderSearchTest {
    private static final int SEEDS = TestEffort.of(100, 300);
    private static final int MOST = 7;
    /** Binary logarithm. */
    private static final int HUGE = 40;

    private static final class Frame {
        private final int count;
        private final int[] resources;
        private final int[] first;
        private final int[] last;
        private final long[] size;
        private final long[] alignment;
        private final Lifetimes lifetimes;

        Frame(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            int nodes = 3 + random.nextInt(5);
            count = 2 + random.nextInt(MOST - 1);
            resources = IntStream.range(0, count).toArray();
            first = new int[count];
            last = new int[count];
            size = new long[count];
            alignment = new long[count];
            for (int i = 0; i < count; i++) {
                first[i] = random.nextInt(nodes);
                last[i] = first[i] + random.nextInt(nodes - first[i]);
                size[i] = 1L + random.nextInt(12);
                alignment[i] = 1L << random.nextInt(3);
            }
            int[] order = IntStream.range(0, nodes).toArray();
            int[] none = {};
            VectorClocks clocks =
                    new Synchronization(order, order.length, new int[nodes], 1, 0, none, none, new Scratch()).clocks;
            lifetimes = new Lifetimes(order, clocks, count, (node, use) -> {
                for (int i = 0; i < count; i++) {
                    if (first[i] == node || last[i] == node) {
                        use.accept(i);
                    }
                }
            });
        }

        private boolean conflict(int a, int b) {
            return a != b && first[a] <= last[b] && first[b] <= last[a];
        }

        /** What first fit finds in an order of the resources, with lists of conflicts or pair by pair. */
        long[] firstFit(int[] order, int mostConflicts) {
            Scratch scratch = new Scratch();
            Conflicts conflicts = new Conflicts(resources, count, lifetimes, mostConflicts, scratch);
            FirstFit fit =
                    new FirstFit(count, byPlace(size, conflicts), byPlace(alignment, conflicts), conflicts, scratch);
            int[] placeOf = new int[count];
            for (int place = 0; place < count; place++) {
                placeOf[conflicts.resource(place)] = place;
            }
            fit.place(IntStream.of(order).map(i -> placeOf[i]).toArray(), count, Long.MAX_VALUE);
            return IntStream.range(0, count)
                    .mapToLong(i -> fit.begin(placeOf[i]))
                    .toArray();
        }

        /** The same by trying every offset. */
        long[] lowestOffsets(int[] order) {
            long[] offsets = new long[count];
            boolean[] placed = new boolean[count];
            for (int i : order) {
                offsets[i] = lowestPlace(i, offsets, placed);
                placed[i] = true;
            }
            return offsets;
        }

        long search(long known, long enough, long[] offsets) {
            Scratch scratch = new Scratch();
            Conflicts conflicts = new Conflicts(resources, count, lifetimes, Conflicts.MOST, scratch);
            FirstFit fit =
                    new FirstFit(count, byPlace(size, conflicts), byPlace(alignment, conflicts), conflicts, scratch);
            long[] best = byPlace(offsets, conflicts);
            long height = new OrderSearch(count, fit, conflicts, scratch).find(known, enough, resources.clone(), best);
            for (int place = 0; place < count; place++) {
                offsets[conflicts.resource(place)] = best[place];
            }
            return height;
        }

        private long[] byPlace(long[] ofResource, Conflicts conflicts) {
            return IntStream.range(0, count)
                    .mapToLong(place -> ofResource[conflicts.resource(place)])
                    .toArray();
        }

        /** Every placement is no lower than one of those that put the resources, in some order, as low as they may lie. */
        private long lowest(long[] offsets, boolean[] placed, int done, long height) {
            if (done == count) {
                return height;
            }
            long lowest = Long.MAX_VALUE;
            for (int i = 0; i < count; i++) {
                if (!placed[i]) {
                    placed[i] = true;
                    offsets[i] = lowestPlace(i, offsets, placed);
                    lowest =
                            Math.min(lowest, lowest(offsets, placed, done + 1, Math.max(height, offsets[i] + size[i])));
                    placed[i] = false;
                }
            }
            return lowest;
        }

        long lowest() {
            return lowest(new long[count], new boolean[count], 0, 0);
        }

        private long lowestPlace(int i, long[] offsets, boolean[] placed) {
            long at = 0;
            while (!isFree(i, at, offsets, placed)) {
                at += alignment[i];
            }
            return at;
        }

        private boolean isFree(int i, long at, long[] offsets, boolean[] placed) {
            for (int other = 0; other < count; other++) {
                if (placed[other]
                        && conflict(i, other)
                        && at < offsets[other] + size[other]
                        && offsets[other] < at + size[i]) {
                    return false;
                }
            }
            return true;
        }

        void assertPlacement(long seed, long[] offsets, long height) {
            long end = 0;
            for (int a = 0; a < count; a++) {
                end = Math.max(end, offsets[a] + size[a]);
                assertThat(offsets[a] % alignment[a])
                        .as("seed %d, resource %d", seed, a)
                        .isZero();
                for (int b = 0; b < count; b++) {
                    assertThat(conflict(a, b) && offsets[a] < offsets[b] + size[b] && offsets[b] < offsets[a] + size[a])
                            .as("seed %d: %d and %d share bytes", seed, a, b)
                            .isFalse();
                }
            }
            assertThat(end).as("seed %d", seed).isEqualTo(height);
        }
    }

    @Test
    void firstFitPutsEachResourceAsLowAsItMayLie() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Frame frame = new Frame(seed);
            SplittableRandom random = new SplittableRandom(seed);
            int[] order = frame.resources.clone();
            for (int i = order.length - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                int swapped = order[i];
                order[i] = order[other];
                order[other] = swapped;
            }
            long[] lowest = frame.lowestOffsets(order);
            assertThat(frame.firstFit(order, Conflicts.MOST))
                    .as("seed %d", seed)
                    .containsExactly(lowest);
            assertThat(frame.firstFit(order, -1))
                    .as("seed %d, pair by pair", seed)
                    .containsExactly(lowest);
        }
    }

    /** Counted in bytes, or in units of its alignments, it would be more than an int. */
    @Test
    void aHugeHeapIsCountedInLargerUnits() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Frame frame = new Frame(seed);
            Arrays.fill(frame.alignment, 1);
            long[] huge = Arrays.stream(frame.lowestOffsets(frame.resources))
                    .map(offset -> offset << HUGE)
                    .toArray();
            Arrays.setAll(frame.size, i -> frame.size[i] << HUGE);
            Arrays.fill(frame.alignment, 4);
            assertThat(frame.firstFit(frame.resources, Conflicts.MOST))
                    .as("seed %d", seed)
                    .containsExactly(huge);
            Arrays.setAll(frame.size, i -> frame.size[i] - 1);
            assertThat(frame.firstFit(frame.resources, Conflicts.MOST))
                    .as("seed %d, a byte less each", seed)
                    .containsExactly(huge);
        }
    }

    @Test
    void theLowestHeapOfFewResourcesIsFound() {
        int found = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Frame frame = new Frame(seed);
            long lowest = frame.lowest();
            long[] offsets = new long[frame.count];
            long height = frame.search(Long.MAX_VALUE, 0, offsets);
            frame.assertPlacement(seed, offsets, height);
            assertThat(height).as("seed %d", seed).isGreaterThanOrEqualTo(lowest);
            found += height == lowest ? 1 : 0;
        }
        assertThat(found).isGreaterThan(SEEDS * 95 / 100);
    }

    @Test
    void whatIsNotLoweredStaysAsItIs() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Frame frame = new Frame(seed);
            long[] offsets = new long[frame.count];
            long height = frame.search(Long.MAX_VALUE, 0, offsets);
            long[] again = offsets.clone();
            long lower = frame.search(height, 0, again);
            if (lower == height) {
                assertThat(again).as("seed %d", seed).isEqualTo(offsets);
            } else {
                frame.assertPlacement(seed, again, lower);
                assertThat(lower).as("seed %d", seed).isLessThan(height);
            }
        }
    }

    @Test
    void equalHeapsAreSearchedAlike() {
        for (long seed = 0; seed < SEEDS; seed++) {
            long[] offsets = new long[new Frame(seed).count];
            long[] again = offsets.clone();
            assertThat(new Frame(seed).search(Long.MAX_VALUE, 0, offsets))
                    .isEqualTo(new Frame(seed).search(Long.MAX_VALUE, 0, again));
            assertThat(again).as("seed %d", seed).isEqualTo(offsets);
        }
    }

    /** A heap that is low enough ends the search. */
    @Test
    void noneIsLookedForBelowWhatIsEnough() {
        Frame frame = new Frame(1);
        long[] offsets = new long[frame.count];
        assertThat(frame.search(1_000, 1_000, offsets)).isEqualTo(1_000);
        assertThat(offsets).containsOnly(0);
    }
}
