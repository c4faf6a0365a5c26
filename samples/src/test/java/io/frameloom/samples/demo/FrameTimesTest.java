package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.frameloom.rdg.FrameStatistics;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FrameTimesTest {
    private static FrameStatistics statistics(int frame, long gpuNanos) {
        return new FrameStatistics(
                frame, 2_000_000, 3_000_000, gpuNanos, 1, 2, 3, 4, 5, 6, List.of(), List.of(), List.of());
    }

    @Test
    void mediansOfAnyNumberOfFramesInBoundedMemory() {
        FrameTimes times = new FrameTimes();
        int frames = 300_000;
        for (int frame = 0; frame < frames; frame++) {
            times.completed(1_000L * frame, 1_000_000, statistics(frame, 4_000_000));
        }
        FrameTimes.Medians medians = times.medians();
        assertThat(medians.game()).isCloseTo(frames / 2.0 * 1e-3, within(0.2));
        assertThat(medians.render()).isCloseTo(1, within(0.001));
        assertThat(medians.record()).isCloseTo(2, within(0.002));
        assertThat(medians.submit()).isCloseTo(3, within(0.003));
        assertThat(medians.gpu()).isCloseTo(4, within(0.004));
        assertThat(times.last().frame()).isEqualTo(frames - 1);
    }

    @Test
    void lastNeedsAFrame() {
        assertThatThrownBy(() -> new FrameTimes().last()).isInstanceOf(IllegalStateException.class);
    }
}
