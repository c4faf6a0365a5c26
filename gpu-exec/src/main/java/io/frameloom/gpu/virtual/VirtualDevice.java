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
import io.frameloom.gpu.MemoryStatistics;
import io.frameloom.gpu.MemoryStatistics.Allocation;
import io.frameloom.gpu.MemoryStatistics.Kind;
import io.frameloom.gpu.MemoryUsage;
import io.frameloom.gpu.Pipeline;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.SamplerDescription;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.SubmissionObserver;
import io.frameloom.gpu.SubmissionRecord;
import io.frameloom.gpu.Surface;
import io.frameloom.gpu.Swapchain;
import io.frameloom.gpu.SwapchainDescription;
import io.frameloom.gpu.SwapchainStatus;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TimelinePoint;
import io.frameloom.gpu.TimestampSet;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.internal.CreationSites;
import io.frameloom.gpu.internal.ResourceLimits;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The virtual GPU: a device that needs no driver.
 *
 * <p>It executes submissions on one thread of its own and honours nothing but what was emitted: timeline waits and
 * barriers, with their stages. Whatever they leave unordered runs in an {@linkplain VirtualGpuOptions.Order order} that
 * by default an adversary picks by {@link VirtualGpuOptions#seed}; the passes of one queue may run in any order that no
 * barrier forbids and their commands between each other, and the commands of one pass stay in theirs. Equal options give
 * equal orders for equal sequences of submissions and waits; a wait is a call that asks the timeline for a value, by
 * whichever thread, so a program that wants to repeat an order asks on its submitting thread.
 *
 * <p>Memory is real where it matters: copies, fills, clears and compute passes with a
 * {@link io.frameloom.gpu.CpuKernel} compute bytes. Raster work and other dispatches are simulated: they take time on
 * the simulated clock of their queue ({@link DeviceCapabilities#timestamps} are of that clock, which starts at the
 * submission's {@link System#nanoTime}), and they leave contents derived from the pass and from the contents that it
 * declared to read, so that a wrong order shows in whatever is read back. Fresh memory, memory where a resource was placed
 * or closed and that no other one holds, and discarded contents are clobbered, unless the options say otherwise. A missing availability or visibility operation is not simulated, only a missing order; the
 * {@linkplain io.frameloom.gpu.check hazard checker} reports both.
 *
 * <p>A kernel that throws loses the device, as a crashing shader does: every pending event fails with a
 * {@link DeviceLostException} that names pass and pipeline and has the failure as its cause, and later submissions throw
 * it.
 *
 * <p>The options can also lose the device or refuse memory at a chosen place, so that an application can test what it
 * does then.
 *
 * <p>Threads as {@link GpuDevice} says.
 */
public final class VirtualDevice implements GpuDevice {
    /** Alignment of everything: offsets of bindings and of placed resources, sizes of placed resources. */
    static final long ALIGNMENT = 256;

    private static final int MAX_EXTENT = 16_384;
    private static final int MAX_PUSH_CONSTANTS = 256;
    private static final int MAX_INDIRECT_DRAWS = 1 << 20;

    /** Those of a desktop GPU, but for what the virtual device holds in one piece. */
    private static final DeviceLimits LIMITS = new DeviceLimits(
            new DeviceLimits.Textures(2048, MAX_EXTENT, 2048, 0b1111, 0b1111),
            new DeviceLimits.Memory(1L << 40, 1L << 40, 4096, 65_536),
            new DeviceLimits.Compute(
                    new DeviceLimits.Groups(Integer.MAX_VALUE, 65_535, 65_535),
                    new DeviceLimits.Groups(1024, 1024, 64),
                    1024,
                    49_152,
                    32,
                    32,
                    32),
            new DeviceLimits.Drawing(8, 32, 8, MAX_INDIRECT_DRAWS, true, true));

    private final TaskGraph taskGraph;
    private final @Nullable SubmissionObserver observer;
    private final boolean creationSites;
    private final VirtualBudget memory;
    private final List<VirtualQueue> queues;
    private final VirtualExecutor executor;
    private final ShaderCompiler shaders;
    private final boolean ownsShaders;
    private final VirtualAllocator allocator;
    private final @Nullable SurfaceFault surfaceFault;
    private final AtomicLong presentations = new AtomicLong();
    private final Map<SamplerDescription, Sampler> samplers = new ConcurrentHashMap<>();
    private final Map<Object, String> open = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable DeviceLostException> lost = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    /** What {@link #once} has found out. */
    private final Map<Class<?>, Object> facts = new ConcurrentHashMap<>();

    private VirtualDevice(
            VirtualGpuOptions virtual, DeviceOptions options, ShaderCompiler shaders, boolean ownsShaders) {
        this.shaders = shaders;
        this.ownsShaders = ownsShaders;
        this.taskGraph = options.taskGraph();
        this.observer = options.observer();
        this.creationSites = options.creationSites();
        this.memory = new VirtualBudget(options.memoryLimit());
        List<VirtualQueue> all = new ArrayList<>();
        for (int i = 0; i < virtual.queues(); i++) {
            boolean copy = i >= 2 && i == virtual.queues() - 1;
            QueueKind kind = i == 0 ? QueueKind.GRAPHICS : copy ? QueueKind.COPY : QueueKind.COMPUTE;
            String name = i == 0 ? "graphics" : copy ? "copy" : i == 1 ? "compute" : "compute" + i;
            all.add(new VirtualQueue(this, name, i, kind, family(kind)));
        }
        this.queues = List.copyOf(all);
        this.allocator = new VirtualAllocator(virtual);
        this.surfaceFault = virtual.surfaceFault();
        this.executor = new VirtualExecutor(this, virtual);
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
     * @param virtual how it behaves
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
                true,
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
        ResourceLimits.check(name, description, capabilities());
        long bytes = requirements(description).bytes();
        return memory.allocate(
                "create texture '" + name + "'",
                new Allocation(name, Kind.TEXTURE, 0, bytes),
                () -> new VirtualTexture(this, name, description, allocate("texture", name, bytes), null));
    }

    VirtualTexture createSwapchainTexture(String name, TextureDescription description) {
        ResourceLimits.check(name, description, capabilities());
        long bytes = requirements(description).bytes();
        VirtualTexture texture = memory.allocate(
                "create texture '" + name + "'",
                new Allocation(name, Kind.TEXTURE, 0, bytes),
                () -> VirtualTexture.ofSwapchain(this, name, description, allocate("texture", name, bytes)));
        // Whoever forgets the swapchain is told of that alone.
        open.remove(texture);
        return texture;
    }

    @Override
    public Buffer createBuffer(String name, BufferDescription description) {
        checkUsable();
        return createOwn(name, description);
    }

    VirtualBuffer createOwn(String name, BufferDescription description) {
        ResourceLimits.check(name, description, capabilities());
        long bytes = description.bytes();
        return memory.allocate(
                "create buffer '" + name + "'",
                new Allocation(name, Kind.of(description), 0, bytes),
                () -> new VirtualBuffer(this, name, description, memoryOf(name, description), null));
    }

    private VirtualMemory memoryOf(String name, BufferDescription description) {
        if (description.memory() == MemoryUsage.DEVICE) {
            return allocate("buffer", name, description.bytes());
        }
        return allocator.mapped("buffer", name, description.bytes());
    }

    /** Returns fresh device memory. */
    VirtualMemory allocate(String what, String name, long bytes) {
        return allocator.device(what, name, bytes);
    }

    /** Returns whether undefined memory is filled with garbage. */
    boolean clobbers() {
        return allocator.clobbers();
    }

    /** Leaves garbage in memory that nothing holds, behind what was submitted so far. */
    void clobber(VirtualMemory range, long offset, long bytes) {
        if (allocator.clobbers()) {
            executor.post(graph -> allocator.clobber(range, offset, bytes));
        }
    }

    @Override
    public MemoryRequirements requirements(TextureDescription description) {
        ResourceLimits.check("of the description", description, capabilities());
        return new MemoryRequirements(roundUp(VirtualTexture.bytes(description)), ALIGNMENT, 1);
    }

    @Override
    public MemoryRequirements requirements(BufferDescription description) {
        return new MemoryRequirements(roundUp(description.bytes()), ALIGNMENT, 1);
    }

    @Override
    public MemoryHeap createHeap(String name, long bytes, int memoryTypes) {
        checkUsable();
        ResourceLimits.checkHeap(name, bytes, capabilities());
        if ((memoryTypes & 1) == 0) {
            throw new IllegalArgumentException("heap '" + name + "' needs at least 1 memory type, got none of the "
                    + "device's in " + Integer.toBinaryString(memoryTypes));
        }
        return memory.allocate(
                "allocate heap '" + name + "'",
                new Allocation(name, Kind.HEAP, 0, bytes),
                () -> new VirtualHeap(this, name, bytes));
    }

    @Override
    public Sampler sampler(SamplerDescription description) {
        return samplers.computeIfAbsent(description, VirtualSampler::new);
    }

    @Override
    public ComputePipeline createComputePipeline(ComputePipelineDescription description) {
        checkUsable();
        PipelineInterface used =
                new PipelineInterface(description.name(), PipelineShaders.of(shaders, description, MAX_PUSH_CONSTANTS));
        return new VirtualComputePipeline(this, description, used);
    }

    @Override
    public GraphicsPipeline createGraphicsPipeline(GraphicsPipelineDescription description) {
        checkUsable();
        PipelineInterface used =
                new PipelineInterface(description.name(), PipelineShaders.of(shaders, description, MAX_PUSH_CONSTANTS));
        return new VirtualGraphicsPipeline(this, description, used);
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
        ResourceLimits.checkTimestamps(name, count);
        return new VirtualTimestampSet(this, name, count);
    }

    /** Makes a surface that shows nothing and keeps the newest image; its swapchains have its extent. */
    @Override
    public VirtualSurface createHeadlessSurface(String name, int width, int height) {
        checkUsable();
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("surface '" + name + "' is at least 1x1, got " + width + "x" + height);
        }
        return new VirtualSurface(this, name, width, height);
    }

    @Override
    public Swapchain createSwapchain(String name, Surface surface, SwapchainDescription description) {
        checkUsable();
        if (!(surface instanceof VirtualSurface ours) || !ours.belongsTo(this)) {
            throw new IllegalArgumentException(
                    "surface '" + surface.name() + "' of swapchain '" + name + "' is of another device");
        }
        return new VirtualSwapchain(this, name, ours, description);
    }

    /** Returns what the next presentation is to be answered with. */
    SwapchainStatus nextPresentation() {
        SurfaceFault fault = surfaceFault;
        boolean now = presentations.incrementAndGet() == (fault == null ? 0 : fault.presentation());
        return fault != null && now ? fault.status() : SwapchainStatus.OK;
    }

    /** Waits until everything submitted is done, or the device is lost. */
    void finishPending() {
        try {
            for (VirtualQueue queue : queues) {
                queue.timeline().awaitForever(queue.timeline().submitted());
            }
        } catch (DeviceLostException gone) {
            // Nothing is executed any more, which is all that is waited for.
            return;
        }
    }

    boolean isClosed() {
        return closed.get();
    }

    @Override
    public <T> T once(Class<T> type, Function<? super GpuDevice, ? extends T> maker) {
        return type.cast(facts.computeIfAbsent(type, missing -> maker.apply(this)));
    }

    @Override
    public MemoryStatistics memoryStatistics() {
        checkUsable();
        return memory.statistics();
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
        // Under the lock of submissions: one that finds the device open comes before the end.
        synchronized (this) {
            if (!closed.compareAndSet(false, true)) {
                return;
            }
            for (VirtualQueue queue : queues) {
                executor.demand(queue, queue.timeline().submitted());
            }
            executor.stop();
        }
        executor.join();
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

    @Override
    public TaskGraph taskGraph() {
        return taskGraph;
    }

    VirtualExecutor executor() {
        return executor;
    }

    void opened(Object thing, String name) {
        open.put(thing, creationSites ? name + " created at " + CreationSites.current() : name);
    }

    void closed(Object thing) {
        open.remove(thing);
        memory.free(thing);
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
