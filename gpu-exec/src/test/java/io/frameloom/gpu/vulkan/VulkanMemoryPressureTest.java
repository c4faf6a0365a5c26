package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.queue.VulkanTimeline;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;

/** How a device without memory waits for what is closed and in use. */
@Timeout(60)
class VulkanMemoryPressureTest {
    private static final int BYTES = 16 << 20;
    private static final BufferDescription WORDS = BufferDescription.device(BYTES, BufferUsage.COPY_DST);

    private final HidingDriver driver = new HidingDriver();
    private TaskGraph tasks;
    private VulkanDevice device;
    private FrameContext frame;

    /** Shows what is complete to nobody who has not waited for it. */
    private static final class HidingDriver extends ForwardingDriver {
        private final List<Long> waits = new ArrayList<>();
        private boolean hides;
        private int answer = VK13.VK_SUCCESS;

        @Override
        public int counterValue(VkDevice device, long semaphore, long address) {
            if (hides) {
                MemoryUtil.memPutLong(address, 0);
                return VK13.VK_SUCCESS;
            }
            return super.counterValue(device, semaphore, address);
        }

        @Override
        public int waitSemaphore(VkDevice device, long semaphore, long value, long timeoutNanos) {
            waits.add(timeoutNanos);
            return answer == VK13.VK_SUCCESS ? super.waitSemaphore(device, semaphore, value, timeoutNanos) : answer;
        }
    }

    @BeforeEach
    void open() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("pressure").workers(1).build();
        device = SeamedDevices.open(
                "",
                new DeviceOptions(tasks, "pressure", true, null).withMemoryLimit(3 * BYTES / 2),
                new DeviceSeams(driver, Set.of()));
        frame = device.createFrameContext("frame");
    }

    @AfterEach
    void close() {
        if (device != null) {
            driver.hides = false;
            driver.answer = VK13.VK_SUCCESS;
            device.waitIdle();
            frame.close();
            device.close();
            tasks.close();
            assertThat(device.validationMessages()).isEmpty();
        }
    }

    private void closeInUse() {
        driver.hides = true;
        try (Buffer used = device.createBuffer("used", WORDS)) {
            CommandList list = frame.beginCommands(device.queues().get(0), "fill");
            list.fillBuffer(used, 0, BYTES, 1);
            list.end();
            device.queues().get(0).submit(new Submission("fill", List.of(list), List.of()));
        }
    }

    private void assertRefused() {
        assertThatThrownBy(() -> device.createBuffer("wanted", WORDS))
                .isInstanceOf(GpuOutOfMemoryException.class)
                .hasMessageContaining("buffer 'wanted'");
    }

    @Test
    void oneWaitForTheDeviceOfWhichNobodyIsTold() {
        closeInUse();
        device.createBuffer("wanted", WORDS).close();
        assertThat(driver.waits).hasSize(1);
        VulkanTimeline timeline = (VulkanTimeline) device.queues().get(0).timeline();
        assertThat(timeline.reported()).isZero();
    }

    @Test
    void aDeviceThatDoesNotGetOnIsNotWaitedForWithoutEnd() {
        closeInUse();
        driver.answer = VK13.VK_TIMEOUT;
        assertRefused();
        assertThat(driver.waits)
                .singleElement()
                .satisfies(
                        nanos -> assertThat(Duration.ofNanos(nanos)).isBetween(Duration.ZERO, Duration.ofSeconds(2)));
        driver.answer = VK13.VK_SUCCESS;
        device.createBuffer("wanted", WORDS).close();
    }

    @Test
    void aWaitThatFindsTheDeviceLostLeavesThatToOthers() {
        closeInUse();
        driver.answer = VK13.VK_ERROR_DEVICE_LOST;
        assertRefused();
        driver.answer = VK13.VK_SUCCESS;
        assertThat(device.queues().get(0).timeline().await(1, ValidatedDevice.LONG))
                .isTrue();
    }

    @Test
    void whereNothingIsClosedNobodyWaits() {
        try (Buffer kept = device.createBuffer("kept", WORDS)) {
            assertRefused();
            assertThat(kept.isClosed()).isFalse();
        }
        assertThat(driver.waits).isEmpty();
    }
}
