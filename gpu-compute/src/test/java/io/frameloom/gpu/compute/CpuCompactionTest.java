package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.frameloom.taskgraph.TaskGraph;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CpuCompactionTest {
    /** Elements of a block. */
    private static final int BLOCK = 1 << 16;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void equalsALoop(int workers) {
        try (TaskGraph tasks =
                TaskGraph.builder().name("compact").workers(workers).build()) {
            for (ElementType type : new ElementType[] {ElementType.U32, ElementType.U32X3}) {
                for (int length : new int[] {0, 1, 31, 32, 33, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 17}) {
                    for (int every : new int[] {1, 3, 1000, Integer.MAX_VALUE}) {
                        int[] keep = ScanCases.heads(length, every, length);
                        // Bits behind the last element count for nothing.
                        if (length % 32 != 0) {
                            keep[length / 32] |= -1 << (length % 32);
                        }
                        int[] elements = new int[length * type.words()];
                        Arrays.setAll(elements, i -> i * 7 + 1);
                        assertThat(ScanCases.difference(
                                        CpuCompaction.compact(tasks, type, elements, keep),
                                        sequential(type, elements, keep)))
                                .as("%d of %s, one of %d stays", length, type, every)
                                .isEmpty();
                    }
                }
            }
        }
    }

    private static int[] sequential(ElementType type, int[] elements, int[] keep) {
        int words = type.words();
        int[] staying = new int[elements.length];
        int at = 0;
        for (int i = 0; i < elements.length; i++) {
            int e = i / words;
            if ((keep[e / 32] >>> (e % 32) & 1) != 0) {
                staying[at++] = elements[i];
            }
        }
        return Arrays.copyOf(staying, at);
    }

    @Test
    void refusesWhatDoesNotFit() {
        try (TaskGraph tasks = TaskGraph.builder().name("compact").workers(1).build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CpuCompaction.compact(tasks, ElementType.U64, new int[3], new int[1]))
                    .withMessageContainingAll("3 words", "elements of 2");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CpuCompaction.compact(tasks, ElementType.U32, new int[33], new int[1]))
                    .withMessageContainingAll("33 elements", "need 2 words", "got 1");
        }
    }
}
