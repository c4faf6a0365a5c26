package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.error.TableFullException;
import io.frameloom.gpu.pipeline.BindlessTable.Kind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Numbers of bindless tables: each once, the freed ones first, and no more than there are. */
class TableSlotsTest {
    @Test
    void numbersAreGivenOnceAndThoseThatAreBackAreGivenFirst() {
        TableSlots slots = new TableSlots("all", Kind.SAMPLED_TEXTURE, 40, false);
        assertThat(IntStream.range(0, 40).map(i -> slots.take(null)).toArray())
                .isEqualTo(IntStream.range(0, 40).toArray());
        assertThatThrownBy(() -> slots.take(null))
                .isInstanceOf(TableFullException.class)
                .hasMessage("bindless table 'all' has all of its 40 slots of SAMPLED_TEXTURE in use; close slots, and"
                        + " wait for the submissions that may use them");
        slots.forget(7);
        assertThatThrownBy(() -> slots.take(null)).isInstanceOf(IllegalStateException.class);
        slots.give(7);
        assertThat(slots.take(null)).isEqualTo(7);
        assertThatThrownBy(() -> slots.take(null)).isInstanceOf(IllegalStateException.class);
    }

    /** So a freed one is not soon another resource's, and whoever takes it is found. */
    @Test
    void numbersThatWereNeverGivenComeFirstWhereThatIsAsked() {
        TableSlots slots = new TableSlots("all", Kind.SAMPLED_TEXTURE, 4, true);
        assertThat(List.of(slots.take(null), slots.take(null), slots.take(null)))
                .containsExactly(0, 1, 2);
        slots.give(1);
        slots.give(0);
        assertThat(List.of(slots.take(null), slots.take(null), slots.take(null)))
                .containsExactly(3, 1, 0);
        assertThatThrownBy(() -> slots.take(null)).isInstanceOf(IllegalStateException.class);
    }
}
