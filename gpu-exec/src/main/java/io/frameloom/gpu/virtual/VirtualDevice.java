package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BindingSet;
import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.DeviceLostException;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.FormatSupport;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.GraphicsPipeline;
import io.frameloom.gpu.GraphicsPipelineDescription;
import io.frameloom.gpu.MemoryHeap;
import io.frameloom.gpu.MemoryRequirements;
import io.frameloom.gpu.MemoryUsage;
import io.frameloom.gpu.Pipeline;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.SamplerDescription;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.SubmissionObserver;
import io.frameloom.gpu.SubmissionRecord;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TimelinePoint;
import io.frameloom.gpu.TimestampSet;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The virtual GPU: a device that needs no driver.
 *
 * <p>It executes submissions on one thread of its own and honours nothing but what was emitted: timeline waits and
 * barriers, with their stages. Whatever they leave unordered runs in an order that an adversary picks by
 * {@link VirtualGpuOptions#seed}; the passes of one queue may run in any order that no barrier forbids, and the commands
 * of one pass stay together in theirs. Equal seeds give equal orders for equal sequences of submissions and waits.
 *
 * <p>Memory is real where it matters: copies, fills, clears and compute passes with a
 * {@link io.frameloom.gpu.CpuKernel} compute bytes. Raster work and other dispatches are simulated: they take time on
 * the simulated clock of their queue ({@link DeviceCapabilities#timestamps} are of that clock, which starts at the
 * submission's {@link System#nanoTime}), and they leave contents derived from the pass and from the contents that it
 * declared to read, so that a wrong order shows in whatever is read back. Fresh memory, placed resources and discarded
 * contents are clobbered. A missing availability or visibility operation is not simulated, only a missing order; the
 * {@linkplain io.frameloom.gpu.check hazard checker} reports both.
 *
 * <p>A kernel that throws loses the device, as a crashing shader does: every pending event fails with a
 * {@link DeviceLostException} that names pass and pipeline and has the failure as its cause, and later submissions throw
 * it.
 *
 * <p>Threads as {@link GpuDevice} says.
 */
public final class VirtualDevice implements GpuDevice {
    /** Alignment of everything: offsets of bindings and of placed resources, sizes of placed resources. */
    static final long ALIGNMENT = 256;

    private static final int MAX_EXTENT = 16_384;
    private static final int MAX_PUSH_CONSTANTS = 256;
    private static final int MAX_INDIRECT_DRAWS = 1 << 20;

    /** What every device allows at least, and draws from buffers without limits. */
    private static final DeviceLimits LIMITS = new DeviceLimits(
            DeviceLimits.minimum().textures(),
            DeviceLimits.minimum().memory(),
            DeviceLimits.minimum().compute(),
            new DeviceLimits.Drawing(8, 32, 8, MAX_INDIRECT_DRAWS, true, true));

    private final TaskGraph taskGraph;
    private final @Nullable SubmissionObserver observer;
    private final List<VirtualQueue> queues;
    private final VirtualExecutor executor;
    private final ShaderCompiler shaders;
    private final boolean ownsShaders;
    private final Map<SamplerDescription, Sampler> samplers = new ConcurrentHashMap<>();
    private final Map<Object, String> open = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable DeviceLostException> lost = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private VirtualDevice(
            VirtualGpuOptions virtual, DeviceOptions options, ShaderCompiler shaders, boolean ownsShaders) {
        this.shaders = shaders;
        this.ownsShaders = ownsShaders;
        this.taskGraph = options.taskGraph();
        this.observer = options.observer();
        List<VirtualQueue> all = new ArrayList<>();
        for (int i = 0; i < virtual.queues(); i++) {
            boolean copy = i >= 2 && i == virtual.queues() - 1;
            QueueKind kind = i == 0 ? QueueKind.GRAPHICS : copy ? QueueKind.COPY : QueueKind.COMPUTE;
            String name = i == 0 ? "graphics" : copy ? "copy" : i == 1 ? "compute" : "compute" + i;
            all.add(new VirtualQueue(this, name, i, kind, family(kind)));
        }
        this.queues = List.copyOf(all);
        this.executor = new VirtualExecutor(this, virtual.seed());
    }

    private static int family(QueueKind kind) {
        return switch (kind) {
            case GRAPHICS -> 0;
            case COMPUTE -> 1;
            case COPY -> 2;
        };
    }

    /**
     * Opens a virtual device. It has one graphics queue, then compute queues; the last of three or more is a copy queue.
     * Each kind of queue is a family of its own.
     *
     * @param virtual queues and seed
     * @param options as for any device; validation has nothing to load here and is ignored
     */
    public static VirtualDevice open(VirtualGpuOptions virtual, DeviceOptions options) {
        return new VirtualDevice(virtual, options, new ShaderCompiler(options.programCache()), true);
    }

    /** Opens a device that compiles with a compiler that outlives it, for the many short-lived devices of tests. */
    static VirtualDevice open(VirtualGpuOptions virtual, DeviceOptions options, ShaderCompiler shared) {
        return new VirtualDevice(virtual, options, shared, false);
    }

    @Override
    public DeviceCapabilities capabilities() {
        return new DeviceCapabilities(
                "Frameloom virtual GPU",
                DeviceKind.SIMULATED,
                "simulated, " + queues.size() + " queues",
                false,
                false,
                MAX_EXTENT,
                Integer.MAX_VALUE,
                (int) ALIGNMENT,
                (int) ALIGNMENT,
                MAX_PUSH_CONSTANTS,
                1,
                LIMITS);
    }

    @Override
    public List<GpuQueue> queues() {
        return List.copyOf(queues);
    }

    @Override
    public FormatSupport formatSupport(Format format) {
        return VirtualFormats.support(format);
    }

    @Override
    public Texture createTexture(String name, TextureDescription description) {
        checkUsable();
        MemoryRequirements needs = requirements(description);
        long stamp = Mix.mix(0xC10BBE2EDL, name);
        return new VirtualTexture(this, name, description, VirtualMemory.device(name, needs.bytes(), stamp), null);
    }

    @Override
    public Buffer createBuffer(String name, BufferDescription description) {
        checkUsable();
        if (description.memory() != MemoryUsage.DEVICE) {
            return createMapped(name, description);
        }
        long stamp = Mix.mix(0xC10BBE2EDL, name);
        return new VirtualBuffer(this, name, description, VirtualMemory.device(name, description.bytes(), stamp), null);
    }

    VirtualBuffer createMapped(String name, BufferDescription description) {
        long stamp = Mix.mix(0xC10BBE2EDL, name);
        return new VirtualBuffer(this, name, description, VirtualMemory.mapped(name, description.bytes(), stamp), null);
    }

    @Override
    public MemoryRequirements requirements(TextureDescription description) {
        if (Math.max(description.width(), description.height()) > MAX_EXTENT) {
            throw new IllegalArgumentException("a texture of " + description.width() + "x" + description.height()
                    + " exceeds the limit of " + MAX_EXTENT + " texels of the virtual device");
        }
        return new MemoryRequirements(roundUp(VirtualTexture.bytes(description)), ALIGNMENT, 1);
    }

    @Override
    public MemoryRequirements requirements(BufferDescription description) {
        return new MemoryRequirements(roundUp(description.bytes()), ALIGNMENT, 1);
    }

    @Override
    public MemoryHeap createHeap(String name, long bytes, int memoryTypes) {
        checkUsable();
        if (bytes < 1 || (memoryTypes & 1) == 0) {
            throw new IllegalArgumentException("heap '" + name + "' needs at least 1 byte and memory type 0, got "
                    + bytes + " bytes of types " + Integer.toBinaryString(memoryTypes));
        }
        return new VirtualHeap(this, name, bytes);
    }

    @Override
    public Sampler sampler(SamplerDescription description) {
        return samplers.computeIfAbsent(description, VirtualSampler::new);
    }

    @Override
    public ComputePipeline createComputePipeline(ComputePipelineDescription description) {
        checkUsable();
        PipelineInterface used = new PipelineInterface(
                description.name(),
                List.of(shaders.compile(description.shader()).reflection()));
        checkPushConstants(description.name(), used);
        return new VirtualComputePipeline(this, description, used);
    }

    @Override
    public GraphicsPipeline createGraphicsPipeline(GraphicsPipelineDescription description) {
        checkUsable();
        List<io.frameloom.gpu.shader.ShaderReflection> stages = new ArrayList<>();
        stages.add(shaders.compile(description.vertexShader()).reflection());
        if (description.fragmentShader() != null) {
            stages.add(shaders.compile(description.fragmentShader()).reflection());
        }
        PipelineInterface used = new PipelineInterface(description.name(), stages);
        checkPushConstants(description.name(), used);
        return new VirtualGraphicsPipeline(this, description, used);
    }

    private static void checkPushConstants(String pipeline, PipelineInterface used) {
        if (used.pushConstantBytes() > MAX_PUSH_CONSTANTS) {
            throw new IllegalArgumentException("pipeline '" + pipeline + "' has " + used.pushConstantBytes()
                    + " bytes of push constants, the virtual device takes " + MAX_PUSH_CONSTANTS);
        }
    }

    @Override
    public BindingSet createBindingSet(String name, Pipeline pipeline, int set, Map<String, BoundResource> resources) {
        checkUsable();
        if (!(pipeline instanceof VirtualPipeline own) || own.device() != this) {
            throw new IllegalArgumentException(
                    "binding set '" + name + "' is made for pipeline '" + pipeline.name() + "' of another device");
        }
        resources.forEach((binding, resource) -> {
            own.shaders().check(binding, resource);
            ShaderBinding found = own.shaders().find(binding);
            if (found != null && found.set() != set) {
                throw new IllegalArgumentException("binding set '" + name + "' fills set " + set + ", but '" + binding
                        + "' of pipeline '" + pipeline.name() + "' is in set " + found.set());
            }
        });
        for (ShaderBinding binding : pipeline.bindings()) {
            if (binding.set() == set && !resources.containsKey(binding.name())) {
                throw new IllegalArgumentException("binding set '" + name + "' misses '" + binding.name() + "' of set "
                        + set + " of pipeline '" + pipeline.name() + "'");
            }
        }
        return new VirtualBindingSet(this, name, set, resources);
    }

    @Override
    public FrameContext createFrameContext(String name) {
        checkUsable();
        return new VirtualFrameContext(this, name);
    }

    @Override
    public TimestampSet createTimestampSet(String name, int count) {
        checkUsable();
        return new VirtualTimestampSet(this, name, count);
    }

    @Override
    public List<ValidationMessage> validationMessages() {
        return List.of();
    }

    /**
     * Tells {@code listener} what is executed, in order, as {@code queue:pass / command}; null for nobody. Called on the
     * thread of the virtual GPU, from the next submission on.
     */
    public void onExecuted(@Nullable Consumer<String> listener) {
        executor.post(graph -> graph.listener(listener));
    }

    @Override
    public void waitIdle() {
        checkUsable();
        for (VirtualQueue queue : queues) {
            queue.timeline().awaitForever(queue.timeline().submitted());
        }
    }

    /**
     * Finishes pending work and destroys the device and everything still open; a second call does nothing.
     *
     * @throws IllegalStateException naming what was still open
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        for (VirtualQueue queue : queues) {
            executor.demand(queue, queue.timeline().submitted());
        }
        executor.stop();
        if (ownsShaders) {
            shaders.close();
        }
        if (!open.isEmpty()) {
            List<String> names = open.values().stream().sorted().toList();
            open.clear();
            throw new IllegalStateException(
                    "the virtual device was closed while still open: " + names + "; close them first");
        }
    }

    TaskGraph taskGraph() {
        return taskGraph;
    }

    VirtualExecutor executor() {
        return executor;
    }

    void opened(Object thing, String name) {
        open.put(thing, name);
    }

    void closed(Object thing) {
        open.remove(thing);
    }

    void checkUsable() {
        if (closed.get()) {
            throw new IllegalStateException("the virtual device is used after it was closed");
        }
        DeviceLostException failure = lost.get();
        if (failure != null) {
            throw failure;
        }
    }

    boolean isLost() {
        return lost.get() != null;
    }

    void lose(Throwable cause) {
        DeviceLostException failure = new DeviceLostException(
                "the virtual device is lost: " + cause.getMessage() + "; close it and open a new one");
        failure.initCause(cause);
        if (lost.compareAndSet(null, failure)) {
            queues.forEach(queue -> queue.timeline().lose(failure));
        }
    }

    /** Tells the observer what the host has seen complete, and then of a submission. Submitting thread. */
    void observe(Supplier<SubmissionRecord> submission) {
        if (observer == null) {
            return;
        }
        for (VirtualQueue queue : queues) {
            long seen = queue.timeline().takeNewlySeen();
            if (seen > 0) {
                observer.hostWaited(new TimelinePoint(queue, seen));
            }
        }
        observer.submitted(submission.get());
    }

    private static long roundUp(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
