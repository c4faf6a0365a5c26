package io.frameloom.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetiredTest {
    private final Queue first = new Queue();
    private final Queue second = new Queue();
    private final Retired retired = new Retired();
    private final List<String> destroyed = new ArrayList<>();

    /** A queue that gets on when somebody waits for it. */
    private static final class Queue implements Retired.Work {
        private final List<Long> waits = new ArrayList<>();
        private long newest;
        private long done;
        private boolean stands;

        @Override
        public long newest() {
            return newest;
        }

        @Override
        public boolean isOver(long value) {
            return value <= done;
        }

        @Override
        public void awaitOver(long value, long nanos) {
            waits.add(value);
            done = stands ? done : Math.max(done, value);
        }
    }

    RetiredTest() {
        retired.connect(List.of(first, second));
    }

    private void add(String name) {
        retired.add(() -> destroyed.add(name));
    }

    @Test
    void whatIsClosedIsDestroyedWhenWhatWasSubmittedBeforeIsOver() {
        first.newest = 3;
        add("early");
        first.newest = 5;
        add("late");
        retired.sweep();
        assertThat(destroyed).isEmpty();
        first.done = 3;
        retired.sweep();
        assertThat(destroyed).containsExactly("early");
        first.done = 5;
        add("now");
        assertThat(destroyed).containsExactly("early", "late", "now");
        assertThat(retired.destroyed()).isEqualTo(3);
    }

    @Test
    void reclaimingWaitsForWhatIsClosedAndForNothingSubmittedSince() {
        first.newest = 3;
        add("early");
        second.newest = 7;
        add("late");
        first.newest = 100;
        assertThat(retired.reclaim(0)).isTrue();
        assertThat(first.waits).containsExactly(3L);
        assertThat(second.waits).containsExactly(7L);
        assertThat(destroyed).containsExactly("early", "late");
        assertThat(retired.reclaim(retired.destroyed())).isFalse();
    }

    /** Whoever has found no memory before the destruction was through tries once more. */
    @Test
    void whatIsBeingDestroyedDoesNotCountYet() {
        long[] before = new long[1];
        retired.add(() -> before[0] = retired.destroyed());
        assertThat(before[0]).isZero();
        assertThat(retired.reclaim(before[0])).isTrue();
    }

    @Test
    void whatStandsInTheWayOfOneIsNoReasonToKeepTheOthers() {
        first.newest = 3;
        add("early");
        second.newest = 7;
        second.stands = true;
        add("late");
        assertThat(retired.reclaim(0)).isTrue();
        assertThat(destroyed).containsExactly("early");
        assertThat(retired.reclaim(retired.destroyed())).isFalse();
    }

    @Test
    void whatAnotherThreadHasDestroyedMeanwhileIsMemoryAsWell() {
        long before = retired.destroyed();
        add("by another thread");
        assertThat(retired.reclaim(before)).isTrue();
    }
}
