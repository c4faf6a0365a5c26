package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.device.CallGate;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;

/** A device that is closed while other threads are in the driver with the timeline of one of its queues. */
@Timeout(60)
class VulkanTimelineCloseTest {
    @BeforeAll
    static void driver() {
        ValidatedDevice.assumeDriver();
    }

    /** Holds the next call of one function, and tells whether the semaphore was gone when the call went on. */
    private static final class HeldDriver extends ForwardingDriver {
        private final CountDownLatch inside = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final Thread closer;
        private final boolean holdsWaits;
        private volatile boolean armed;
        private volatile boolean late;

        HeldDriver(Thread closer, boolean holdsWaits) {
            this.closer = closer;
            this.holdsWaits = holdsWaits;
        }

        /** Returns whether the driver may be called. */
        private boolean hold() {
            armed = false;
            inside.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            late = !closer.isAlive();
            return !late;
        }

        @Override
        public int counterValue(VkDevice device, long semaphore, long address) {
            if (armed && holdsWaits) {
                MemoryUtil.memPutLong(address, 0);
                return VK13.VK_SUCCESS;
            }
            return !armed || hold() ? super.counterValue(device, semaphore, address) : VK13.VK_ERROR_DEVICE_LOST;
        }

        @Override
        public int waitSemaphore(VkDevice device, long semaphore, long value, long timeoutNanos) {
            return !armed || hold()
                    ? super.waitSemaphore(device, semaphore, value, timeoutNanos)
                    : VK13.VK_ERROR_DEVICE_LOST;
        }
    }

    private static <T> T duringClose(boolean holdsWaits, Function<GpuTimeline, T> call) throws Exception {
        try (TaskGraph tasks = TaskGraph.builder().name("close").workers(1).build()) {
            CountDownLatch opened = new CountDownLatch(1);
            VulkanDevice[] device = new VulkanDevice[1];
            FutureTask<Boolean> close = new FutureTask<>(() -> {
                opened.await();
                device[0].close();
                return true;
            });
            Thread closer = new Thread(close, "closer");
            HeldDriver driver = new HeldDriver(closer, holdsWaits);
            device[0] = SeamedDevices.open(
                    "", new DeviceOptions(tasks, "close", false, null), new DeviceSeams(driver, Set.of()));
            GpuQueue queue = device[0].queues().get(0);
            queue.submit(new Submission("nothing", List.of(), List.of()));
            driver.armed = true;
            FutureTask<T> asked = new FutureTask<>(() -> call.apply(queue.timeline()));
            new Thread(asked, "caller").start();
            driver.inside.await();
            closer.start();
            opened.countDown();
            // Either closing waits for the caller, or it does not and comes to its end.
            while (closer.isAlive() && !(LockSupport.getBlocker(closer) instanceof CallGate)) {
                Thread.onSpinWait();
            }
            driver.goOn.countDown();
            T answer = asked.get();
            assertThat(close.get()).isTrue();
            assertThat(driver.late)
                    .as("the driver is asked after the semaphore was destroyed")
                    .isFalse();
            return answer;
        }
    }

    @Test
    void closingWaitsForWhoAsksForTheValue() throws Exception {
        long value = duringClose(false, GpuTimeline::completed);
        assertThat(value).isEqualTo(1);
    }

    @Test
    void closingWaitsForWhoWaits() throws Exception {
        boolean reached = duringClose(true, timeline -> timeline.await(1, ValidatedDevice.LONG));
        assertThat(reached).isTrue();
    }
}
