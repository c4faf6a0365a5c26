package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.BindingSet;
import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.GraphicsPipeline;
import io.frameloom.gpu.GraphicsPipelineDescription;
import io.frameloom.gpu.MemoryHeap;
import io.frameloom.gpu.MemoryRequirements;
import io.frameloom.gpu.NoSuchDeviceException;
import io.frameloom.gpu.Pipeline;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.SamplerDescription;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TimestampSet;
import io.frameloom.gpu.ValidationMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;

/**
 * A Vulkan 1.3 device with its own instance. Threads and errors are those of {@link GpuDevice}.
 *
 * <p>Queues: graphics, then asynchronous compute and copy where the device has them. Resources are shared between the
 * families of all queues (concurrent sharing), so no ownership has to be transferred.
 *
 * <p>Closing destroys everything in the reverse order of creation, also what the application forgot, and then reports
 * the forgotten objects. Close every device before the process ends: some drivers crash at exit otherwise.
 */
public final class VulkanDevice implements GpuDevice {
    private final DeviceCore core;
    private final @Nullable ValidationLog validation;
    private final MemoryAllocator memory;
    private final PipelineFactory pipelines;
    private final SamplerCache samplers;
    private final BindingSetPool bindingSets;
    private final DeviceClock clock;
    private final ObserverFeed feed;
    private final QueueDriver driver;
    private final List<VulkanQueue> queues = new ArrayList<>();
    /** What {@link #close} undoes, newest first. */
    private final Deque<Runnable> undo = new ArrayDeque<>();

    private final AtomicBoolean closed = new AtomicBoolean();

    /** Opens the device of an adapter; takes over the instance if it succeeds. */
    VulkanDevice(VulkanInstance instance, VulkanAdapter adapter, DeviceOptions options, DeviceSeams seams) {
        validation = instance.log();
        driver = seams.driver();
        QueuePlan plan = adapter.queues()
                .orElseThrow(() -> new NoSuchDeviceException(
                        adapter.info().name() + " lacks " + adapter.info().missing()));
        try {
            LogicalDevice logical = LogicalDevice.create(adapter, plan, seams.hiddenExtensions());
            VkDevice handle = logical.handle();
            undo.push(() -> VK13.vkDestroyDevice(handle, null));
            core = new DeviceCore(handle, adapter, plan.families(), new DebugNames(handle, instance.debugUtils()));
            memory = new MemoryAllocator(instance.handle(), core);
            undo.push(memory::close);
            pipelines = new PipelineFactory(core, options.programCache());
            undo.push(pipelines::close);
            samplers = new SamplerCache(core);
            undo.push(samplers::close);
            bindingSets = new BindingSetPool(core);
            undo.push(bindingSets::close);
            clock = new DeviceClock(
                    core, logical.calibratedTimestamps(), plan.queues().get(0), driver);
            feed = new ObserverFeed(options.observer());
            for (QueuePlan.Entry entry : plan.queues()) {
                VulkanTimeline timeline = new VulkanTimeline(entry.name(), core, driver, options.taskGraph());
                undo.push(timeline::close);
                timeline.start();
                VulkanQueue queue =
                        new VulkanQueue(entry, queues.size(), core, driver, timeline, options.validation(), feed);
                queues.add(queue);
                undo.push(queue::close);
            }
            queues.forEach(queue -> queue.connect(queues));
            core.loss().standstill(action -> standStill(0, action));
            feed.connect(queues);
        } catch (RuntimeException | Error e) {
            undoAll().forEach(e::addSuppressed);
            throw e;
        }
        undo.addLast(instance::close);
    }

    @Override
    public DeviceCapabilities capabilities() {
        return core.capabilities();
    }

    @Override
    public List<GpuQueue> queues() {
        return List.copyOf(queues);
    }

    @Override
    public Texture createTexture(String name, TextureDescription description) {
        requireOpen();
        return owned(memory.createTexture(name, description));
    }

    @Override
    public Buffer createBuffer(String name, BufferDescription description) {
        requireOpen();
        return owned(memory.createBuffer(name, description));
    }

    @Override
    public MemoryRequirements requirements(TextureDescription description) {
        requireOpen();
        return memory.requirements(description);
    }

    @Override
    public MemoryRequirements requirements(BufferDescription description) {
        requireOpen();
        return memory.requirements(description);
    }

    @Override
    public MemoryHeap createHeap(String name, long bytes, int memoryTypes) {
        requireOpen();
        return owned(new VulkanHeap(core, memory, name, bytes, memoryTypes));
    }

    @Override
    public Sampler sampler(SamplerDescription description) {
        requireOpen();
        return samplers.get(description);
    }

    @Override
    public ComputePipeline createComputePipeline(ComputePipelineDescription description) {
        requireOpen();
        return owned(pipelines.create(description));
    }

    @Override
    public GraphicsPipeline createGraphicsPipeline(GraphicsPipelineDescription description) {
        requireOpen();
        return owned(pipelines.create(description));
    }

    @Override
    public BindingSet createBindingSet(String name, Pipeline pipeline, int set, Map<String, BoundResource> resources) {
        requireOpen();
        return owned(bindingSets.create(name, pipeline, set, resources));
    }

    @Override
    public FrameContext createFrameContext(String name) {
        requireOpen();
        return owned(new VulkanFrameContext(core, memory, feed, queues, name));
    }

    @Override
    public TimestampSet createTimestampSet(String name, int count) {
        requireOpen();
        return owned(new VulkanTimestampSet(core, clock, name, count));
    }

    @Override
    public List<ValidationMessage> validationMessages() {
        return validation == null ? List.of() : validation.messages();
    }

    @Override
    public void waitIdle() {
        requireOpen();
        queues.forEach(queue -> queue.vulkanTimeline().drain());
        core.loss().check();
    }

    /** Does something when the device executes nothing, with nothing being submitted to the queues from a number on. */
    private void standStill(int from, Runnable action) {
        if (from < queues.size()) {
            queues.get(from).exclusively(() -> standStill(from + 1, action));
            return;
        }
        if (driver.waitIdle(core.handle()) != VK13.VK_SUCCESS) {
            queues.forEach(queue -> queue.vulkanTimeline().poll());
        }
        action.run();
    }

    private <T extends DeviceObject> T owned(T object) {
        core.objects().add(object);
        return object;
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException("device '" + core.capabilities().name() + "' is closed");
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        List<RuntimeException> failures = new ArrayList<>();
        int idle = driver.waitIdle(core.handle());
        if (idle != VK13.VK_SUCCESS) {
            core.loss().lose("closing it", idle);
        }
        List<String> forgotten = core.objects().closeAll(failures);
        failures.addAll(undoAll());
        if (!forgotten.isEmpty()) {
            failures.add(
                    0,
                    new IllegalStateException("device '" + core.capabilities().name()
                            + "' was closed before everything on it: " + String.join(", ", forgotten)
                            + "; close these first"));
        }
        if (!failures.isEmpty()) {
            RuntimeException first = failures.get(0);
            failures.subList(1, failures.size()).forEach(first::addSuppressed);
            throw first;
        }
    }

    /** Undoes everything, also what comes behind a failure, and returns the failures. */
    private List<RuntimeException> undoAll() {
        List<RuntimeException> failures = new ArrayList<>();
        while (!undo.isEmpty()) {
            try {
                undo.pop().run();
            } catch (RuntimeException failure) {
                failures.add(failure);
            }
        }
        return failures;
    }
}
