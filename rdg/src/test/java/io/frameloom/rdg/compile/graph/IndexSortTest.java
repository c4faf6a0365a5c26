package io.frameloom.rdg.compile.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IndexSortTest {
    @Test
    void sortsAsAStableSortByKeys() {
        for (long seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int n = random.nextInt(600);
            int bits = 1 + random.nextInt(64);
            long[] keys = random.longs(n).map(key -> key >> (64 - bits)).toArray();
            int[] indices = IntStream.range(0, n)
                    .boxed()
                    .sorted(Comparator.comparing(i -> -i))
                    .mapToInt(i -> i)
                    .toArray();
            int[] expected = IntStream.of(indices)
                    .boxed()
                    .sorted(Comparator.comparing(i -> keys[i]))
                    .mapToInt(i -> i)
                    .toArray();
            new IndexSort(random.nextInt(n + 1)).sort(indices, keys);
            assertThat(indices).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void keepsTheOrderOfEqualKeysAndSortsTheEnds() {
        int[] indices = {4, 3, 2, 1, 0};
        new IndexSort(0).sort(indices, new long[] {Long.MAX_VALUE, 0, Long.MIN_VALUE, 0, -1});
        assertThat(indices).containsExactly(2, 4, 3, 1, 0);
    }

    /** Sizes of which one is nothing, as negative keys: they differ in all bits from the lowest of the others on. */
    @Test
    void keysThatDifferUpToTheSignComeToAnEnd() {
        for (int lowest = 0; lowest < Long.SIZE - 1; lowest++) {
            int[] indices = {0, 1, 2};
            new IndexSort(0).sort(indices, new long[] {0, -(1L << lowest), 0});
            assertThat(indices).as("from bit %d on", lowest).containsExactly(1, 0, 2);
        }
    }
}
