package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;

/** A device is closed by what an application does where it hears that the device is lost, or given up. */
@Timeout(60)
class CloseWhereLossIsToldTest {
    private static final long SECONDS = 30;

    @BeforeAll
    static void driver() {
        ValidatedDevice.assumeDriver();
    }

    /** Fails the waits of the threads that complete events, once there is one to complete. */
    private static final class FailingWaits extends ForwardingDriver {
        private final int result;
        private final CountDownLatch registered = new CountDownLatch(1);

        FailingWaits(int result) {
            this.result = result;
        }

        @Override
        public int waitSemaphore(VkDevice device, long semaphore, long value, long timeoutNanos) {
            if (!Thread.currentThread().getName().startsWith("frameloom-gpu-")) {
                return super.waitSemaphore(device, semaphore, value, timeoutNanos);
            }
            try {
                registered.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            int real = super.waitSemaphore(device, semaphore, value, timeoutNanos);
            return real == VK13.VK_SUCCESS ? result : real;
        }

        @Override
        public int counterValue(VkDevice device, long semaphore, long address) {
            int real = super.counterValue(device, semaphore, address);
            if (registered.getCount() > 0) {
                MemoryUtil.memPutLong(address, 0);
            }
            return real;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {VK13.VK_ERROR_DEVICE_LOST, VK13.VK_ERROR_OUT_OF_HOST_MEMORY})
    void byAWaiterThatFindsOut(int result) throws Exception {
        try (TaskGraph tasks = TaskGraph.builder().name("lost").workers(1).build()) {
            FailingWaits driver = new FailingWaits(result);
            VulkanDevice device = SeamedDevices.open(
                    "", new DeviceOptions(tasks, "lost", true, null), new DeviceSeams(driver, Set.of()));
            GpuQueue queue = device.queues().get(0);
            long value = queue.submit(new Submission("nothing", List.of(), List.of()))
                    .value();
            CompletableFuture<Thread> closed = queue.timeline()
                    .reached(value)
                    .toCompletableFuture()
                    .handle((done, failure) -> {
                        device.close();
                        return Thread.currentThread();
                    });
            driver.registered.countDown();
            Thread completer = closed.get(SECONDS, TimeUnit.SECONDS);
            assertThat(completer).isNotSameAs(Thread.currentThread());
            completer.join(TimeUnit.SECONDS.toMillis(SECONDS));
            assertThat(completer.isAlive()).as("the thread that told ends").isFalse();
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    @Test
    void byASubmissionThatFindsOutUnderALockThatIsNotReentrant() throws Exception {
        try (TaskGraph tasks = TaskGraph.builder().name("lost").workers(1).build();
                TestEngine engine = new TestEngine()) {
            Lock guard = new StampedLock().asWriteLock();
            AdoptedDevice lent = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, guard)
                    .build();
            StagedDriver driver = new StagedDriver();
            VulkanDevice device = SeamedDevices.adopt(
                    lent, new DeviceOptions(tasks, "lost", false, null), new DeviceSeams(driver, Set.of()));
            GpuQueue queue = device.queues().get(0);
            driver.hold();
            Submission nothing = new Submission("nothing", List.of(), List.of());
            long value = queue.submit(nothing).value();
            CompletableFuture<Boolean> closed = queue.timeline()
                    .reached(value)
                    .toCompletableFuture()
                    .handle((done, failure) -> {
                        driver.release();
                        device.close();
                        return failure != null;
                    });
            // A lost device runs nothing, so closing one waits for nothing; this one is only said to be lost.
            TestEngine.done(VK13.vkDeviceWaitIdle(engine.device));
            driver.failSubmissions();
            FutureTask<Long> submit =
                    new FutureTask<>(() -> queue.submit(nothing).value());
            Thread submitter = new Thread(submit, "submits");
            submitter.setDaemon(true);
            submitter.start();
            assertThat(closed.get(SECONDS, TimeUnit.SECONDS))
                    .as("the event fails")
                    .isTrue();
            assertThatThrownBy(() -> submit.get(SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(DeviceLostException.class);
            assertThat(engine.messages()).isEmpty();
        }
    }
}
