package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An engine lends all queues of one family: as many as the driver has, which may be one. */
@Timeout(60)
class ManyQueuesAdoptionTest {
    @Test
    void everyQueueOfAFamilyHasItsGuardAndItsTimeline() {
        adoptAll(false);
    }

    @Test
    void oneReentrantLockGuardsThemAll() {
        adoptAll(true);
    }

    private static void adoptAll(boolean oneGuard) {
        ValidatedDevice.assumeDriver();
        try (TaskGraph tasks = TaskGraph.builder().name("adoption").workers(1).build();
                TestEngine engine = new TestEngine()) {
            List<Lock> guards = new ArrayList<>();
            for (int i = 0; i < engine.queues.size(); i++) {
                // The first graphics queue comes first; the others go between the kinds.
                QueueKind kind = i % 2 == 0 ? QueueKind.GRAPHICS : QueueKind.COMPUTE;
                guards.add(oneGuard ? engine.guard : new ReentrantLock());
                engine.description.queue(kind, engine.queues.get(i), TestEngine.FAMILY, guards.get(i));
            }
            try (VulkanDevice gpu =
                    VulkanDevices.adopt(engine.description.build(), new DeviceOptions(tasks, "unused", true, null))) {
                assertThat(gpu.queues()).hasSameSizeAs(engine.queues);
                assertThat(gpu.queues()).extracting(GpuQueue::name).doesNotHaveDuplicates();
                assertThat(gpu.queues()).extracting(GpuQueue::family).containsOnly(TestEngine.FAMILY);
                List<TimelinePoint> points = new ArrayList<>();
                for (GpuQueue queue : gpu.queues()) {
                    int lent = engine.queues.stream()
                            .map(each -> each.address())
                            .toList()
                            .indexOf(gpu.handles().queue(queue).address());
                    assertThat(gpu.handles().guard(queue)).isSameAs(guards.get(lent));
                    List<Submission.Wait> waits = new ArrayList<>();
                    points.forEach(point -> waits.add(new Submission.Wait(point, PipelineStage.COMPUTE_SHADER.bit())));
                    points.add(queue.submit(new Submission("after all before", List.of(), waits)));
                }
                for (TimelinePoint point : points) {
                    assertThat(point.queue().timeline().await(point.value(), ValidatedDevice.LONG))
                            .isTrue();
                    assertThat(point.value()).isEqualTo(1);
                }
                assertThat(points.stream().map(point -> gpu.handles().timeline(point.queue())))
                        .doesNotHaveDuplicates();
            }
            assertThat(engine.messages()).isEmpty();
        }
    }
}
