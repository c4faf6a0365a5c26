package io.frameloom.gpu.vulkan.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.device.CallGate;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.vulkan.AdoptedDevice;
import io.frameloom.gpu.vulkan.ForwardingDriver;
import io.frameloom.gpu.vulkan.SeamedDevices;
import io.frameloom.gpu.vulkan.StagedDriver;
import io.frameloom.gpu.vulkan.TestEngine;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreSignalInfo;

/** A thread gives a device up while another closes it. */
@Timeout(60)
class DeviceStandstillTest {
    @BeforeAll
    static void driver() {
        ValidatedDevice.assumeDriver();
    }

    /** Fails one question for a timeline's value, and answers who then waits for the device when that is gone. */
    private static final class FailingLate extends ForwardingDriver {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private volatile Thread asker = Thread.currentThread();
        private volatile Thread closer = Thread.currentThread();
        private volatile boolean armed;
        private volatile boolean late;

        private boolean isAsker() {
            return armed && Thread.currentThread() == asker;
        }

        @Override
        public int counterValue(VkDevice device, long semaphore, long address) {
            if (!isAsker()) {
                return super.counterValue(device, semaphore, address);
            }
            asked.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return VK13.VK_ERROR_UNKNOWN;
        }

        @Override
        public int waitIdle(VkQueue queue) {
            if (!isAsker()) {
                return super.waitIdle(queue);
            }
            try {
                closer.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            late = true;
            return VK13.VK_ERROR_DEVICE_LOST;
        }
    }

    @Test
    void aDeviceThatIsClosedIsNotAskedAgainByWhoGivesItUp() throws Exception {
        try (TaskGraph tasks = TaskGraph.builder().name("close").workers(1).build()) {
            FailingLate driver = new FailingLate();
            VulkanDevice device = SeamedDevices.open(
                    "", new DeviceOptions(tasks, "close", false, null), new DeviceSeams(driver, Set.of()));
            GpuQueue queue = device.queues().get(0);
            queue.submit(new Submission("nothing", List.of(), List.of()));
            FutureTask<Long> value = new FutureTask<>(() -> queue.timeline().completed());
            driver.asker = new Thread(value, "gives it up");
            FutureTask<Boolean> close = new FutureTask<>(() -> {
                device.close();
                return true;
            });
            driver.closer = new Thread(close, "closes it");
            driver.armed = true;
            driver.asker.start();
            driver.asked.await();
            driver.closer.start();
            // Everything has been waited for when it waits for the one who asks.
            while (!(LockSupport.getBlocker(driver.closer) instanceof CallGate)) {
                Thread.onSpinWait();
            }
            driver.goOn.countDown();
            assertThat(value.get()).isBetween(0L, 1L);
            assertThat(close.get()).isTrue();
            assertThat(driver.late)
                    .as("the driver is asked after the device was destroyed")
                    .isFalse();
            assertThat(queue.timeline().submitted()).isEqualTo(1);
            assertThatThrownBy(() -> queue.submit(new Submission("late", List.of(), List.of())))
                    .isInstanceOfAny(IllegalStateException.class, DeviceLostException.class);
        }
    }

    /** Fails the first wait of the thread that completes events. */
    private static final class FailingOnce extends ForwardingDriver {
        private final AtomicBoolean armed = new AtomicBoolean(true);

        @Override
        public int waitSemaphore(VkDevice device, long semaphore, long value, long timeoutNanos) {
            if (Thread.currentThread().getName().startsWith("frameloom-gpu-") && armed.compareAndSet(true, false)) {
                return VK13.VK_ERROR_OUT_OF_HOST_MEMORY;
            }
            return super.waitSemaphore(device, semaphore, value, timeoutNanos);
        }
    }

    @Test
    void anEngineHearsOfWhatIsDoneWhileADeviceThatIsGivenUpWaitsForIt() {
        try (TaskGraph tasks = TaskGraph.builder().name("give up").workers(1).build();
                TestEngine engine = new TestEngine()) {
            AdoptedDevice lent = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            long semaphore = engine.timelineSemaphore();
            FailingOnce driver = new FailingOnce();
            try (VulkanDevice device = SeamedDevices.adopt(
                    lent, new DeviceOptions(tasks, "give up", false, null), new DeviceSeams(driver, Set.of()))) {
                ExternalTimeline signalled = device.importTimeline("engine", semaphore);
                GpuQueue queue = device.queues().get(0);
                TimelinePoint first = queue.submit(waitingFor(signalled, 1));
                TimelinePoint second = queue.submit(waitingFor(signalled, 2));
                GraphEvent firstDone = queue.timeline().reached(first.value());
                while (driver.armed.get()) {
                    Thread.onSpinWait();
                }
                signal(engine, semaphore, 1);
                firstDone.await();
                signal(engine, semaphore, 2);
                assertThat(queue.timeline().await(second.value(), Duration.ofSeconds(60)))
                        .isTrue();
                assertThatThrownBy(() -> queue.submit(waitingFor(signalled, 2)))
                        .isInstanceOf(DeviceLostException.class)
                        .hasMessageContaining("VK_ERROR_OUT_OF_HOST_MEMORY");
            }
            assertThat(engine.messages()).isEmpty();
        }
    }

    private static Submission waitingFor(ExternalTimeline timeline, long value) {
        return new Submission("behind value " + value, List.of(), List.of())
                .with(List.of(new ExternalPoint(timeline, value, PipelineStage.ALL_COMMANDS.bit())), List.of());
    }

    private static void signal(TestEngine engine, long semaphore, long value) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            TestEngine.done(VK13.vkSignalSemaphore(
                    engine.device,
                    VkSemaphoreSignalInfo.calloc(stack)
                            .sType$Default()
                            .semaphore(semaphore)
                            .value(value)));
        }
    }

    @Test
    void closingADeviceSaysWhatItWaitsFor() {
        StagedDriver driver = new StagedDriver();
        List<String> reports = new CopyOnWriteArrayList<>();
        try (TaskGraph tasks = TaskGraph.builder()
                        .name("long")
                        .workers(1)
                        .stallWatchdog(Duration.ofMillis(50), (thread, waited, why) -> {
                            reports.add(why.toString());
                            driver.release();
                        })
                        .build();
                VulkanDevice device = SeamedDevices.open(
                        "", new DeviceOptions(tasks, "long", true, null), new DeviceSeams(driver, Set.of()))) {
            driver.hold();
            device.queues().get(0).submit(new Submission("held", List.of(), List.of()));
        }
        assertThat(reports)
                .singleElement()
                .asString()
                .contains("queue 'graphics' has not reached 1, it is at 0; its submission 'held' is not done");
    }
}
