package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualExternalTimeline;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreSignalInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;

/** Each thread that waits long for a device is told for which queue, and what that waits for. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongWaitContractTest {
    private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();
    private final TaskGraph tasks = TaskGraph.builder()
            .name("long")
            .workers(1)
            .stallWatchdog(Duration.ofMillis(50), (thread, waited, why) -> reports.add(why.toString()))
            .build();

    @AfterEach
    void close() {
        tasks.close();
    }

    /** A device, one of its queues or two, and a timeline of the application's. */
    private final class Scene {
        final GpuDevice device;
        final ExternalTimeline timeline;
        final LongConsumer signal;
        final Runnable destroy;

        Scene(Backend backend) {
            if (backend == Backend.VULKAN) {
                ValidatedDevice.assumeDriver();
            }
            // The validation layer holds a lock while it waits, which the signal would wait for.
            DeviceOptions options = new DeviceOptions(tasks, "long", false, null);
            device = backend == Backend.VIRTUAL
                    ? VirtualDevice.open(new VirtualGpuOptions(3, 1), options)
                    : VulkanDevices.open("", options);
            if (device instanceof VirtualDevice virtual) {
                VirtualExternalTimeline made = virtual.createExternalTimeline("T");
                timeline = made;
                signal = made::signal;
                destroy = () -> {};
            } else {
                VulkanDevice vulkan = (VulkanDevice) device;
                VkDevice handle = vulkan.handles().device();
                long semaphore = semaphore(handle);
                timeline = vulkan.importTimeline("T", semaphore);
                signal = value -> signal(handle, semaphore, value);
                destroy = () -> VK13.vkDestroySemaphore(handle, semaphore, null);
            }
        }

        TimelinePoint submit(GpuQueue queue, String label, List<Submission.Wait> waits, long awaited) {
            List<ExternalPoint> external = awaited == 0 ? List.of() : List.of(ExternalPoint.of(timeline, awaited));
            return queue.submit(new Submission(label, List.of(), waits).with(external, List.of()));
        }

        /** Waits until somebody is told and then lets the device go on. */
        Thread signalWhenReported(long value) {
            Thread thread = new Thread(() -> {
                while (reports.isEmpty()) {
                    Thread.onSpinWait();
                }
                signal.accept(value);
            });
            thread.start();
            return thread;
        }
    }

    private static long semaphore(VkDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            VkSemaphoreTypeCreateInfo type = VkSemaphoreTypeCreateInfo.calloc(stack)
                    .sType$Default()
                    .semaphoreType(VK13.VK_SEMAPHORE_TYPE_TIMELINE);
            VK13.vkCreateSemaphore(
                    device, VkSemaphoreCreateInfo.calloc(stack).sType$Default().pNext(type), null, out);
            return out.get(0);
        }
    }

    private static void signal(VkDevice device, long semaphore, long value) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VK13.vkSignalSemaphore(
                    device,
                    VkSemaphoreSignalInfo.calloc(stack)
                            .sType$Default()
                            .semaphore(semaphore)
                            .value(value));
        }
    }

    private String report() throws InterruptedException {
        String report = reports.poll(30, TimeUnit.SECONDS);
        assertThat(report).isNotNull();
        return report;
    }

    @ParameterizedTest
    @EnumSource
    void aWaitForAllOrForAPointSaysWhatTheQueueWaitsFor(Backend backend) throws InterruptedException {
        Scene scene = new Scene(backend);
        try (GpuDevice device = scene.device) {
            GpuQueue queue = device.queues().get(0);
            scene.submit(queue, "first", List.of(), 0);
            TimelinePoint held = scene.submit(queue, "held", List.of(), 5);
            Thread signalling = scene.signalWhenReported(5);
            queue.timeline().await(held.value(), Duration.ofDays(1));
            signalling.join();
            assertThat(report())
                    .contains(
                            "'graphics@2' is completed by the device: queue 'graphics' has not reached 2, it is at 1;")
                    .contains("its submission 'held' waits for timeline 'T' to reach 5");

            reports.clear();
            scene.submit(queue, "again", List.of(), 7);
            signalling = scene.signalWhenReported(7);
            device.waitIdle();
            signalling.join();
            assertThat(report()).contains("its submission 'again' waits for timeline 'T' to reach 7");
            assertThat(queue.timeline().await(3, Duration.ZERO)).isTrue();
            scene.destroy.run();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anEventSaysWhatItsQueueWaitsForThroughAnother(Backend backend) {
        Scene scene = new Scene(backend);
        try (GpuDevice device = scene.device) {
            GpuQueue first = device.queues().get(0);
            GpuQueue last = device.queues().get(device.queues().size() - 1);
            TimelinePoint held = scene.submit(first, "held", List.of(), 5);
            TimelinePoint follows = scene.submit(
                    last, "follows", List.of(new Submission.Wait(held, PipelineStage.ALL_COMMANDS.bit())), 0);
            GraphEvent done = last.timeline().reached(follows.value());
            GraphEvent frame = tasks.task("frame", () -> {}).after(done).dispatch();
            assertThat(frame.explain().toString())
                    .contains("queue '" + last.name() + "' has not reached " + follows.value())
                    .contains("its submission 'held' waits for timeline 'T' to reach 5")
                    .doesNotContain("trigger()");
            scene.signal.accept(5);
            frame.await();
            scene.destroy.run();
        }
    }

    /** More than is remembered: the oldest that is pending is not known any more. */
    @ParameterizedTest
    @EnumSource
    void manySubmissionsAreNotKept(Backend backend) {
        Scene scene = new Scene(backend);
        try (GpuDevice device = scene.device) {
            GpuQueue queue = device.queues().get(0);
            scene.submit(queue, "held", List.of(), 5);
            GraphEvent done = queue.timeline().reached(1);
            assertThat(done.explain().toString()).contains("its submission 'held' waits");
            for (int i = 0; i < 100; i++) {
                scene.submit(queue, "more", List.of(), 0);
            }
            assertThat(done.explain().toString()).endsWith("queue 'graphics' has not reached 1, it is at 0");
            scene.signal.accept(5);
            done.await();
            device.waitIdle();
            scene.destroy.run();
        }
    }
}
