package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceLostException;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.GpuTimeline;
import io.frameloom.gpu.Submission;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A device is lost by its driver's word alone, so the loss is played by the calls that report it. */
@Timeout(60)
class DeviceLossTest {
    private final StagedDriver driver = new StagedDriver();

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice(null, new DeviceSeams(driver, Set.of()));

    private long submitNothing() {
        return gpu.graphics()
                .submit(new Submission("nothing", List.of(), List.of()))
                .value();
    }

    private void assertLost(GraphEvent event) {
        assertThatThrownBy(() -> event.await(ValidatedDevice.LONG))
                .isInstanceOf(TaskFailedException.class)
                .hasRootCauseInstanceOf(DeviceLostException.class);
    }

    @Test
    void aSubmissionThatLosesTheDeviceFailsEveryPendingEvent() {
        driver.hold();
        GpuTimeline timeline = gpu.graphics().timeline();
        List<GraphEvent> pending = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            pending.add(timeline.reached(submitNothing()));
        }
        assertThat(pending).noneMatch(GraphEvent::isComplete);

        driver.failSubmissions();
        assertThatThrownBy(this::submitNothing)
                .isInstanceOf(DeviceLostException.class)
                .hasMessageContaining("'nothing'")
                .hasMessageContaining("open a new one");

        pending.forEach(this::assertLost);
        assertThat(timeline.submitted()).isEqualTo(10);
        assertLost(timeline.reached(10));
        assertThatThrownBy(this::submitNothing).isInstanceOf(DeviceLostException.class);
        assertThatThrownBy(() -> timeline.await(10, Duration.ofSeconds(30))).isInstanceOf(DeviceLostException.class);
        assertThatThrownBy(() -> gpu.device().waitIdle()).isInstanceOf(DeviceLostException.class);
        driver.release();
    }

    @Test
    void aWaiterThatFindsTheDeviceLostFailsEveryPendingEvent() {
        driver.hold();
        GpuTimeline timeline = gpu.graphics().timeline();
        GraphEvent first = timeline.reached(submitNothing());
        GraphEvent second = timeline.reached(submitNothing());
        GraphEvent dependent =
                gpu.tasks().task("needs the GPU", () -> {}).after(second).dispatch();
        driver.failWaits();
        driver.release();
        assertLost(first);
        assertLost(second);
        assertLost(dependent);
    }

    @Test
    void aLossFoundWhileClosingStillClosesEverything() {
        driver.hold();
        FrameContext context = gpu.device().createFrameContext("pending");
        gpu.submit(context, "before", list -> {});
        driver.failIdleWaits();
        assertThatThrownBy(() -> gpu.device().close())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed before everything on it: frame context 'pending'")
                .hasNoSuppressedExceptions();
    }

    @Test
    void aContextThatFindsTheDeviceLostIsReset() {
        FrameContext context = gpu.own(gpu.device().createFrameContext("pending"));
        gpu.submit(context, "before", list -> {});
        driver.failCounters();
        context.reset();
        assertThatThrownBy(this::submitNothing).isInstanceOf(DeviceLostException.class);
    }

    @Test
    void afterALossAnotherDeviceGoesOnWithTheSameTasks() {
        driver.failSubmissions();
        assertThatThrownBy(this::submitNothing).isInstanceOf(DeviceLostException.class);
        try (VulkanDevice second =
                VulkanDevices.open("", new DeviceOptions(gpu.tasks(), "gpu-exec tests", true, null))) {
            GpuQueue queue = second.queues().get(0);
            long value = queue.submit(new Submission("goes on", List.of(), List.of()))
                    .value();
            GraphEvent done = gpu.tasks()
                    .task("needs the GPU", () -> {})
                    .after(queue.timeline().reached(value))
                    .dispatch();
            assertThat(done.await(ValidatedDevice.LONG)).isTrue();
            assertThat(done.isFailed()).isFalse();
            assertThat(second.validationMessages()).isEmpty();
        }
    }

    @Test
    void aLostDeviceClosesItsContextsAndResources() {
        FrameContext context = gpu.own(gpu.device().createFrameContext("pending"));
        long value = gpu.submit(context, "before", list -> {}).value();
        assertThat(gpu.graphics().timeline().await(value, ValidatedDevice.LONG)).isTrue();
        driver.failSubmissions();
        assertThatThrownBy(this::submitNothing).isInstanceOf(DeviceLostException.class);
        context.reset();
    }
}
