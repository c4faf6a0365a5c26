package io.frameloom.samples.pathtrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PathRowsTest {
    @Test
    void partsHaveEachRowOnce() {
        for (int height = 1; height < 100; height++) {
            for (int devices = 1; devices < 5; devices++) {
                List<PathRows> parts = PathRows.cut(3, height, devices);
                List<Integer> rows = new ArrayList<>();
                for (PathRows part : parts) {
                    assertThat(part.count()).isPositive();
                    IntStream.range(0, part.count()).map(part::of).forEach(rows::add);
                }
                assertThat(rows)
                        .containsExactlyInAnyOrderElementsOf(
                                IntStream.range(0, height).boxed().toList());
            }
        }
    }

    @Test
    void largePicturesHaveMoreParts() {
        assertThat(PathRows.cut(8192, 8192, 1)).containsExactly(new PathRows(8192, 0, 1));
        assertThat(PathRows.cut(1920, 1080, 2)).hasSize(2);
        assertThat(PathRows.cut(7680, 4320, 2)).hasSize(6);
        assertThat(PathRows.cut(8192, 8192, 2)).hasSize(8);
        assertThat(PathRows.cut(20, 50, 2)).extracting(PathRows::count).containsExactly(32, 18);
    }
}
