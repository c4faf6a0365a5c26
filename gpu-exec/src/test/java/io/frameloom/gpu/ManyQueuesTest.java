package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All queues of a device, each by itself. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyQueuesTest {
    @ParameterizedTest
    @ValueSource(strings = {"virtual:queues=16+8+2", "virtual:queues=3+0+2", "virtual:queues=1+0+0"})
    void eachQueueOfTheVirtualDeviceHasItsOwnNameAndTimeline(String device) {
        eachByItself(device, false);
    }

    @Test
    void eachQueueOfAVulkanDeviceHasItsOwnNameAndTimeline() {
        ValidatedDevice.assumeDriver();
        eachByItself("auto", true);
    }

    private static void eachByItself(String name, boolean validation) {
        try (TaskGraph tasks = TaskGraph.builder().name("queues").workers(1).build()) {
            GpuDevice device = GpuDevices.open(
                    DeviceSelector.parse(name),
                    new DeviceOptions(tasks, "queues", validation, null).withQueues(QueueCounts.ALL));
            try (device) {
                List<GpuQueue> queues = device.queues();
                assertThat(queues).extracting(GpuQueue::name).doesNotHaveDuplicates();
                assertThat(queues).extracting(GpuQueue::timeline).doesNotHaveDuplicates();
                assertThat(queues).extracting(GpuQueue::kind).isSorted();
                for (QueueKind kind : QueueKind.values()) {
                    List<GpuQueue> some = device.queues(kind);
                    for (int i = 0; i < some.size(); i++) {
                        assertThat(some.get(i).name()).isEqualTo(kind.queueName(i + 1));
                    }
                }
                List<GraphEvent> events = new ArrayList<>();
                for (GpuQueue queue : queues) {
                    assertThat(queues.get(queue.index())).isSameAs(queue);
                    // As many submissions as nobody else has.
                    for (int i = 0; i <= queue.index(); i++) {
                        TimelinePoint point = queue.submit(new Submission("nothing", List.of(), List.of()));
                        assertThat(point).isEqualTo(new TimelinePoint(queue, i + 1));
                        events.add(queue.timeline().reached(point.value()));
                    }
                }
                events.forEach(GraphEvent::await);
                for (GpuQueue queue : queues) {
                    assertThat(queue.timeline().submitted()).isEqualTo(queue.index() + 1);
                    assertThat(queue.timeline().completed()).isEqualTo(queue.index() + 1);
                }
            }
            assertThat(device.validationMessages()).isEmpty();
        }
    }
}
