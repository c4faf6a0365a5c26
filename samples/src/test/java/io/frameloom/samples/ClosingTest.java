package io.frameloom.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {
    @Test
    void allIsClosedWhateverFails() {
        List<String> closed = new ArrayList<>();
        IllegalStateException first = new IllegalStateException("first");
        IllegalStateException second = new IllegalStateException("second");
        List<Runnable> steps = List.of(
                () -> {
                    throw first;
                },
                () -> closed.add("one"),
                () -> {
                    throw second;
                },
                () -> closed.add("other"));
        assertThatThrownBy(() -> Closing.all(steps)).isSameAs(first).hasSuppressedException(second);
        assertThat(closed).containsExactly("one", "other");
    }
}
