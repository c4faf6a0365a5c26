package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.device.ClosingFailures;
import io.frameloom.gpu.device.DeviceGate;
import io.frameloom.gpu.device.GpuProperties;
import io.frameloom.gpu.device.LruBytes;
import io.frameloom.gpu.device.NativeLibrary;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.Closings;
import io.frameloom.gpu.record.DeviceObject;
import io.frameloom.gpu.record.ObjectRegistry;
import io.frameloom.gpu.record.PipelineLimits;
import io.frameloom.gpu.record.ResourceLimits;
import io.frameloom.gpu.record.StructureRules;
import io.frameloom.gpu.record.TableRules;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.virtual.SurfaceFault;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The virtual GPU: its parts, and what it makes. */
public final class SimulatedDevice implements VirtualDevice, BindingRules.Owner {
    /** Whether the log has explained simulated work. One for all virtual devices, since tests open thousands. */
    private static final AtomicBoolean TOLD_OF_SIMULATED = new AtomicBoolean();

    private static final int MOST_SAMPLERS = 1024;

    private final String application;
    private final VirtualQueues queuing;
    private final VirtualResources resources;
    private final ObjectRegistry objects;
    private final Closings closings = new Closings();
    private final DeviceCapabilities capabilities;
    private final DeviceGate gate;
    private final PipelineLimits pipelineLimits;
    private final ShaderCompiler shaders;
    private final boolean ownsShaders;
    private final @Nullable SurfaceFault surfaceFault;
    private final AtomicLong presentations = new AtomicLong();
    /** It stays usable when it is forgotten, and is equal to a new one of the same description. */
    private final LruBytes<SamplerDescription, VirtualSampler> samplers = new LruBytes<>(MOST_SAMPLERS, sampler -> 1);

    /** The results of {@link #once}. */
    private final Map<Class<?>, Object> facts = new ConcurrentHashMap<>();

    private SimulatedDevice(
            VirtualGpuOptions virtual, DeviceOptions options, ShaderCompiler shaders, boolean ownsShaders) {
        this.application = options.applicationName();
        this.shaders = shaders;
        this.ownsShaders = ownsShaders;
        this.surfaceFault = virtual.surfaceFault();
        this.capabilities = VirtualCapabilities.of(virtual.queueCount(), virtual.lazyMemory(), options);
        this.gate = new DeviceGate(capabilities.name());
        this.pipelineLimits = new PipelineLimits(capabilities, VirtualFormats::support);
        this.objects = new ObjectRegistry(options.creationSites());
        this.queuing = new VirtualQueues(this, virtual, options);
        this.resources = new VirtualResources(this, virtual, options.memoryLimit());
    }

    public static SimulatedDevice open(VirtualGpuOptions virtual, DeviceOptions options) {
        DeviceOptions wanted = options.withSystemProperties();
        NativeLibrary.require(NativeLibrary.LWJGL, NativeLibrary.SHADERC, NativeLibrary.SPVC);
        if (GpuProperties.wantsValidation()) {
            log().log(
                            System.Logger.Level.WARNING,
                            "device of ''{0}'': the virtual GPU has no validation layer to turn on;"
                                    + " frameloom.gpu.hazardChecker=true judges what it is given",
                            wanted.applicationName());
        }
        requireCapabilities(wanted);
        return new SimulatedDevice(virtual, wanted, new ShaderCompiler(wanted.programCache()), true);
    }

    /** Opens a device that compiles with a compiler that outlives it, for the many short-lived devices of tests. */
    public static SimulatedDevice open(VirtualGpuOptions virtual, DeviceOptions options, ShaderCompiler shared) {
        DeviceOptions wanted = options.withSystemProperties();
        requireCapabilities(wanted);
        return new SimulatedDevice(virtual, wanted, shared, false);
    }

    private static void requireCapabilities(DeviceOptions options) {
        Set<Capability> missing = EnumSet.noneOf(Capability.class);
        missing.addAll(options.required());
        missing.removeAll(VirtualCapabilities.SIMULATED);
        if (!missing.isEmpty()) {
            throw new NoSuchDeviceException("the virtual GPU does not simulate " + Capability.list(missing)
                    + ", required by '" + options.applicationName() + "'; of capabilities, it has "
                    + Capability.list(VirtualCapabilities.SIMULATED)
                    + "; open a Vulkan device, or prefer them and do without");
        }
    }

    private static System.Logger log() {
        return System.getLogger("io.frameloom.gpu");
    }

    /** Logs once in a process that the host sees no picture and no result of simulated work. */
    void readBackSimulated(VirtualResource resource) {
        if (TOLD_OF_SIMULATED.compareAndSet(false, true)) {
            log().log(
                            System.Logger.Level.WARNING,
                            "device of ''{0}'': what is read back of ''{1}'' is noise, no picture: the virtual GPU simulates"
                                    + " draws, and dispatches without a CPU kernel, by their cost alone",
                            application,
                            resource.name());
        }
    }

    @Override
    public DeviceCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public List<GpuQueue> queues() {
        return List.copyOf(queuing.all());
    }

    @Override
    public FormatSupport formatSupport(Format format) {
        Objects.requireNonNull(format, "format must not be null");
        return gate.inside(() -> VirtualFormats.support(format));
    }

    @Override
    public boolean supports(Format format, TextureUsage usage) {
        return VirtualFormats.support(format).supports(usage);
    }

    @Override
    public boolean filters(Format format) {
        return VirtualFormats.filters(format);
    }

    @Override
    public boolean reduces(Format format) {
        return VirtualFormats.reduces(format);
    }

    @Override
    public Texture createTexture(String name, TextureDescription description) {
        return create("a texture", name, () -> resources.texture(name, description));
    }

    @Override
    public Texture createSparseTexture(String name, TextureDescription description) {
        return create("a texture", name, () -> resources.sparseTexture(name, description));
    }

    @Override
    public Buffer createBuffer(String name, BufferDescription description) {
        return create("a buffer", name, () -> resources.buffer(name, description));
    }

    @Override
    public AccelerationStructure.Sizes sizes(AccelerationStructureDescription description) {
        StructureRules.check(description, capabilities);
        return VirtualAccelerationStructure.sizes(description.primitives());
    }

    @Override
    public AccelerationStructure createAccelerationStructure(
            String name, AccelerationStructure.Level level, long bytes) {
        return create("an acceleration structure", name, () -> resources.structure(name, level, bytes));
    }

    /** There is one version of it. */
    @Override
    public boolean canDeserialize(ByteBuffer serialized) {
        StructureRules.requireHeader(serialized, capabilities);
        return true;
    }

    @Override
    public MemoryRequirements requirements(TextureDescription description) {
        return gate.inside(() -> resources.requirements(description));
    }

    @Override
    public MemoryRequirements requirements(BufferDescription description) {
        return gate.inside(() -> resources.requirements(description));
    }

    @Override
    public MemoryHeap createHeap(String name, long bytes, int memoryTypes) {
        return create("a heap", name, () -> resources.heap(name, bytes, memoryTypes));
    }

    @Override
    public Sampler sampler(SamplerDescription description) {
        return gate.inside(() -> {
            VirtualSampler known = samplers.get(description);
            if (known != null) {
                return known;
            }
            ResourceLimits.check(description, capabilities);
            VirtualSampler made = new VirtualSampler(this, description);
            samplers.put(description, made);
            return made;
        });
    }

    @Override
    public ComputePipeline createComputePipeline(ComputePipelineDescription description) {
        Objects.requireNonNull(description, "description must not be null");
        return create("a pipeline", description.name(), () -> {
            PipelineShaders used = PipelineShaders.of(shaders, description, VirtualCapabilities.MAX_PUSH_CONSTANTS);
            TableRules.requireTables(capabilities, "pipeline '" + description.name() + "'", used);
            pipelineLimits.check(description, used);
            return new VirtualPipeline.Compute(this, description, used);
        });
    }

    @Override
    public GraphicsPipeline createGraphicsPipeline(GraphicsPipelineDescription description) {
        Objects.requireNonNull(description, "description must not be null");
        return create("a pipeline", description.name(), () -> {
            pipelineLimits.check(description);
            PipelineShaders used = PipelineShaders.of(shaders, description, VirtualCapabilities.MAX_PUSH_CONSTANTS);
            TableRules.requireTables(capabilities, "pipeline '" + description.name() + "'", used);
            pipelineLimits.check(description, used);
            BindingRules.requireAttachments(description, used, capabilities);
            return new VirtualPipeline.Graphics(this, description, used);
        });
    }

    @Override
    public RayTracingPipeline createRayTracingPipeline(RayTracingPipelineDescription description) {
        Objects.requireNonNull(description, "description must not be null");
        return create("a pipeline", description.name(), () -> {
            pipelineLimits.check(description);
            PipelineShaders used = PipelineShaders.of(shaders, description, VirtualCapabilities.MAX_PUSH_CONSTANTS);
            TableRules.requireTables(capabilities, "pipeline '" + description.name() + "'", used);
            pipelineLimits.check(description, used);
            return new VirtualPipeline.RayTracing(this, description, used);
        });
    }

    @Override
    public BindlessTable createBindlessTable(String name) {
        return create("a bindless table", name, () -> {
            TableRules.requireTables(capabilities, name);
            return new VirtualBindlessTable(this, name);
        });
    }

    @Override
    public BindingSet createBindingSet(String name, Pipeline pipeline, int set, Map<String, BoundResource> bound) {
        BindingRules.of(pipeline, name, this).checkSet(name, set, bound);
        return create(
                "a binding set", name, () -> new VirtualBindingSet(this, name, (VirtualPipeline) pipeline, set, bound));
    }

    @Override
    public FrameContext createFrameContext(String name) {
        return create("a frame context", name, () -> new VirtualFrameContext(this, name));
    }

    @Override
    public TimestampSet createTimestampSet(String name, int count) {
        ResourceLimits.checkTimestamps(name, count);
        return create("a timestamp set", name, () -> new VirtualTimestampSet(this, name, count));
    }

    @Override
    public QuerySet createQuerySet(String name, QueryKind kind, int count) {
        ResourceLimits.checkQueries(name, kind, count, capabilities);
        return create("a query set", name, () -> new VirtualQuerySet(this, name, kind, count));
    }

    @Override
    public DeviceEventSet createDeviceEventSet(String name, int count) {
        ResourceLimits.checkEvents(name, count);
        return create("a device event set", name, () -> new VirtualDeviceEventSet(this, name, count));
    }

    @Override
    public SimulatedExternalTimeline createExternalTimeline(String name) {
        ResourceLimits.requireName(name, "an external timeline");
        queuing.requireOpen();
        return new SimulatedExternalTimeline(this, queuing, name);
    }

    @Override
    public boolean owns(ExternalSemaphore semaphore) {
        return semaphore instanceof SimulatedExternalTimeline ours && ours.belongsTo(this);
    }

    @Override
    public SimulatedSurface createHeadlessSurface(String name, int width, int height) {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("surface '" + name + "' is at least 1x1, got " + width + "x" + height);
        }
        return create("a surface", name, () -> new SimulatedSurface(this, name, width, height));
    }

    @Override
    public Swapchain createSwapchain(String name, Surface surface, SwapchainDescription description) {
        Objects.requireNonNull(surface, "surface must not be null");
        Objects.requireNonNull(description, "description must not be null");
        if (!(surface instanceof SimulatedSurface ours) || !ours.belongsTo(this)) {
            throw new IllegalArgumentException(
                    "surface '" + surface.name() + "' of swapchain '" + name + "' is of another device");
        }
        ResourceLimits.requireLocalReads("swapchain '" + name + "'", description.usages(), capabilities);
        return create("a swapchain", name, () -> VirtualSwapchain.create(this, name, ours, description));
    }

    /** Makes something for the application, which the device closes if that does not. */
    private <T extends DeviceObject> T create(String what, String name, Supplier<T> maker) {
        ResourceLimits.requireName(name, what);
        return gate.inside(() -> {
            queuing.retired().sweep();
            T made = maker.get();
            objects.add(made);
            return made;
        });
    }

    SwapchainStatus nextPresentation() {
        SurfaceFault fault = surfaceFault;
        boolean now = presentations.incrementAndGet() == (fault == null ? 0 : fault.presentation());
        return fault != null && now ? fault.status() : SwapchainStatus.OK;
    }

    @Override
    public <T> T once(Class<T> type, Function<? super GpuDevice, ? extends T> maker) {
        return type.cast(facts.computeIfAbsent(type, missing -> maker.apply(this)));
    }

    @Override
    public HostAccess beginHostAccess(String name, List<ResourceUse> uses) {
        HostAccess access = new HostAccess(name, uses);
        queuing.feed().hostBegan(access);
        return access;
    }

    @Override
    public void endHostAccess(HostAccess access) {
        queuing.feed().hostEnded(access);
    }

    @Override
    public MemoryStatistics memoryStatistics() {
        return gate.inside(() -> {
            queuing.retired().sweep();
            return resources.statistics();
        });
    }

    @Override
    public List<ValidationMessage> validationMessages() {
        return List.of();
    }

    @Override
    public void onExecuted(@Nullable Consumer<String> listener) {
        queuing.post(graph -> graph.listener(listener));
    }

    @Override
    public boolean owns(Resource resource) {
        return resource instanceof VirtualResource ours && ours.device() == this;
    }

    @Override
    public void waitIdle() {
        queuing.requireUsable();
        queuing.waitIdle();
    }

    /**
     * Finishes pending work and destroys the device and everything still open; a second call does nothing.
     *
     * @throws IllegalStateException naming what was still open
     */
    @Override
    public void close() {
        if (!queuing.close()) {
            return;
        }
        gate.close();
        List<Throwable> failures = new ArrayList<>();
        try {
            objects.closeAll(capabilities.name(), failures);
        } catch (RuntimeException | Error failure) {
            failures.add(failure);
        }
        queuing.retired().destroyAll(failures);
        if (ownsShaders) {
            try {
                shaders.close();
            } catch (RuntimeException failure) {
                failures.add(failure);
            }
        }
        gate.shut();
        ClosingFailures.throwFirst(failures);
    }

    @Override
    public TaskGraph taskGraph() {
        return queuing.taskGraph();
    }

    public VirtualQueues queuing() {
        return queuing;
    }

    /** Returns the gate for calls that must not meet the end of the device. */
    DeviceGate gate() {
        return gate;
    }

    VirtualResources resources() {
        return resources;
    }

    ObjectRegistry objects() {
        return objects;
    }

    public Closings closings() {
        return closings;
    }

    /** Forgets an object that is closed, and takes its memory back when no work in progress may use it. */
    void closed(DeviceObject thing) {
        closed(thing, () -> {});
    }

    /**
     * Forgets an object that is closed.
     *
     * @param freed what to do besides when its memory is taken back; on any thread
     */
    void closed(DeviceObject thing, Runnable freed) {
        closings.add(thing);
        objects.remove(thing);
        queuing.retired().add(() -> {
            resources.free(thing);
            freed.run();
        });
        boolean ofSwapchain = thing instanceof Texture texture && texture.isSwapchainImage();
        if (thing instanceof Resource resource && !ofSwapchain) {
            queuing.feed().closed(resource);
        }
    }
}
