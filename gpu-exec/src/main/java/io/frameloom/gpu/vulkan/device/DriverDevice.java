package io.frameloom.gpu.vulkan.device;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.device.ClosingFailures;
import io.frameloom.gpu.device.ObjectKind;
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
import io.frameloom.gpu.record.DeviceObject;
import io.frameloom.gpu.record.ResourceLimits;
import io.frameloom.gpu.record.StructureRules;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.vulkan.SharedMemory;
import io.frameloom.gpu.vulkan.SharedTexture;
import io.frameloom.gpu.vulkan.SharedTimeline;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanHandles;
import io.frameloom.gpu.vulkan.command.VulkanFrameContext;
import io.frameloom.gpu.vulkan.driver.AddressReports;
import io.frameloom.gpu.vulkan.driver.DebugNames;
import io.frameloom.gpu.vulkan.driver.DeviceClock;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.ImportedSharing;
import io.frameloom.gpu.vulkan.driver.LentDevice;
import io.frameloom.gpu.vulkan.driver.LossEvidence;
import io.frameloom.gpu.vulkan.driver.OpenedDevice;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import io.frameloom.gpu.vulkan.driver.RawExtensions;
import io.frameloom.gpu.vulkan.driver.UndoStack;
import io.frameloom.gpu.vulkan.driver.ValidationLog;
import io.frameloom.gpu.vulkan.driver.VulkanAdapter;
import io.frameloom.gpu.vulkan.driver.VulkanInstance;
import io.frameloom.gpu.vulkan.pipeline.BindingSetPool;
import io.frameloom.gpu.vulkan.pipeline.PipelineFactory;
import io.frameloom.gpu.vulkan.queue.VulkanExternalSemaphore;
import io.frameloom.gpu.vulkan.queue.VulkanQueues;
import io.frameloom.gpu.vulkan.queue.VulkanSharedTimeline;
import io.frameloom.gpu.vulkan.queue.VulkanSurface;
import io.frameloom.gpu.vulkan.queue.VulkanSwapchain;
import io.frameloom.gpu.vulkan.resource.MemoryAllocator;
import io.frameloom.gpu.vulkan.resource.SamplerCache;
import io.frameloom.gpu.vulkan.resource.SparseImage;
import io.frameloom.gpu.vulkan.resource.StructureBuilds;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import io.frameloom.gpu.vulkan.resource.VulkanDeviceEventSet;
import io.frameloom.gpu.vulkan.resource.VulkanHeap;
import io.frameloom.gpu.vulkan.resource.VulkanQuerySet;
import io.frameloom.gpu.vulkan.resource.VulkanResource;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import io.frameloom.gpu.vulkan.resource.VulkanTimestampSet;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;

/** A device of a Vulkan driver, opened here or an engine's. */
public final class DriverDevice implements VulkanDevice {
    private final TaskGraph taskGraph;
    private final DeviceCore core;
    private final VulkanHandles handles;
    private final ImportedSharing sharing;
    private final @Nullable ValidationLog validation;
    private final boolean reusesLists;
    private final boolean checks;
    private final MemoryAllocator memory;
    private final PipelineFactory pipelines;
    private final SamplerCache samplers;
    private final BindingSetPool bindingSets;
    private final DeviceClock clock;
    private final QueueDriver driver;
    private final Map<Format, FormatSupport> formats = new ConcurrentHashMap<>();
    private final VulkanQueues queues;
    /** The steps that {@link #close} undoes, newest first. */
    private final UndoStack undo = new UndoStack();

    private final AtomicBoolean closed = new AtomicBoolean();
    /** The results of {@link #once}. */
    private final Map<Class<?>, Object> facts = new ConcurrentHashMap<>();

    /** Opens the device of an adapter; takes over the instance if it succeeds. */
    public DriverDevice(
            VulkanInstance instance,
            VulkanAdapter adapter,
            DeviceOptions options,
            RawExtensions raw,
            DeviceSeams seams) {
        this(instance, adapter, options, raw, seams, null);
    }

    /** Opens the device of an adapter, or an engine's own if {@code lent} is given. */
    DriverDevice(
            VulkanInstance instance,
            VulkanAdapter adapter,
            DeviceOptions options,
            RawExtensions raw,
            DeviceSeams seams,
            @Nullable LentDevice lent) {
        validation = instance.log();
        driver = seams.driver();
        taskGraph = options.taskGraph();
        try {
            OpenedDevice opened = OpenedDevice.of(adapter, options, raw, seams, lent, undo);
            LossEvidence evidence = new LossEvidence(opened, seams.crash(), options.crashMarkers());
            core = new DeviceCore(
                    opened,
                    adapter,
                    new DebugNames(opened.handle(), instance.debugUtils(), validation != null, evidence.addresses()),
                    options.creationSites(),
                    options.observer(),
                    evidence);
            if (evidence.reportsAddresses()) {
                undo.push(new AddressReports(instance.handle(), evidence.addresses())::close);
            }
            if (core.owned()) {
                core.names().name(VK13.VK_OBJECT_TYPE_DEVICE, opened.handle().address(), options.applicationName());
            }
            sharing =
                    ImportedSharing.of(adapter.families().size(), opened.plan().families());
            handles = new DriverHandles(instance.handle(), core);
            memory = new MemoryAllocator(instance.handle(), core, opened.memoryBudget(), options.memoryLimit());
            undo.push(memory::close);
            pipelines = new PipelineFactory(core, options.programCache(), taskGraph);
            undo.push(pipelines::close);
            samplers = new SamplerCache(core);
            undo.push(samplers::close);
            bindingSets = new BindingSetPool(core);
            undo.push(bindingSets::close);
            clock = new DeviceClock(
                    core, opened.calibratedTimestamps(), opened.queues().get(0), driver);
            undo.push(clock::close);
            if (!clock.known()) {
                core.withoutTimestamps();
            }
            queues = new VulkanQueues(opened.queues(), core, driver, options, undo);
            checks = options.checks() || options.observer() != null;
            reusesLists = options.observer() == null && !options.validation();
        } catch (RuntimeException | Error e) {
            undo.all().forEach(e::addSuppressed);
            throw e;
        }
        undo.pushLast(instance::close);
        System.getLogger("io.frameloom.gpu")
                .log(
                        System.Logger.Level.DEBUG,
                        () -> "opened " + capabilities().name() + ", driver "
                                + capabilities().driver());
    }

    @Override
    public DeviceCapabilities capabilities() {
        return core.capabilities();
    }

    @Override
    public TaskGraph taskGraph() {
        return taskGraph;
    }

    @Override
    public List<GpuQueue> queues() {
        return queues.exposed();
    }

    @Override
    public FormatSupport formatSupport(Format format) {
        Objects.requireNonNull(format, "format must not be null");
        FormatSupport known = formats.get(format);
        return known != null && !core.isClosed()
                ? known
                : core.gate().inside(() -> formats.computeIfAbsent(format, asked -> core.support(asked)));
    }

    @Override
    public Texture createTexture(String name, TextureDescription description) {
        return create("a texture", name, () -> memory.createTexture(name, description));
    }

    @Override
    public Texture createSparseTexture(String name, TextureDescription description) {
        return create("a texture", name, () -> SparseImage.create(core, memory, name, description));
    }

    @Override
    public Buffer createBuffer(String name, BufferDescription description) {
        return create("a buffer", name, () -> memory.createBuffer(name, description));
    }

    @Override
    public AccelerationStructure.Sizes sizes(AccelerationStructureDescription description) {
        StructureRules.check(description, core.capabilities());
        return core.gate().inside(() -> StructureBuilds.sizes(core, description));
    }

    @Override
    public AccelerationStructure createAccelerationStructure(
            String name, AccelerationStructure.Level level, long bytes) {
        return create("an acceleration structure", name, () -> memory.createStructure(name, level, bytes));
    }

    @Override
    public boolean canDeserialize(ByteBuffer serialized) {
        StructureRules.requireHeader(serialized, core.capabilities());
        return core.gate().inside(() -> StructureBuilds.isCompatible(core, serialized));
    }

    public DeviceCore core() {
        return core;
    }

    public MemoryAllocator memory() {
        return memory;
    }

    @Override
    public VulkanDeviceInfo info() {
        return core.adapter().info();
    }

    @Override
    public VulkanHandles handles() {
        return handles;
    }

    @Override
    public Texture importTexture(
            String name, long image, TextureDescription description, TextureLayout layout, int... sharedAmong) {
        requireHandle("texture", name, image);
        ResourceLimits.requireUsage(name, description, core.capabilities());
        Set<Integer> families = sharing.check("texture '" + name + "'", sharedAmong);
        return create(
                "a texture", name, () -> new VulkanTexture(core, memory, name, description, image, layout, families));
    }

    @Override
    public Buffer importBuffer(String name, long buffer, BufferDescription description, int... sharedAmong) {
        requireHandle("buffer", name, buffer);
        ResourceLimits.requireUsage(ResourceLimits.buffer(name), description.usage());
        if (description.memory() != MemoryUsage.DEVICE) {
            throw new IllegalArgumentException("buffer '" + name + "' is imported as " + description.memory()
                    + "; only DEVICE buffers can be imported, mapped memory is its owner's");
        }
        Set<Integer> families = sharing.check("buffer '" + name + "'", sharedAmong);
        return create("a buffer", name, () -> new VulkanBuffer(core, memory, name, description, buffer, families));
    }

    @Override
    public Buffer createSharedBuffer(String name, BufferDescription description) {
        return create("a buffer", name, () -> memory.createSharedBuffer(name, description, null));
    }

    @Override
    public SharedMemory share(Buffer buffer) {
        Objects.requireNonNull(buffer, "buffer must not be null");
        return shareMemory(buffer);
    }

    @Override
    public SharedTexture share(Texture texture) {
        Objects.requireNonNull(texture, "texture must not be null");
        return new SharedTexture(shareMemory(texture), texture.description());
    }

    private SharedMemory shareMemory(Resource resource) {
        if (!(resource instanceof VulkanResource ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException(
                    ObjectKind.of(resource).describe(resource.name()) + " is of another device, which shares it");
        }
        return core.gate().inside(() -> {
            ours.requireOpen("shared");
            return memory.share(ours);
        });
    }

    @Override
    public Texture createSharedTexture(String name, TextureDescription description) {
        return create("a texture", name, () -> memory.createSharedTexture(name, description, null));
    }

    @Override
    public Texture importTexture(String name, SharedTexture shared) {
        Objects.requireNonNull(shared, "shared must not be null");
        return create("a texture", name, () -> memory.createSharedTexture(name, shared.description(), shared.memory()));
    }

    @Override
    public Buffer importBuffer(String name, BufferDescription description, SharedMemory from) {
        Objects.requireNonNull(from, "memory must not be null");
        return create("a buffer", name, () -> memory.createSharedBuffer(name, description, from));
    }

    @Override
    public ExternalTimeline importTimeline(String name, long semaphore) {
        ResourceLimits.requireName(name, "an external timeline");
        requireOpen();
        requireHandle("timeline", name, semaphore);
        return new VulkanExternalSemaphore.Timeline(
                core, name, semaphore, queues.externalValues().of(core, semaphore));
    }

    @Override
    public SharedTimeline createSharedTimeline(String name) {
        return create(
                "a timeline", name, () -> VulkanSharedTimeline.create(core, driver, queues.externalValues(), name));
    }

    @Override
    public SharedTimeline importSharedTimeline(String name, int fileDescriptor) {
        return create(
                "a timeline",
                name,
                () -> VulkanSharedTimeline.imported(core, driver, queues.externalValues(), name, fileDescriptor));
    }

    @Override
    public ExternalSemaphore importSemaphore(String name, long semaphore) {
        ResourceLimits.requireName(name, "an external semaphore");
        requireOpen();
        requireHandle("semaphore", name, semaphore);
        return new VulkanExternalSemaphore.Binary(core, name, semaphore);
    }

    @Override
    public boolean owns(ExternalSemaphore semaphore) {
        return semaphore instanceof VulkanExternalSemaphore ours && ours.core() == core;
    }

    @Override
    public Surface adoptSurface(String name, long surface) {
        return surface(name, surface, true);
    }

    @Override
    public Surface importSurface(String name, long surface) {
        return surface(name, surface, false);
    }

    private Surface surface(String name, long surface, boolean owned) {
        requireHandle("surface", name, surface);
        VulkanSurface.requireExtensions(core, name, false);
        return create("a surface", name, () -> VulkanSurface.of(core, queues.all(), name, surface, owned));
    }

    @Override
    public Surface createHeadlessSurface(String name, int width, int height) {
        return create("a surface", name, () -> VulkanSurface.headless(core, queues.all(), name, width, height));
    }

    @Override
    public Swapchain createSwapchain(String name, Surface surface, SwapchainDescription description) {
        Objects.requireNonNull(surface, "surface must not be null");
        Objects.requireNonNull(description, "description must not be null");
        if (!(surface instanceof VulkanSurface ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException(
                    "surface '" + surface.name() + "' of swapchain '" + name + "' is of another device");
        }
        ResourceLimits.requireLocalReads("swapchain '" + name + "'", description.usages(), core.capabilities());
        return create(
                "a swapchain",
                name,
                () -> VulkanSwapchain.create(core, driver, memory, queues.all(), name, ours, description));
    }

    private static void requireHandle(String kind, String name, long handle) {
        if (handle == VK13.VK_NULL_HANDLE) {
            throw new IllegalArgumentException(kind + " '" + name + "' is imported from VK_NULL_HANDLE");
        }
    }

    @Override
    public MemoryRequirements requirements(TextureDescription description) {
        return core.gate().inside(() -> memory.requirements(description));
    }

    @Override
    public MemoryRequirements requirements(BufferDescription description) {
        return core.gate().inside(() -> memory.requirements(description));
    }

    @Override
    public MemoryHeap createHeap(String name, long bytes, int memoryTypes) {
        ResourceLimits.checkHeap(name, bytes, core.capabilities());
        return create("a heap", name, () -> new VulkanHeap(core, memory, name, bytes, memoryTypes));
    }

    @Override
    public Sampler sampler(SamplerDescription description) {
        return core.gate().inside(() -> samplers.get(description));
    }

    @Override
    public ComputePipeline createComputePipeline(ComputePipelineDescription description) {
        Objects.requireNonNull(description, "description must not be null");
        return create("a pipeline", description.name(), () -> pipelines.create(description));
    }

    @Override
    public GraphicsPipeline createGraphicsPipeline(GraphicsPipelineDescription description) {
        Objects.requireNonNull(description, "description must not be null");
        return create("a pipeline", description.name(), () -> pipelines.create(description));
    }

    @Override
    public RayTracingPipeline createRayTracingPipeline(RayTracingPipelineDescription description) {
        Objects.requireNonNull(description, "description must not be null");
        return create("a pipeline", description.name(), () -> pipelines.create(description));
    }

    @Override
    public BindingSet createBindingSet(String name, Pipeline pipeline, int set, Map<String, BoundResource> resources) {
        return create("a binding set", name, () -> bindingSets.create(name, pipeline, set, resources));
    }

    @Override
    public BindlessTable createBindlessTable(String name) {
        return create("a bindless table", name, () -> pipelines.createTable(name));
    }

    @Override
    public FrameContext createFrameContext(String name) {
        return create(
                "a frame context",
                name,
                () -> new VulkanFrameContext(
                        core, memory, queues.exposed(), this::formatSupport, reusesLists, checks, name));
    }

    @Override
    public TimestampSet createTimestampSet(String name, int count) {
        ResourceLimits.checkTimestamps(name, count);
        return create("a timestamp set", name, () -> new VulkanTimestampSet(core, clock, name, count));
    }

    @Override
    public QuerySet createQuerySet(String name, QueryKind kind, int count) {
        ResourceLimits.checkQueries(name, kind, count, core.capabilities());
        return create("a query set", name, () -> new VulkanQuerySet(core, name, kind, count));
    }

    @Override
    public DeviceEventSet createDeviceEventSet(String name, int count) {
        ResourceLimits.checkEvents(name, count);
        return create("a device event set", name, () -> new VulkanDeviceEventSet(core, name, count));
    }

    @Override
    public <T> T once(Class<T> type, Function<? super GpuDevice, ? extends T> maker) {
        return type.cast(facts.computeIfAbsent(type, missing -> maker.apply(this)));
    }

    @Override
    public HostAccess beginHostAccess(String name, List<ResourceUse> uses) {
        HostAccess access = new HostAccess(name, uses);
        core.feed().hostBegan(access);
        return access;
    }

    @Override
    public void endHostAccess(HostAccess access) {
        core.feed().hostEnded(access);
    }

    @Override
    public MemoryStatistics memoryStatistics() {
        return core.gate().inside(() -> {
            core.retired().sweep();
            return memory.statistics();
        });
    }

    @Override
    public List<ValidationMessage> validationMessages() {
        return validation == null ? List.of() : validation.messages();
    }

    @Override
    public boolean owns(Resource resource) {
        return resource instanceof VulkanBuffer buffer
                ? buffer.belongsTo(core)
                : resource instanceof VulkanTexture texture && texture.belongsTo(core);
    }

    @Override
    public void waitIdle() {
        requireOpen();
        queues.awaitIdle();
        core.gate().closing(core.retired()::sweep);
    }

    /** Makes something for the application, which the device closes if that does not. */
    private <T extends DeviceObject> T create(String what, String name, Supplier<T> maker) {
        ResourceLimits.requireName(name, what);
        return core.gate().inside(() -> {
            core.retired().sweep();
            T object = maker.get();
            core.objects().add(object);
            return object;
        });
    }

    private void requireOpen() {
        if (core.isClosed()) {
            throw core.gate().refusal();
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        core.close();
        List<Throwable> failures = new ArrayList<>();
        queues.finish();
        try {
            core.objects().closeAll(core.capabilities().name(), failures);
        } catch (RuntimeException | Error failure) {
            failures.add(failure);
        }
        core.retired().destroyAll(failures);
        failures.addAll(undo.all());
        core.gate().shut();
        ClosingFailures.throwFirst(failures);
    }
}
