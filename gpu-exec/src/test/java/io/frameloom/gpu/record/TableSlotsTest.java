package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.pipeline.BindlessTable.Kind;
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
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("bindless table 'all' has all of its 40 slots of SAMPLED_TEXTURE in use; close slots, and"
                        + " wait for the submissions that may use them");
        slots.forget(7);
        assertThatThrownBy(() -> slots.take(null)).isInstanceOf(IllegalStateException.class);
        slots.give(7);
        assertThat(slots.take(null)).isEqualTo(7);
        assertThatThrownBy(() -> slots.take(null)).isInstanceOf(IllegalStateException.class);
    }
}
