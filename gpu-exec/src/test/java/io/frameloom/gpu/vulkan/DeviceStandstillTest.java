package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceLostException;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.Submission;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;

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
        public int waitIdle(VkDevice device) {
            if (!isAsker()) {
                return super.waitIdle(device);
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
            VulkanDevice device = VulkanDevices.open(
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
}
