package io.frameloom.gpu.command;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a submission names is held against the queue that is to execute it. */
class SubmissionTest {
    private record Outside(String name) implements ExternalTimeline {}

    private static Submission waiting(TimelinePoint point, int stages) {
        return new Submission("late", List.of(), List.of(new Submission.Wait(point, stages)));
    }

    @Test
    void stagesThatTheQueueHasNotCannotWait() {
        try (TaskGraph tasks = TaskGraph.builder().name("waits").workers(1).build();
                VirtualDevice device = VirtualDevice.open(
                        new VirtualGpuOptions(3, 1), new DeviceOptions(tasks, "waits", false, null))) {
            GpuQueue graphics = device.queues().get(0);
            GpuQueue copy = device.queues().get(2);
            TimelinePoint point = new TimelinePoint(graphics, 0);
            waiting(point, PipelineStage.FRAGMENT_SHADER.bit()).checkWaits(graphics);
            waiting(point, PipelineStage.COPY.bit()).checkWaits(copy);
            for (int stages :
                    new int[] {PipelineStage.NONE, PipelineStage.COMPUTE_SHADER.bit(), PipelineStage.HOST.bit(), 1 << 30
                    }) {
                assertThatThrownBy(() -> waiting(point, stages).checkWaits(copy))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'late' waits for queue 'graphics'")
                        .hasMessageContaining("queue 'copy'");
            }
            ExternalPoint outside = new ExternalPoint(new Outside("engine"), 1, PipelineStage.HOST.bit());
            Submission plain = new Submission("late", List.of(), List.of());
            assertThatThrownBy(() -> plain.with(List.of(outside), List.of()).checkWaits(graphics))
                    .hasMessageContaining("waits for timeline 'engine'");
            assertThatThrownBy(() -> plain.with(List.of(), List.of(outside)).checkWaits(graphics))
                    .hasMessageContaining("signals timeline 'engine'");
        }
    }

    @Test
    void aRangeDoesNotEndBehindAllNumbers() {
        assertThatThrownBy(() -> new SubresourceRange(1, Integer.MAX_VALUE, 0, 1, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mips 1+2147483647");
        assertThatThrownBy(() -> new SubresourceRange(0, 1, Integer.MAX_VALUE, 1, 0, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
