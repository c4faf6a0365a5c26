package io.frameloom.benchmarks.gpu;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;

/**
 * Measures the time from the submission of nothing until the host knows that it is complete, in every way there is, one
 * after the other in each round, so that all meet the same disturbances. The first way is the driver's own and is what the
 * others are compared with.
 */
final class CompletionLatency {
    private static final Submission NOTHING = new Submission("nothing", List.of(), List.of());
    private static final Duration LONG = Duration.ofSeconds(30);

    private final VulkanDevice device;
    private final TaskGraph tasks;
    private final GpuQueue queue;
    private final GpuTimeline timeline;
    private final long semaphore;

    /** Written by the task that is behind an event, read after its completion. */
    private long bodyAt;

    CompletionLatency(VulkanDevice device, TaskGraph tasks) {
        this.device = device;
        this.tasks = tasks;
        this.queue = device.queues().get(0);
        this.timeline = queue.timeline();
        this.semaphore = device.handles().timeline(queue);
    }

    List<Latencies> measure(int warmUp, int rounds) {
        List<Latencies> all = List.of(
                new Latencies("vkWaitSemaphores", Math.max(warmUp, rounds)),
                new Latencies("GpuTimeline.await", Math.max(warmUp, rounds)),
                new Latencies("event, awaited", Math.max(warmUp, rounds)),
                new Latencies("event, task behind it", Math.max(warmUp, rounds)));
        run(all, warmUp);
        all.forEach(Latencies::clear);
        run(all, rounds);
        return all;
    }

    private void run(List<Latencies> all, int rounds) {
        for (int i = 0; i < rounds; i++) {
            all.get(0).add(bare());
            all.get(1).add(awaited());
            all.get(2).add(event());
            all.get(3).add(task());
        }
    }

    private long bare() {
        long start = System.nanoTime();
        long value = queue.submit(NOTHING).value();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkSemaphoreWaitInfo info = VkSemaphoreWaitInfo.calloc(stack)
                    .sType$Default()
                    .semaphoreCount(1)
                    .pSemaphores(stack.longs(semaphore))
                    .pValues(stack.longs(value));
            int result = VK13.vkWaitSemaphores(device.handles().device(), info, LONG.toNanos());
            if (result != VK13.VK_SUCCESS) {
                throw new GpuException("vkWaitSemaphores returned " + result);
            }
        }
        return System.nanoTime() - start;
    }

    private long awaited() {
        long start = System.nanoTime();
        require(timeline.await(queue.submit(NOTHING).value(), LONG));
        return System.nanoTime() - start;
    }

    private long event() {
        long start = System.nanoTime();
        require(timeline.reached(queue.submit(NOTHING).value()).await(LONG));
        return System.nanoTime() - start;
    }

    private long task() {
        long start = System.nanoTime();
        GraphEvent body = tasks.task("behind", () -> bodyAt = System.nanoTime())
                .after(timeline.reached(queue.submit(NOTHING).value()))
                .dispatch();
        require(body.await(LONG));
        return bodyAt - start;
    }

    private static void require(boolean inTime) {
        if (!inTime) {
            throw new GpuException("the device did not answer within " + LONG);
        }
    }
}
