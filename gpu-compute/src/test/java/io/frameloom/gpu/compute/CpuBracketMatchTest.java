package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.frameloom.taskgraph.TaskGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CpuBracketMatchTest {
    private static final int BLOCK = 1 << 16;

    private static String check(TaskGraph tasks, BracketInput input, boolean[] opens) {
        return ScanCases.difference(
                CpuBracketMatch.match(tasks, input, BracketCases.pack(input, opens), opens.length),
                BracketCases.sequential(opens));
    }

    /** Few workers leave it to one thread. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void adversarialInputs(int workers) {
        try (TaskGraph tasks =
                TaskGraph.builder().name("match").workers(workers).build()) {
            BracketCases.adversarial(9 * BLOCK + 17, BLOCK)
                    .forEach((name, opens) -> assertThat(check(tasks, BracketInput.BITS, opens))
                            .as(name)
                            .isEmpty());
        }
    }

    /** Few workers leave it to one thread. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void sizesAndInputs(int workers) {
        try (TaskGraph tasks =
                TaskGraph.builder().name("match").workers(workers).build()) {
            for (BracketInput input : BracketInput.values()) {
                for (int length : new int[] {0, 1, 2, 31, 33, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 1}) {
                    assertThat(check(tasks, input, BracketCases.mixture(length, 3)))
                            .as("%d %s", length, input)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        try (TaskGraph tasks = TaskGraph.builder().name("match").workers(1).build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CpuBracketMatch.match(tasks, BracketInput.BYTES, new int[2], 9))
                    .withMessageContainingAll("2 words of BYTES", "length of 9");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CpuBracketMatch.match(tasks, BracketInput.BITS, new int[2], -1))
                    .withMessageContaining("-1");
        }
    }
}
