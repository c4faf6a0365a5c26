package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.QueueKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueCountsTest {
    @Test
    void numbersAreReadByKind() {
        assertThat(QueueCounts.parse("16,8,2")).isEqualTo(new QueueCounts(16, 8, 2));
        assertThat(QueueCounts.parse("1,0,0")).isEqualTo(new QueueCounts(1, 0, 0));
        assertThat(QueueCounts.parse("all")).isEqualTo(QueueCounts.ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "1,1", "1,1,1,1", "1,,1", "a,b,c", "ALL", "1, 1, 1"})
    void whatAreNoNumbersIsRefusedWithTheWayOut(String text) {
        assertThatThrownBy(() -> QueueCounts.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'all' or GRAPHICS,COMPUTE,COPY as in 2,1,1, got '" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0,1,1", "65,1,1", "1,-1,0", "1,1,65"})
    void numbersOutOfRangeAreRefused(String text) {
        assertThatThrownBy(() -> QueueCounts.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 64 graphics queues and 0 to 64");
    }

    @Test
    void queuesOfAKindAreNumberedFromTheSecondOn() {
        assertThat(QueueKind.GRAPHICS.queueName(1)).isEqualTo("graphics");
        assertThat(QueueKind.COMPUTE.queueName(8)).isEqualTo("compute 8");
        assertThat(QueueKind.COPY.queueName(2)).isEqualTo("copy 2");
    }
}
