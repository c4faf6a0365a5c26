package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.device.EventCompleter;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.DeviceQueue;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import io.frameloom.gpu.vulkan.driver.UndoStack;
import java.util.ArrayList;
import java.util.List;

/**
 * The queues of a Vulkan device, each with a timeline of its own. They know each other, report to one observer, and
 * stop together. Any thread.
 */
public final class VulkanQueues {
    private final DeviceCore core;
    private final List<VulkanQueue> all;
    private final List<GpuQueue> exposed;
    private final DeviceStandstill standstill;
    private final ExternalValues externalValues = new ExternalValues();

    /**
     * Makes the queues and starts their timelines.
     *
     * @param undo takes what closes each
     */
    public VulkanQueues(
            List<DeviceQueue> opened, DeviceCore core, QueueDriver driver, DeviceOptions options, UndoStack undo) {
        this.core = core;
        List<VulkanQueue> made = new ArrayList<>();
        EventCompleter completer = new EventCompleter("frameloom-gpu-events");
        undo.push(completer::close);
        for (DeviceQueue entry : opened) {
            VulkanTimeline timeline =
                    new VulkanTimeline(entry.plan().name(), core, driver, options.taskGraph(), completer);
            undo.push(timeline::close);
            timeline.start();
            VulkanQueue queue = new VulkanQueue(entry, made.size(), core, driver, timeline, options.validation());
            made.add(queue);
            undo.push(queue::close);
        }
        this.all = List.copyOf(made);
        this.exposed = List.copyOf(made);
        all.forEach(queue -> queue.connect(all));
        this.standstill = new DeviceStandstill(core, driver, all);
        core.loss().standstill(standstill::run);
        core.feed().connect(exposed, index -> all.get(index).vulkanTimeline().reported());
        core.retired().connect(all.stream().map(VulkanQueue::vulkanTimeline).toList());
    }

    public List<VulkanQueue> all() {
        return all;
    }

    /** Returns the queues as users of the device see them. */
    public List<GpuQueue> exposed() {
        return exposed;
    }

    /** Returns the values that submissions signal of an engine's timelines. */
    public ExternalValues externalValues() {
        return externalValues;
    }

    /** Waits until everything submitted is complete; throws if the device is lost. */
    public void awaitIdle() {
        all.forEach(queue -> queue.vulkanTimeline().drain());
        core.loss().check();
    }

    /** Waits for submissions in progress, and for all that was submitted; submissions are refused already. */
    public void finish() {
        standstill.awaitSubmitters();
        standstill.finish();
        standstill.close();
    }
}
