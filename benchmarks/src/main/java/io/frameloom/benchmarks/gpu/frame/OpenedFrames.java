package io.frameloom.benchmarks.gpu.frame;

import io.frameloom.benchmarks.gpu.plain.PlainValidation;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** Ways to make frames of one shape, each with a Vulkan device of its own of one physical device. One thread. */
final class OpenedFrames implements AutoCloseable {
    private final FrameShape shape;
    private final String device;
    private final boolean validate;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final List<Supplier<List<String>>> messages = new ArrayList<>();

    /**
     * @param device UUID of the physical device
     * @param validate whether validation layers listen
     */
    OpenedFrames(FrameShape shape, String device, boolean validate) {
        this.shape = shape;
        this.device = device;
        this.validate = validate;
    }

    Frames plain() {
        PlainValidation validation = null;
        if (validate) {
            validation = own(new PlainValidation());
            messages.add(validation::messages);
        }
        return own(new PlainFrames(shape, device, validation));
    }

    /**
     * A graph on a device and task graph of its own: a device has one executor.
     *
     * @param recording who records and submits
     * @param again whether each frame is declared into the graph of the one before
     * @param checks whether command lists check what they are given
     */
    Frames graph(
            String name, int workers, IdlePolicy idle, FrameExecutorOptions recording, boolean again, boolean checks) {
        TaskGraph tasks = own(
                TaskGraph.builder().name(name).workers(workers).idlePolicy(idle).build());
        tasks.start(NamedThread.RHI);
        DeviceOptions options = new DeviceOptions(tasks, "Frameloom bench", validate, null).withChecks(checks);
        VulkanDevice gpu = own(VulkanDevices.open(device, options));
        if (validate) {
            messages.add(
                    () -> gpu.validationMessages().stream().map(String::valueOf).toList());
        }
        return own(new GraphFrames(name, shape, gpu, tasks, recording, again));
    }

    private <T extends AutoCloseable> T own(T thing) {
        opened.push(thing);
        return thing;
    }

    /** Returns what validation layers have said so far. */
    List<String> messages() {
        return messages.stream().flatMap(log -> log.get().stream()).toList();
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException("cannot close what was measured", e);
            }
        }
    }
}
