package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceLostException;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuTimeline;
import io.frameloom.gpu.Submission;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskFailedException;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/** A device is lost by its driver's word alone, so the loss is played by the calls that report it. */
@Timeout(60)
class DeviceLossTest {
    /** Holds completion back until released, and loses the device on demand. */
    private static final class LossyDriver implements QueueDriver {
        private final QueueDriver real = new NativeQueueDriver();
        private final CountDownLatch release = new CountDownLatch(1);
        private volatile boolean hold;
        private volatile boolean failSubmit;
        private volatile boolean failWait;

        @Override
        public int submit(VkQueue queue, VkSubmitInfo2.Buffer submission) {
            return failSubmit ? VK13.VK_ERROR_DEVICE_LOST : real.submit(queue, submission);
        }

        @Override
        public int waitSemaphores(VkDevice device, VkSemaphoreWaitInfo wait, long timeoutNanos) {
            if (hold) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return VK13.VK_ERROR_DEVICE_LOST;
                }
            }
            return failWait ? VK13.VK_ERROR_DEVICE_LOST : real.waitSemaphores(device, wait, timeoutNanos);
        }

        @Override
        public int counterValue(VkDevice device, long semaphore, LongBuffer value) {
            if (hold) {
                value.put(0, 0);
                return VK13.VK_SUCCESS;
            }
            return real.counterValue(device, semaphore, value);
        }
    }

    private final LossyDriver driver = new LossyDriver();

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice(null, new DeviceSeams(driver, Set.of()));

    private long submitNothing() {
        return gpu.graphics().submit(new Submission("nothing", List.of(), List.of())).value();
    }

    private void assertLost(GraphEvent event) {
        assertThatThrownBy(() -> event.await(ValidatedDevice.LONG))
                .isInstanceOf(TaskFailedException.class)
                .hasRootCauseInstanceOf(DeviceLostException.class);
    }

    @Test
    void aSubmissionThatLosesTheDeviceFailsEveryPendingEvent() {
        driver.hold = true;
        GpuTimeline timeline = gpu.graphics().timeline();
        List<GraphEvent> pending = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            pending.add(timeline.reached(submitNothing()));
        }
        assertThat(pending).noneMatch(GraphEvent::isComplete);

        driver.failSubmit = true;
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
        driver.release.countDown();
    }

    @Test
    void aWaiterThatFindsTheDeviceLostFailsEveryPendingEvent() {
        driver.hold = true;
        GpuTimeline timeline = gpu.graphics().timeline();
        GraphEvent first = timeline.reached(submitNothing());
        GraphEvent second = timeline.reached(submitNothing());
        GraphEvent dependent = gpu.tasks()
                .task("needs the GPU", () -> {})
                .after(second)
                .dispatch();
        driver.failWait = true;
        driver.release.countDown();
        assertLost(first);
        assertLost(second);
        assertLost(dependent);
    }

    @Test
    void aLostDeviceClosesItsContextsAndResources() {
        FrameContext context = gpu.own(gpu.device().createFrameContext("pending"));
        long value = gpu.submit(context, "before", list -> {}).value();
        assertThat(gpu.graphics().timeline().await(value, ValidatedDevice.LONG)).isTrue();
        driver.failSubmit = true;
        assertThatThrownBy(this::submitNothing).isInstanceOf(DeviceLostException.class);
        context.reset();
    }
}
