package io.frameloom.rdg.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.compile.barrier.Takeovers;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.memory.AntichainBound;
import io.frameloom.rdg.compile.memory.Conflicts;
import io.frameloom.rdg.compile.memory.HeapBound;
import io.frameloom.rdg.compile.memory.HeapPacker;
import io.frameloom.rdg.compile.memory.Lifetimes;
import io.frameloom.rdg.compile.memory.PeakBound;
import io.frameloom.rdg.compile.memory.TakeoverSearch;
import io.frameloom.rdg.compile.order.Synchronization;
import io.frameloom.rdg.compile.order.VectorClocks;
import io.frameloom.testing.TestEffort;
import io.frameloom.testing.ThreadAllocation;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Lifetimes, packing and takeovers of memory give on random nodes of several queues what their definitions give, written
 * down here pair by pair.
 */
class MemorySharingTest {
    private static final int SEEDS = TestEffort.of(120, 400);

    /** Random nodes with waits between queues, and resources that are used somewhere. */
    private static final class Timeline {
        final int queues;
        final int[] order;
        final int[] queue;
        final VectorClocks clocks;
        final boolean[][] uses;
        final boolean[][] happensBefore;
        final int[] resources;
        final long[] bytes;
        final long[] alignment;
        final Lifetimes lifetimes;

        Timeline(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            queues = 1 + random.nextInt(3);
            int nodes = 1 + random.nextInt(40);
            int count = 1 + random.nextInt(40);
            queue = random.ints(nodes, 0, queues).toArray();
            order = IntStream.range(0, nodes).toArray();
            int[] from = new int[random.nextInt(2 * nodes)];
            int[] to = new int[from.length];
            for (int e = 0; e < from.length; e++) {
                to[e] = random.nextInt(nodes);
                from[e] = to[e] == 0 ? 0 : random.nextInt(to[e]);
            }
            int[] sound =
                    IntStream.range(0, from.length).filter(e -> from[e] < to[e]).toArray();
            int[] earlier = Arrays.stream(sound).map(e -> from[e]).toArray();
            int[] later = Arrays.stream(sound).map(e -> to[e]).toArray();
            clocks = new Synchronization(
                            order, order.length, queue, queues, earlier.length, earlier, later, new Scratch())
                    .clocks;
            happensBefore = closure(earlier, later);
            uses = new boolean[count][nodes];
            bytes = new long[count];
            alignment = new long[count];
            int reach = 1 + random.nextInt(8);
            for (int r = 0; r < count; r++) {
                int first = random.nextInt(nodes);
                uses[r][first] = true;
                for (int more = random.nextInt(4); more > 0; more--) {
                    uses[r][Math.min(nodes - 1, first + random.nextInt(reach))] = true;
                }
                bytes[r] = 1L + random.nextInt(20);
                alignment[r] = 1L << random.nextInt(4);
            }
            resources = IntStream.range(0, count).toArray();
            lifetimes = new Lifetimes(order, clocks, count, (node, use) -> {
                for (int r = 0; r < count; r++) {
                    if (uses[r][node]) {
                        use.accept(r);
                    }
                }
            });
        }

        private boolean[][] closure(int[] from, int[] to) {
            int nodes = queue.length;
            boolean[][] before = new boolean[nodes][nodes];
            for (int b = 0; b < nodes; b++) {
                for (int a = 0; a < b; a++) {
                    before[a][b] = queue[a] == queue[b];
                }
            }
            for (int e = 0; e < from.length; e++) {
                before[from[e]][to[e]] = true;
            }
            for (int middle = 0; middle < nodes; middle++) {
                for (int a = 0; a < middle; a++) {
                    for (int b = middle + 1; before[a][middle] && b < nodes; b++) {
                        before[a][b] |= before[middle][b];
                    }
                }
            }
            return before;
        }

        boolean precedes(int a, int b) {
            for (int x : order) {
                for (int y : order) {
                    if (uses[a][x] && uses[b][y] && !happensBefore[x][y]) {
                        return false;
                    }
                }
            }
            return true;
        }

        boolean conflict(int a, int b) {
            return a != b && !precedes(a, b) && !precedes(b, a);
        }

        long mostInUse() {
            long most = 0;
            for (int node : order) {
                long sum = 0;
                for (int r : resources) {
                    boolean started = false;
                    boolean continues = false;
                    for (int x : order) {
                        started |= uses[r][x] && (x == node || happensBefore[x][node]);
                        continues |= uses[r][x] && x >= node && queue[x] == queue[node];
                    }
                    sum += started && continues ? bytes[r] : 0;
                }
                most = Math.max(most, sum);
            }
            return most;
        }

        boolean overlap(long[] offset, int a, int b) {
            return offset[a] < offset[b] + bytes[b] && offset[b] < offset[a] + bytes[a];
        }

        /** Who had the bytes of a resource last before it, byte by byte. */
        int[] predecessors(long[] offset, int resource) {
            return LongStream.range(offset[resource], offset[resource] + bytes[resource])
                    .boxed()
                    .flatMapToInt(at -> {
                        int[] former = Arrays.stream(resources)
                                .filter(a -> a != resource && has(offset, a, at) && precedes(a, resource))
                                .toArray();
                        return Arrays.stream(former)
                                .filter(a -> Arrays.stream(former).noneMatch(b -> b != a && precedes(a, b)));
                    })
                    .distinct()
                    .sorted()
                    .toArray();
        }

        private boolean has(long[] offset, int resource, long at) {
            return offset[resource] <= at && at < offset[resource] + bytes[resource];
        }
    }

    @Test
    void oneResourcePrecedesAnotherIfAllItsUsesDo() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Timeline timeline = new Timeline(seed);
            for (int a : timeline.resources) {
                for (int b : timeline.resources) {
                    assertThat(timeline.lifetimes.precedes(a, b))
                            .as("seed %d, %d before %d", seed, a, b)
                            .isEqualTo(timeline.precedes(a, b));
                }
            }
            assertThat(timeline.lifetimes.mostInUse(
                            timeline.resources, timeline.resources.length, timeline.bytes, new Scratch()))
                    .as("seed %d", seed)
                    .isEqualTo(timeline.mostInUse());
        }
    }

    @Test
    void everyConflictIsFoundWhetherPairsAreKeptOrNot() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Timeline timeline = new Timeline(seed);
            assertConflicts(timeline, Conflicts.MOST, "seed " + seed);
            assertConflicts(timeline, -1, "seed " + seed + ", pair by pair");
        }
    }

    private static void assertConflicts(Timeline timeline, int most, String what) {
        int n = timeline.resources.length;
        Conflicts conflicts = conflicts(timeline, most);
        assertThat(IntStream.range(0, n).map(conflicts::resource).sorted().toArray())
                .as(what)
                .isEqualTo(timeline.resources);
        int[] others = new int[n];
        for (int place = 0; place < n; place++) {
            int resource = conflicts.resource(place);
            assertThat(Arrays.stream(others, 0, conflicts.of(place, others))
                            .map(conflicts::resource)
                            .sorted()
                            .toArray())
                    .as("%s, resource %d", what, resource)
                    .isEqualTo(Arrays.stream(timeline.resources)
                            .filter(other -> timeline.conflict(other, resource))
                            .toArray());
        }
    }

    private static Conflicts conflicts(Timeline timeline, int most) {
        return new Conflicts(timeline.resources, timeline.resources.length, timeline.lifetimes, most, new Scratch());
    }

    @Test
    void packingWithAListOfConflictsIsPackingPairByPairOrLower() {
        int searchedLower = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Timeline timeline = new Timeline(seed);
            long[] offset = new long[timeline.resources.length];
            long[] pairByPair = new long[timeline.resources.length];
            HeapPacker.Packed packed = packer(timeline, Conflicts.MOST).pack(offset);
            HeapPacker.Packed slow = packer(timeline, -1).pack(pairByPair);
            // Where conflicts are listed, lower placements are searched for.
            if (packed.bytes() == slow.bytes()) {
                assertThat(offset).as("seed %d", seed).isEqualTo(pairByPair);
            }
            assertThat(packed.bytes()).as("seed %d", seed).isLessThanOrEqualTo(slow.bytes());
            assertThat(bound(timeline, packed)).as("seed %d", seed).isEqualTo(bound(timeline, slow));
            assertThat(packed.bytes()).as("seed %d", seed).isGreaterThanOrEqualTo(bound(timeline, packed));
            searchedLower += packed.bytes() < slow.bytes() ? 1 : 0;
            for (int a : timeline.resources) {
                assertThat(offset[a] % timeline.alignment[a])
                        .as("seed %d", seed)
                        .isZero();
                for (int b : timeline.resources) {
                    assertThat(timeline.conflict(a, b) && timeline.overlap(offset, a, b))
                            .as("seed %d: %d and %d are in use together and share bytes", seed, a, b)
                            .isFalse();
                }
            }
        }
        assertThat(searchedLower).isGreaterThan(SEEDS / 20);
    }

    /** Putting all side by side is a placement, too. */
    @Test
    void noHeapIsLargerThanWithoutSharing() {
        int together = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Timeline timeline = new Timeline(seed);
            long[] offset = new long[timeline.resources.length];
            HeapPacker.Packed packed = packer(timeline, Conflicts.MOST).pack(offset);
            int n = timeline.resources.length;
            long sideBySide =
                    HeapPacker.sideBySide(timeline.resources, n, timeline.bytes, timeline.alignment, new long[n]);
            assertThat(packed.bytes()).as("seed %d", seed).isLessThanOrEqualTo(sideBySide);
            together += packed.bytes() == sideBySide ? 1 : 0;
        }
        assertThat(together).isPositive();
    }

    @Test
    void whatIsInUseAtThePeakBoundsEveryPlacement() {
        int asHigh = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Timeline timeline = new Timeline(seed);
            int n = timeline.resources.length;
            long[] offset = new long[n];
            HeapPacker.Packed packed = packer(timeline, Conflicts.MOST).pack(offset);
            boolean[][] before = new boolean[n][n];
            for (int a : timeline.resources) {
                for (int b : timeline.resources) {
                    before[a][b] = timeline.precedes(a, b);
                }
            }
            long least = AntichainBound.compute(before, timeline.bytes);
            Conflicts conflicts = conflicts(timeline, Conflicts.MOST);
            long found = new PeakBound(n, byPlace(timeline.bytes, conflicts), conflicts, new Scratch())
                    .find(byPlace(offset, conflicts), packed.bytes());
            assertThat(found).as("seed %d", seed).isPositive().isLessThanOrEqualTo(least);
            assertThat(bound(timeline, packed)).as("seed %d", seed).isEqualTo(least);
            asHigh += found == least ? 1 : 0;
        }
        assertThat(asHigh).isGreaterThan(SEEDS / 2);
    }

    private static long[] byPlace(long[] ofResource, Conflicts conflicts) {
        return IntStream.range(0, ofResource.length)
                .mapToLong(place -> ofResource[conflicts.resource(place)])
                .toArray();
    }

    private static long bound(Timeline timeline, HeapPacker.Packed packed) {
        return HeapBound.find(packed, timeline.resources, timeline.bytes, timeline.lifetimes, true);
    }

    private static HeapPacker packer(Timeline timeline, int most) {
        return new HeapPacker(
                timeline.resources,
                timeline.resources.length,
                timeline.bytes,
                timeline.alignment,
                timeline.lifetimes,
                most,
                true,
                true,
                new Scratch());
    }

    @Test
    void memoryIsTakenOverFromWhoHadItLast() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Timeline timeline = new Timeline(seed);
            long[] offset = new long[timeline.resources.length];
            packer(timeline, Conflicts.MOST).pack(offset);
            int n = timeline.resources.length;
            TakeoverSearch search = new TakeoverSearch(offset, timeline.bytes, new Scratch());
            search.find(timeline.lifetimes.byFirstUse(timeline.resources, n, new Scratch()), n);
            Takeovers takeovers = search.takeovers();
            for (int r : timeline.resources) {
                assertThat(takeovers.of(r))
                        .as("seed %d, resource %d", seed, r)
                        .isEqualTo(timeline.predecessors(offset, r));
            }
        }
    }

    @Test
    void roomForTakeoversIsMadeOnce() {
        int n = 2_000;
        long[] offset = IntStream.range(0, n).mapToLong(r -> r % 64).toArray();
        long[] bytes = LongStream.generate(() -> 1).limit(n).toArray();
        int[] byFirstUse = IntStream.range(0, n).toArray();
        new TakeoverSearch(offset, bytes, new Scratch()).find(byFirstUse, n);
        Scratch fresh = new Scratch();
        long before = ThreadAllocation.bytes();
        TakeoverSearch search = new TakeoverSearch(offset, bytes, fresh);
        search.find(byFirstUse, n);
        assertThat(ThreadAllocation.bytes() - before).isLessThan(128L * n);
        assertThat(search.takeovers().of(n - 1)).containsExactly(n - 65);
    }
}
