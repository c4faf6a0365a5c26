package io.frameloom.gpu.transfer.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Closing goes on after a failure, and tells it. */
class ClosingTest {
    @Test
    void everythingIsClosedWhateverFails() {
        List<String> closed = new ArrayList<>();
        IllegalStateException first = new IllegalStateException("first");
        AssertionError second = new AssertionError("second");
        List<Runnable> closings = List.of(
                () -> closed.add("a"),
                () -> {
                    throw first;
                },
                () -> closed.add("b"),
                () -> {
                    throw second;
                },
                () -> closed.add("c"));
        assertThatThrownBy(() -> Closing.all(closings)).isSameAs(first).hasSuppressedException(second);
        assertThat(closed).containsExactly("a", "b", "c");
        assertThatThrownBy(() -> Closing.all(closings.subList(2, 5))).isSameAs(second);
    }
}
