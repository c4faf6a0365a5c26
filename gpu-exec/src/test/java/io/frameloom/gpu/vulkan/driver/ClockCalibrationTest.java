package io.frameloom.gpu.vulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.vulkan.AdoptedDevice;
import io.frameloom.gpu.vulkan.ForwardingDriver;
import io.frameloom.gpu.vulkan.SeamedDevices;
import io.frameloom.gpu.vulkan.TestEngine;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTCalibratedTimestamps;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkSemaphoreSignalInfo;

/** The clock of a device without VK_EXT_calibrated_timestamps, whose queue may be at work for somebody else. */
@Timeout(60)
class ClockCalibrationTest {
    private static final Set<String> UNCALIBRATED =
            Set.of(EXTCalibratedTimestamps.VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);

    private TaskGraph tasks;
    private DeviceOptions options;

    @BeforeAll
    static void driver() {
        ValidatedDevice.assumeDriver();
    }

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("clock").workers(1).build();
        options = new DeviceOptions(tasks, "clock", false, null);
    }

    @AfterEach
    void closeTaskGraph() {
        tasks.close();
    }

    private static void signal(TestEngine engine, long semaphore) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            TestEngine.done(VK13.vkSignalSemaphore(
                    engine.device,
                    VkSemaphoreSignalInfo.calloc(stack)
                            .sType$Default()
                            .semaphore(semaphore)
                            .value(1)));
        }
    }

    private static long[] stamp(VulkanDevice device) {
        GpuQueue queue = device.queues().get(0);
        try (FrameContext frame = device.createFrameContext("frame");
                TimestampSet stamps = device.createTimestampSet("stamps", 1)) {
            CommandList list = frame.beginCommands(queue, "stamped");
            list.writeTimestamp(stamps, 0);
            list.end();
            long value = queue.submit(new Submission("stamped", List.of(list), List.of()))
                    .value();
            assertThat(queue.timeline().await(value, ValidatedDevice.LONG)).isTrue();
            return stamps.readNanos();
        }
    }

    @Test
    void adoptionDoesNotWaitForWorkOfTheEngineThatWaitsForTheEngine() throws Exception {
        try (TestEngine engine = new TestEngine()) {
            long gate = engine.timelineSemaphore();
            engine.submit(
                    List.of(new TestEngine.Value(gate, 1)),
                    new TestEngine.Value(engine.timelineSemaphore(), 1),
                    commands -> {});
            AdoptedDevice lent = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            FutureTask<VulkanDevice> adoption = new FutureTask<>(() -> VulkanDevices.adopt(lent, options));
            Thread adopter = new Thread(adoption, "adopts");
            adopter.setDaemon(true);
            adopter.start();
            VulkanDevice device;
            try {
                device = adoption.get(ValidatedDevice.LONG.toSeconds(), TimeUnit.SECONDS);
            } finally {
                signal(engine, gate);
            }
            assertThat(device.capabilities().timestamps()).isFalse();
            assertThat(stamp(device)).containsExactly(Long.MIN_VALUE);
            device.close();
            assertThat(engine.messages()).isEmpty();
        }
    }

    /** Plays a queue that is at work for somebody else for a while before some submissions. */
    private static final class BusyQueue extends ForwardingDriver {
        private final IntPredicate busy;
        private int waits;

        BusyQueue(IntPredicate busy) {
            this.busy = busy;
        }

        @Override
        public int waitFence(VkDevice device, long fence, long timeoutNanos) {
            int result = super.waitFence(device, fence, timeoutNanos);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(busy.test(waits++) ? 30 : 0);
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            return result;
        }
    }

    @Test
    void aSampleThatMayHaveWaitedForOtherWorkIsTakenAgain() {
        BusyQueue driver = new BusyQueue(wait -> wait == 0);
        SeamedDevices.open("", options, new DeviceSeams(driver, UNCALIBRATED)).close();
        assertThat(driver.waits).isGreaterThan(1);
    }

    @Test
    void aClockWithoutAnyShortSampleIsUnknown() {
        BusyQueue driver = new BusyQueue(wait -> true);
        try (VulkanDevice device = SeamedDevices.open("", options, new DeviceSeams(driver, UNCALIBRATED))) {
            assertThat(device.capabilities().timestamps()).isFalse();
            assertThat(stamp(device)).containsExactly(Long.MIN_VALUE);
        }
    }
}
