package io.frameloom.gpu.vulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.vulkan.AdoptedDevice;
import io.frameloom.gpu.vulkan.ForwardingDriver;
import io.frameloom.gpu.vulkan.SeamedDevices;
import io.frameloom.gpu.vulkan.StagedDriver;
import io.frameloom.gpu.vulkan.TestEngine;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;

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
        driver.release();
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

    /** Plays a driver that fails for no reason while the device goes on with what it was given. */
    private static final class Refusing extends ForwardingDriver {
        private final CountDownLatch asked = new CountDownLatch(3);
        private final CountDownLatch waitedForAll = new CountDownLatch(1);
        private volatile boolean works = true;
        private volatile boolean busy;

        @Override
        public int waitSemaphore(VkDevice device, long semaphore, long value, long timeoutNanos) {
            return works ? super.waitSemaphore(device, semaphore, value, timeoutNanos) : VK13.VK_ERROR_UNKNOWN;
        }

        @Override
        public int waitIdle(VkQueue queue) {
            waitedForAll.countDown();
            return works ? super.waitIdle(queue) : VK13.VK_ERROR_UNKNOWN;
        }

        @Override
        public int counterValue(VkDevice device, long semaphore, long address) {
            if (busy) {
                if (!works) {
                    asked.countDown();
                }
                MemoryUtil.memPutLong(address, 0);
                return VK13.VK_SUCCESS;
            }
            return super.counterValue(device, semaphore, address);
        }
    }

    private interface Opening {
        VulkanDevice open(DeviceSeams seams);
    }

    /** What the device still works on may wait for what somebody signals under the lock of a queue. */
    private void assertGivenUpWithoutHoldingLocks(Refusing refusing, Opening opening) throws Exception {
        try (VulkanDevice device = opening.open(new DeviceSeams(refusing, Set.of()))) {
            GpuQueue queue = device.queues().get(0);
            refusing.busy = true;
            long value =
                    queue.submit(new Submission("long", List.of(), List.of())).value();
            refusing.works = false;
            FutureTask<Boolean> waiting =
                    new FutureTask<>(() -> queue.timeline().await(value, ValidatedDevice.LONG));
            new Thread(waiting, "gives the device up").start();
            assertThat(refusing.asked.await(30, TimeUnit.SECONDS)).isTrue();
            Lock guard = device.handles().guard(queue);
            assertThat(guard.tryLock(5, TimeUnit.SECONDS)).isTrue();
            guard.unlock();
            assertThatThrownBy(() -> queue.submit(new Submission("late", List.of(), List.of())))
                    .isInstanceOf(DeviceLostException.class);
            assertThat(waiting.isDone()).isFalse();
            refusing.busy = false;
            assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(DeviceLostException.class);
            refusing.works = true;
        }
    }

    @Test
    void aDeviceIsGivenUpWithoutHoldingTheLocksOfItsQueues() throws Exception {
        Refusing refusing = new Refusing();
        assertGivenUpWithoutHoldingLocks(
                refusing,
                seams -> SeamedDevices.open("", new DeviceOptions(gpu.tasks(), "given up", false, null), seams));
        assertThat(refusing.waitedForAll.getCount()).isZero();
    }

    @Test
    void anEnginesDeviceIsNotWaitedForAsAWhole() throws Exception {
        Refusing refusing = new Refusing();
        try (TestEngine engine = new TestEngine()) {
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            assertGivenUpWithoutHoldingLocks(
                    refusing,
                    seams -> SeamedDevices.adopt(
                            description, new DeviceOptions(gpu.tasks(), "given up", false, null), seams));
            assertThat(refusing.waitedForAll.getCount()).isOne();
        }
    }

    @Test
    void aLostDeviceStillTellsOfItsMemoryAndMakesThings() {
        driver.failSubmissions();
        assertThatThrownBy(this::submitNothing).isInstanceOf(DeviceLostException.class);
        gpu.own(gpu.device().createBuffer("late", BufferDescription.device(64, BufferUsage.COPY_DST)));
        gpu.own(gpu.device().createFrameContext("late frame"));
        gpu.own(gpu.device().createTimestampSet("late stamps", 1));
        assertThat(gpu.device().memoryStatistics().allocations())
                .extracting(MemoryStatistics.Allocation::name)
                .contains("late");
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
