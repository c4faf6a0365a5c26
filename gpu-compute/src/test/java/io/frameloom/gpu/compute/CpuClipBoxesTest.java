package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CpuClipBoxesTest {
    private static final int BLOCK = 1 << 14;
    private static final ClipBox VIEWPORT = new ClipBox(-100, -50, 900, 700);

    /** Takes the blocks of a row. */
    private TaskGraph tasks;
    /** Has few workers, and so leaves a row to one thread. */
    private TaskGraph alone;

    @BeforeEach
    void open() {
        tasks = TaskGraph.builder().name("clips").workers(3).build();
        alone = TaskGraph.builder().name("clips alone").workers(2).build();
    }

    @AfterEach
    void close() {
        tasks.close();
        alone.close();
    }

    static int[] words(CpuClipBoxes.Result result) {
        int count = result.links().length;
        int[] words = new int[5 * count];
        for (int i = 0; i < 4 * count; i++) {
            words[i] = Float.floatToRawIntBits(result.effective()[i]);
        }
        System.arraycopy(result.links(), 0, words, 4 * count, count);
        return words;
    }

    private String check(ClipCases row, ClipEnd end) {
        int[] expected = row.sequential(end, VIEWPORT);
        CpuClipBoxes.Result together = CpuClipBoxes.compute(tasks, end, VIEWPORT, row.operations(), row.boxes());
        CpuClipBoxes.Result one = CpuClipBoxes.compute(alone, end, VIEWPORT, row.operations(), row.boxes());
        return ScanCases.difference(words(together), expected) + ScanCases.difference(words(one), expected);
    }

    /** In the usual run each nest with one end. */
    @Test
    void adversarialNests() {
        int[] number = new int[1];
        BracketCases.adversarial(9 * BLOCK + 17, BLOCK).forEach((name, opens) -> {
            ClipCases row = ClipCases.nested(opens, 0.2, ++number[0]);
            for (ClipEnd end : TestEffort.share(List.of(ClipEnd.values()), number[0] % 3, 3)) {
                assertThat(check(row, end)).as("%s, %s", name, end).isEmpty();
            }
        });
    }

    @Test
    void sizesAndModes() {
        for (int length : new int[] {0, 1, 15, 16, 17, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 1}) {
            for (ClipEnd end : ClipEnd.values()) {
                assertThat(check(ClipCases.nested(BracketCases.mixture(length, 3), 0.3, length), end))
                        .as("%d %s", length, end)
                        .isEmpty();
            }
        }
    }

    /** Not by a stack: what is around an element is found by following the links. */
    @Test
    void followingTheLinksGivesTheSame() {
        ClipCases row = ClipCases.nested(BracketCases.balanced(BLOCK, 7), 0.3, 8);
        CpuClipBoxes.Result result =
                CpuClipBoxes.compute(tasks, ClipEnd.AFTER_POP, VIEWPORT, row.operations(), row.boxes());
        for (int e = 0; e < row.length(); e++) {
            if (row.operations()[e] == ClipBoxes.END) {
                continue;
            }
            float left = VIEWPORT.x0();
            float bottom = VIEWPORT.y1();
            for (int at = e; at != BracketMatch.NONE; at = result.links()[at]) {
                float x0 = row.boxes()[4 * at];
                float y1 = row.boxes()[4 * at + 3];
                boolean number = true;
                for (int w = 0; w < 4; w++) {
                    number &= !Float.isNaN(row.boxes()[4 * at + w]);
                }
                left = Math.max(left, number ? x0 : Float.POSITIVE_INFINITY);
                bottom = Math.min(bottom, number ? y1 : Float.NEGATIVE_INFINITY);
            }
            assertThat(result.effective()[4 * e]).isEqualTo(left);
            assertThat(result.effective()[4 * e + 3]).isEqualTo(bottom);
        }
    }

    @Test
    void theModesOfAnEnd() {
        int[] operations = {
            ClipBoxes.BEGIN, ClipBoxes.BEGIN, ClipBoxes.DRAW, ClipBoxes.END, ClipBoxes.END, ClipBoxes.END
        };
        float[] boxes = {
            0, 0, 10, 10, 5, 5, 20, 20, 0, 0, 7, 7, 1, 1, 2, 2, 0, 0, 3, 3, -9, -9, 9, 9,
        };
        ClipBox viewport = new ClipBox(0, 0, 8, 100);
        assertThat(CpuClipBoxes.compute(tasks, ClipEnd.OWN_BOX, viewport, operations, boxes)
                        .effective())
                .containsExactly(0, 0, 8, 10, 5, 5, 8, 10, 5, 5, 7, 7, 1, 1, 2, 2, 0, 0, 3, 3, 0, 0, 8, 9);
        assertThat(CpuClipBoxes.compute(tasks, ClipEnd.BEFORE_POP, viewport, operations, boxes)
                        .effective())
                .containsExactly(0, 0, 8, 10, 5, 5, 8, 10, 5, 5, 7, 7, 5, 5, 8, 10, 0, 0, 8, 10, 0, 0, 8, 100);
        CpuClipBoxes.Result after = CpuClipBoxes.compute(tasks, ClipEnd.AFTER_POP, viewport, operations, boxes);
        assertThat(after.effective())
                .containsExactly(0, 0, 8, 10, 5, 5, 8, 10, 5, 5, 7, 7, 0, 0, 8, 10, 0, 0, 8, 100, 0, 0, 8, 100);
        assertThat(after.links()).containsExactly(-1, 0, 1, 1, 0, -1);
    }

    @Test
    void refusesWhatDoesNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CpuClipBoxes.compute(tasks, ClipEnd.OWN_BOX, VIEWPORT, new int[3], new float[13]))
                .withMessageContainingAll("13 floats", "3 elements");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClipBox(0, Float.NaN, 1, 1))
                .withMessageContaining("NaN");
    }
}
