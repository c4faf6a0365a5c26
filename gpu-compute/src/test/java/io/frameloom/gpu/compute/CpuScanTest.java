package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CpuScanTest {
    private static final int BLOCK = 1 << 15;

    /** Few workers leave it to one thread. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void equalsTheSequentialScan(int workers) {
        try (TaskGraph tasks = TaskGraph.builder().name("scan").workers(workers).build()) {
            for (ScanOperator operator : List.of(
                    ScanOperator.sum(ElementType.U32),
                    ScanOperator.max(ElementType.I32),
                    ScanOperator.sum(ElementType.U64),
                    ScanOperator.min(ElementType.F32),
                    ScanCases.MATRIX,
                    ScanCases.BICYCLIC,
                    ScanCases.ENDS)) {
                for (int size : new int[] {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 3}) {
                    for (ScanKind kind : ScanKind.values()) {
                        int[] input = ScanCases.random(operator, size, size);
                        for (int[] heads :
                                new int[][] {null, ScanCases.heads(size, 2, 1), ScanCases.heads(size, 3 * BLOCK, 2)}) {
                            assertThat(ScanCases.difference(
                                            CpuScan.scan(tasks, operator, kind, input, heads),
                                            ScanCases.sequential(operator, kind, input, heads)))
                                    .as("%s, %d elements, %s", operator, size, kind)
                                    .isEmpty();
                        }
                    }
                }
            }
        }
    }

    /** Fractions that round: the order in which they are added shows. */
    @Test
    void sumsOfFractionsAreTheSameForAnyNumberOfWorkers() {
        ScanOperator sum = ScanOperator.sum(ElementType.F32);
        for (int size : new int[] {BLOCK, BLOCK + 1, 5 * BLOCK + 3}) {
            SplittableRandom random = new SplittableRandom(size);
            int[] input = random.ints(size)
                    .map(bits -> Float.floatToRawIntBits(bits * 0x1p-31f / 3))
                    .toArray();
            for (int[] heads : new int[][] {null, ScanCases.heads(size, 2 * BLOCK, 2)}) {
                int[] first = scan(1, sum, input, heads);
                for (int workers : new int[] {2, 3}) {
                    assertThat(ScanCases.difference(scan(workers, sum, input, heads), first))
                            .as("%d elements, %d workers", size, workers)
                            .isEmpty();
                }
                if (size > 2 * BLOCK) {
                    assertThat(ScanCases.difference(first, ScanCases.sequential(sum, ScanKind.INCLUSIVE, input, heads)))
                            .as("added one after the other, they are others")
                            .isNotEmpty();
                }
            }
        }
    }

    private static int[] scan(int workers, ScanOperator operator, int[] input, int[] heads) {
        try (TaskGraph tasks = TaskGraph.builder().name("scan").workers(workers).build()) {
            return CpuScan.scan(tasks, operator, ScanKind.INCLUSIVE, input, heads);
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        try (TaskGraph tasks = TaskGraph.builder().name("scan").workers(1).build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CpuScan.scan(
                            tasks, ScanOperator.sum(ElementType.U64), ScanKind.INCLUSIVE, new int[3], null))
                    .withMessageContainingAll("sum-u64", "3 words");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CpuScan.scan(
                            tasks, ScanOperator.sum(ElementType.U32), ScanKind.INCLUSIVE, new int[33], new int[1]))
                    .withMessageContainingAll("need 2 words of heads, got 1");
        }
    }
}
