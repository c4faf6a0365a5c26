package io.frameloom.rdg.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.explain.PlacementReasons.Latest;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The former residents of some bytes of which a reason tells, and what finding them takes at most. */
@Timeout(60)
class PlacementReasonsTest {
    private static final int MANY = 100_000;

    private final AtomicLong compared = new AtomicLong();

    private boolean counted(boolean hides) {
        compared.incrementAndGet();
        return hides;
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Test
    void whatANewerOneHidesIsLeftOut() {
        Latest<Integer> latest = Latest.of(numbers(9), (newer, older) -> newer % 3 == older % 3);
        assertThat(latest.kept()).containsExactly(0, 1, 2);
        assertThat(latest.all()).isTrue();
    }

    /** Many small residents that lie side by side: none hides another one. */
    @Test
    void manyThatHideNothingAreNotAllComparedWithEachOther() {
        Latest<Integer> latest = Latest.of(numbers(MANY), (newer, older) -> counted(false));
        assertThat(compared).hasValueLessThanOrEqualTo(PlacementReasons.PAIRS);
        assertThat(latest.all()).isFalse();
        assertThat(latest.kept()).startsWith(0, 1, 2, 3).hasSizeLessThan(MANY);
    }

    /** A long row of residents of the same bytes takes a step each, so all of it is looked at. */
    @Test
    void manyBehindEachOtherAreAllLookedAt() {
        Latest<Integer> latest = Latest.of(numbers(MANY), (newer, older) -> counted(true));
        assertThat(compared).hasValueLessThan(MANY);
        assertThat(latest.all()).isTrue();
        assertThat(latest.kept()).containsExactly(0);
    }
}
