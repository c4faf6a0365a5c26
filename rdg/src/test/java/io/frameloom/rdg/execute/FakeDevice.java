package io.frameloom.rdg.execute;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.error.GpuException;
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
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
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
import io.frameloom.rdg.FakeResources.FakeBuffer;
import io.frameloom.rdg.FakeResources.FakeTexture;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A device that executes nothing: it counts what is created and closed, keeps what is submitted, and completes
 * submissions at once or when told.
 */
final class FakeDevice implements GpuDevice {
    private static final int ALIGNMENT = 256;

    private final TaskGraph tasks;
    private final List<GpuQueue> queues = new ArrayList<>();
    private final Set<Object> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger created = new AtomicInteger();
    private final AtomicLong clock = new AtomicLong(1_000);
    private final List<FakeQueue.Submitted> submissions = new CopyOnWriteArrayList<>();
    private final List<String> hostWaits = new CopyOnWriteArrayList<>();
    private final CountDownLatch firstSubmission = new CountDownLatch(1);
    private final Set<String> unreadable = ConcurrentHashMap.newKeySet();
    private volatile boolean refuseTimestamps;
    private volatile boolean refuseEvents;
    private volatile boolean completesAtOnce = true;
    private volatile CountDownLatch timestamps = new CountDownLatch(0);
    private volatile boolean lost;

    FakeDevice(TaskGraph tasks, QueueKind... kinds) {
        this.tasks = tasks;
        for (int i = 0; i < kinds.length; i++) {
            queues.add(new FakeQueue(this, tasks, i, kinds[i]));
        }
    }

    static FakeDevice graphicsAndCompute(TaskGraph tasks) {
        return new FakeDevice(tasks, QueueKind.GRAPHICS, QueueKind.COMPUTE);
    }

    /** Returns how many heaps, resources, contexts and timestamp sets were ever created. */
    int created() {
        return created.get();
    }

    /** Returns what is created and not closed. */
    Set<Object> open() {
        return open;
    }

    /** Returns the points that threads were blocked for, as queue and value. */
    List<String> hostWaits() {
        return hostWaits;
    }

    void hostWaited(String point) {
        hostWaits.add(point);
    }

    List<FakeQueue.Submitted> submissions() {
        return submissions;
    }

    void submitted(FakeQueue.Submitted submission) {
        submissions.add(submission);
        firstSubmission.countDown();
    }

    /** Returns the latch that the first submission releases. */
    CountDownLatch firstSubmission() {
        return firstSubmission;
    }

    void setCompletesAtOnce(boolean value) {
        completesAtOnce = value;
    }

    boolean completesAtOnce() {
        return completesAtOnce;
    }

    boolean isLost() {
        return lost;
    }

    /** Makes the next creation of a set of events fail. */
    void refuseEvents() {
        refuseEvents = true;
    }

    /** Makes the next creation of a timestamp set fail. */
    void refuseTimestamps() {
        refuseTimestamps = true;
    }

    /** Lets reads of timestamps wait for the latch that is returned, as drivers do that give them when the device is idle. */
    CountDownLatch holdTimestamps() {
        timestamps = new CountDownLatch(1);
        return timestamps;
    }

    /** Makes the host fail to read the buffer of a name. */
    void refuseMapping(String buffer) {
        unreadable.add(buffer);
    }

    void requireReadable(String buffer) {
        if (unreadable.contains(buffer)) {
            throw new GpuException("no mapping of " + buffer);
        }
    }

    FakeQueue queue(int index) {
        return (FakeQueue) queues.get(index);
    }

    /** Completes everything submitted so far. */
    void completeAll() {
        for (GpuQueue queue : queues) {
            ((FakeQueue) queue).complete();
        }
    }

    /** Loses the device: pending events fail, and so does every submission from now on. */
    void lose() {
        lost = true;
        for (GpuQueue queue : queues) {
            ((FakeQueue) queue).fail();
        }
    }

    long tick() {
        return clock.addAndGet(10);
    }

    private <T> T track(T object) {
        created.incrementAndGet();
        open.add(object);
        return object;
    }

    void closed(Object object) {
        open.remove(object);
    }

    @Override
    public TaskGraph taskGraph() {
        return tasks;
    }

    @Override
    public DeviceCapabilities capabilities() {
        return new DeviceCapabilities(
                "fake",
                DeviceKind.SIMULATED,
                "none",
                false,
                true,
                4096,
                1 << 20,
                64,
                64,
                128,
                1,
                false,
                DeviceLimits.minimum(),
                Set.of());
    }

    @Override
    public List<GpuQueue> queues() {
        return List.copyOf(queues);
    }

    @Override
    public FormatSupport formatSupport(Format format) {
        return new FormatSupport(true, true, true, true, true, true, true, true, true, true, true, true, 1);
    }

    @Override
    public Texture createTexture(String name, TextureDescription description) {
        return track(new FakeTexture(name, description, null, false, this::closed));
    }

    @Override
    public Texture createSparseTexture(String name, TextureDescription description) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Buffer createBuffer(String name, BufferDescription description) {
        return track(new FakeBuffer(name, description, null, this::requireReadable, this::closed));
    }

    @Override
    public AccelerationStructure.Sizes sizes(AccelerationStructureDescription description) {
        throw new UnsupportedOperationException("the fake device has no acceleration structures");
    }

    @Override
    public AccelerationStructure createAccelerationStructure(
            String name, AccelerationStructure.Level level, long bytes) {
        throw new UnsupportedOperationException("the fake device has no acceleration structures");
    }

    @Override
    public boolean canDeserialize(ByteBuffer serialized) {
        throw new UnsupportedOperationException("the fake device has no acceleration structures");
    }

    @Override
    public MemoryRequirements requirements(TextureDescription description) {
        long bytes = 0;
        for (int mip = 0; mip < description.mips(); mip++) {
            bytes += (long) description.width(mip)
                    * description.height(mip)
                    * description.format().bytesPerTexel();
        }
        return new MemoryRequirements(align(bytes * description.layers()), ALIGNMENT, 1);
    }

    @Override
    public MemoryRequirements requirements(BufferDescription description) {
        return new MemoryRequirements(align(description.bytes()), ALIGNMENT, 1);
    }

    private static long align(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    @Override
    public MemoryHeap createHeap(String name, long bytes, int memoryTypes) {
        return track(new FakeHeap(name, bytes));
    }

    @Override
    public Sampler sampler(SamplerDescription description) {
        return () -> description;
    }

    @Override
    public ComputePipeline createComputePipeline(ComputePipelineDescription description) {
        throw new UnsupportedOperationException("the fake device has no pipelines");
    }

    @Override
    public RayTracingPipeline createRayTracingPipeline(RayTracingPipelineDescription description) {
        throw new UnsupportedOperationException("the fake device has no pipelines");
    }

    @Override
    public GraphicsPipeline createGraphicsPipeline(GraphicsPipelineDescription description) {
        throw new UnsupportedOperationException("the fake device has no pipelines");
    }

    @Override
    public BindingSet createBindingSet(String name, Pipeline pipeline, int set, Map<String, BoundResource> resources) {
        throw new UnsupportedOperationException("the fake device has no pipelines");
    }

    @Override
    public BindlessTable createBindlessTable(String name) {
        throw new UnsupportedOperationException("the fake device has no tables");
    }

    @Override
    public FrameContext createFrameContext(String name) {
        return track(new FakeContext(name));
    }

    @Override
    public boolean owns(ExternalSemaphore semaphore) {
        return !semaphore.name().equals("of another device");
    }

    @Override
    public TimestampSet createTimestampSet(String name, int count) {
        if (refuseTimestamps) {
            refuseTimestamps = false;
            throw new GpuException("no timestamps for " + name);
        }
        return track(new FakeTimestamps(count));
    }

    @Override
    public QuerySet createQuerySet(String name, QueryKind kind, int count) {
        throw new UnsupportedOperationException("the fake device counts nothing for " + name);
    }

    @Override
    public DeviceEventSet createDeviceEventSet(String name, int count) {
        if (refuseEvents) {
            refuseEvents = false;
            throw new GpuException("no events for " + name);
        }
        return track(new FakeEvents(name, count));
    }

    @Override
    public Surface createHeadlessSurface(String name, int width, int height) {
        throw new UnsupportedOperationException("fake");
    }

    @Override
    public Swapchain createSwapchain(String name, Surface surface, SwapchainDescription description) {
        throw new UnsupportedOperationException("fake");
    }

    @Override
    public <T> T once(Class<T> type, Function<? super GpuDevice, ? extends T> maker) {
        return maker.apply(this);
    }

    @Override
    public HostAccess beginHostAccess(String name, List<ResourceUse> uses) {
        return new HostAccess(name, uses);
    }

    @Override
    public void endHostAccess(HostAccess access) {}

    @Override
    public MemoryStatistics memoryStatistics() {
        return new MemoryStatistics(List.of(), List.of());
    }

    @Override
    public List<ValidationMessage> validationMessages() {
        return List.of();
    }

    @Override
    public boolean owns(Resource resource) {
        return true;
    }

    @Override
    public void waitIdle() {
        completeAll();
    }

    @Override
    public void close() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("not closed: " + open);
        }
    }

    private final class FakeHeap implements MemoryHeap {
        private final String name;
        private final long bytes;

        private FakeHeap(String name, long bytes) {
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public Texture placeTexture(String textureName, TextureDescription description, long offset) {
            Resource.Placement placed = place(offset, requirements(description));
            return track(new FakeTexture(textureName, description, placed, false, FakeDevice.this::closed));
        }

        @Override
        public Buffer placeBuffer(String bufferName, BufferDescription description, long offset) {
            if (description.memory() != MemoryUsage.DEVICE) {
                throw new IllegalArgumentException("mapped buffer '" + bufferName + "' in heap '" + name + "'");
            }
            Resource.Placement placed = place(offset, requirements(description));
            return track(new FakeBuffer(
                    bufferName, description, placed, FakeDevice.this::requireReadable, FakeDevice.this::closed));
        }

        private Resource.Placement place(long offset, MemoryRequirements needs) {
            if (!open.contains(this)) {
                throw new IllegalStateException("heap '" + name + "' is closed");
            }
            if (offset % needs.alignment() != 0 || offset + needs.bytes() > bytes) {
                throw new IllegalArgumentException("does not fit into heap '" + name + "'");
            }
            return new Resource.Placement(this, offset, needs.bytes());
        }

        @Override
        public void close() {
            for (Object object : open) {
                if (object instanceof Resource resource
                        && resource.placement() != null
                        && resource.placement().heap() == this) {
                    throw new IllegalStateException("heap '" + name + "' closes before '" + resource.name() + "'");
                }
            }
            closed(this);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private final class FakeContext implements FrameContext {
        private final String name;
        private final List<FakeCommandList> lists = new CopyOnWriteArrayList<>();
        private final Buffer uploads;
        private long uploaded;

        private FakeContext(String name) {
            this.name = name;
            this.uploads = new FakeBuffer(
                    name + " upload",
                    BufferDescription.upload(1 << 20, BufferUsage.COPY_SRC),
                    null,
                    FakeDevice.this::requireReadable,
                    FakeDevice.this::closed);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public CommandList beginSecondary(
                GpuQueue queue, String label, @Nullable RenderingFormats rendering, List<ResourceUse> uses) {
            throw new UnsupportedOperationException("the fake device has no secondary lists");
        }

        @Override
        public CommandList beginCommands(GpuQueue queue, String label) {
            FakeCommandList list = new FakeCommandList(queue, label);
            lists.add(list);
            return list;
        }

        /** Hands out one buffer from its start, first come, first served. */
        @Override
        public synchronized BufferSlice allocateUpload(long bytes, int alignment) {
            long offset = align(uploaded);
            uploaded = offset + bytes;
            return new BufferSlice(
                    uploads, offset, bytes, ByteBuffer.allocate((int) bytes).order(ByteOrder.nativeOrder()));
        }

        @Override
        public void reset() {
            for (FakeCommandList list : lists) {
                if (list.isPending()) {
                    throw new IllegalStateException(name + " is reset while '" + list.label() + "' is pending");
                }
            }
            lists.clear();
            synchronized (this) {
                uploaded = 0;
            }
        }

        @Override
        public void close() {
            reset();
            closed(this);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    final class FakeEvents implements DeviceEventSet {
        private final String name;
        private final int count;

        private FakeEvents(String name, int count) {
            this.name = name;
            this.count = count;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public void reset() {}

        @Override
        public void close() {
            closed(this);
        }
    }

    /** Timestamps of a fake clock. */
    final class FakeTimestamps implements TimestampSet {
        private final long[] values;

        private FakeTimestamps(int count) {
            values = new long[count];
            reset();
        }

        synchronized void set(int index, long value) {
            values[index] = value;
        }

        @Override
        public int count() {
            return values.length;
        }

        @Override
        public synchronized void reset() {
            Arrays.fill(values, Long.MIN_VALUE);
        }

        @Override
        public long[] readNanos() {
            try {
                timestamps.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted while timestamps are held", e);
            }
            synchronized (this) {
                return values.clone();
            }
        }

        @Override
        public void close() {
            closed(this);
        }
    }
}
