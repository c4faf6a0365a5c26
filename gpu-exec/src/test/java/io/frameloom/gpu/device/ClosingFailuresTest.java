package io.frameloom.gpu.device;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingFailuresTest {
    @Test
    void theFirstIsThrownWithAllOthers() {
        RuntimeException first = new IllegalStateException("first");
        Error second = new AssertionError("second");
        assertThatThrownBy(() -> ClosingFailures.throwFirst(List.of(first, second)))
                .isSameAs(first)
                .hasSuppressedException(second);
        assertThatThrownBy(() -> ClosingFailures.throwFirst(List.of(second))).isSameAs(second);
        assertThatCode(() -> ClosingFailures.throwFirst(List.of())).doesNotThrowAnyException();
    }
}
