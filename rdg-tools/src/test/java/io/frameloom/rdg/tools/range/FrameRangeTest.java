package io.frameloom.rdg.tools.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.rdg.tools.range.FrameRange.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FrameRangeTest {
    @Test
    void blocksBeginWithWarmUpAndWithoutHistory() {
        assertThat(new FrameRange(3, 9, 4, 2).steps(frame -> true))
                .containsExactly(
                        new Step(0, true, false),
                        new Step(1, false, false),
                        new Step(2, false, false),
                        new Step(3, false, true),
                        new Step(2, true, false),
                        new Step(3, false, false),
                        new Step(4, false, true),
                        new Step(5, false, true),
                        new Step(6, false, true),
                        new Step(7, false, true),
                        new Step(6, true, false),
                        new Step(7, false, false),
                        new Step(8, false, true),
                        new Step(9, false, true));
    }

    @Test
    void warmUpIsNoLongerThanThereAreFrames() {
        assertThat(new FrameRange(2, 2, 2, 100).steps(frame -> true))
                .containsExactly(new Step(0, true, false), new Step(1, false, false), new Step(2, false, true));
        assertThat(new FrameRange(0, 0, 2, 100).steps(frame -> true)).containsExactly(new Step(0, true, true));
    }

    @Test
    void rendersNoFurtherThanTheLastMissingFrameAndNoBlockThatIsWhole() {
        assertThat(new FrameRange(0, 11, 4, 1).steps(frame -> frame == 5))
                .containsExactly(new Step(3, true, false), new Step(4, false, false), new Step(5, false, true));
        assertThat(new FrameRange(0, 11, 4, 1).steps(frame -> false)).isEmpty();
    }

    /** What a frame is made of does not depend on who renders it: the frames before it up to the last reset. */
    @Test
    void aFrameHasTheSameHistoryInEveryRange() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 300; round++) {
            int block = 1 + random.nextInt(12);
            int warmUp = random.nextInt(30);
            Map<Integer, List<Integer>> whole = histories(new FrameRange(0, 59, block, warmUp).steps(frame -> true));
            assertThat(whole).hasSize(60);
            int first = random.nextInt(60);
            int last = first + random.nextInt(60 - first);
            Set<Integer> there = Set.of(random.nextInt(60));
            Map<Integer, List<Integer>> part =
                    histories(new FrameRange(first, last, block, warmUp).steps(frame -> !there.contains(frame)));
            part.forEach((frame, history) -> assertThat(history)
                    .as("frame %d of %d..%d, block %d, warm-up %d", frame, first, last, block, warmUp)
                    .isEqualTo(whole.get(frame)));
            int count = last
                    - first
                    + 1
                    - (int) there.stream().filter(f -> f >= first && f <= last).count();
            assertThat(part).hasSize(count);
        }
    }

    private static Map<Integer, List<Integer>> histories(List<Step> steps) {
        Map<Integer, List<Integer>> histories = new HashMap<>();
        int from = 0;
        for (int i = 0; i < steps.size(); i++) {
            from = steps.get(i).reset() ? i : from;
            if (steps.get(i).written()) {
                List<Integer> history =
                        steps.subList(from, i + 1).stream().map(Step::frame).toList();
                assertThat(histories.put(steps.get(i).frame(), history)).isNull();
            }
        }
        return histories;
    }

    @ParameterizedTest
    @CsvSource({
        "119..0, write the lower first",
        "0-119, FIRST..LAST",
        "0..1234567890, numbered 0 to 999999999",
        "..5, FIRST..LAST",
        "'', FIRST..LAST"
    })
    void refusesWhatIsNoRange(String text, String way) {
        assertThatThrownBy(() -> FrameRange.parse(text, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(way);
    }

    @Test
    void refusesImpossibleNumbers() {
        assertThatThrownBy(() -> new FrameRange(0, 1, 0, 0)).hasMessageContaining("a block has 1 to");
        assertThatThrownBy(() -> new FrameRange(0, 1, 1, -1)).hasMessageContaining("warm-up takes 0 to");
        assertThatThrownBy(() -> new FrameRange(-1, 1, 1, 0)).hasMessageContaining("not -1..1");
        assertThatThrownBy(() -> FrameRange.parse("0..1000000000", 1, 0))
                .hasMessage("frames are numbered 0 to 999999999, not 0..1000000000");
        assertThat(FrameRange.parse("00000000001..02", 1, 0)).isEqualTo(new FrameRange(1, 2, 1, 0));
        FrameRange largest = FrameRange.parse("999999999..999999999", 999_999_999, 999_999_999);
        assertThat(largest.parts()).containsExactly(largest);
    }
}
