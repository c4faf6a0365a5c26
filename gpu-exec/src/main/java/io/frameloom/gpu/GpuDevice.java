package io.frameloom.gpu;

import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.error.SurfaceLostException;
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
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A device that executes GPU work.
 *
 * <p>Any thread may create objects and submit. Closing waits for the device to be idle; resources that the application
 * created must be closed before.
 *
 * <p>A device may be closed while other threads call it or close things on it. Closing waits for the calls in progress;
 * later calls throw an {@link IllegalStateException} that names the device. What a thread closes at that moment may be
 * left to the device, which then reports it. Only the commands of a list belong to the thread that records them: no
 * thread may be in one while the device is closed. Closing waits for shaders that are being compiled, so no include may
 * close the device.
 *
 * <p>A closed object keeps its memory until the device has finished with it. If memory is short, creating a texture,
 * buffer or heap, or taking upload memory, waits at most two seconds for it. It is tried once more before a {@link
 * GpuOutOfMemoryException} is thrown.
 *
 * <p>All objects have a name, which messages and tools show. One that is missing gives a {@link NullPointerException}
 * that says what lacks it.
 */
public interface GpuDevice extends AutoCloseable {
    /** Returns what the device is and can do. */
    DeviceCapabilities capabilities();

    /** Returns the queues; the first is the graphics queue. Immutable. */
    List<GpuQueue> queues();

    /** Returns the queues of exactly one kind, in the order of {@link #queues}; none where the device has none. */
    default List<GpuQueue> queues(QueueKind kind) {
        return queues().stream().filter(queue -> queue.kind() == kind).toList();
    }

    /** Returns the task graph to which the events of the device belong. */
    TaskGraph taskGraph();

    /** Returns what the device can do with textures of a format. Cheap after the first call with the format. */
    FormatSupport formatSupport(Format format);

    /**
     * Returns the first of some formats that textures of a usage can have on this device, such as one of
     * {@link Format#DEPTH_STENCIL} for a {@link TextureUsage#DEPTH_ATTACHMENT}.
     *
     * @throws IllegalArgumentException if there is none
     */
    default Format firstSupported(TextureUsage usage, List<Format> candidates) {
        for (Format format : candidates) {
            if (formatSupport(format).supports(usage)) {
                return format;
            }
        }
        throw new IllegalArgumentException("device '" + capabilities().name() + "' supports " + usage + " for none of "
                + candidates + "; add a format that it supports");
    }

    /** Creates a texture with memory of its own. */
    Texture createTexture(String name, TextureDescription description);

    /**
     * Creates a two-dimensional texture without memory, whose levels get it by {@link GpuQueue#bind}. {@link
     * Texture#sparse} says what each takes. What uses the texture must leave out the levels that have none.
     *
     * @param description one layer and sample, of a colour format
     * @throws IllegalArgumentException if the device has no such sparse texture
     * @throws GpuOutOfMemoryException if the device has no addresses left: a sparse texture takes them for all levels
     * @throws IllegalStateException if the device was opened without {@link Capability#SPARSE_RESIDENCY}
     */
    Texture createSparseTexture(String name, TextureDescription description);

    /** Creates a buffer with memory of its own. */
    Buffer createBuffer(String name, BufferDescription description);

    /**
     * Returns what an acceleration structure of a description takes, and its builds.
     *
     * @throws IllegalArgumentException if it exceeds a limit of the device
     * @throws IllegalStateException if the device was opened without {@link Capability#RAY_QUERIES} and {@link
     *     Capability#RAY_TRACING_PIPELINES}
     */
    AccelerationStructure.Sizes sizes(AccelerationStructureDescription description);

    /**
     * Creates an acceleration structure with memory of its own; a list builds it.
     *
     * @param bytes {@link AccelerationStructure.Sizes#structureBytes}, or what a query says
     * @throws IllegalStateException if the device was opened without {@link Capability#RAY_QUERIES} and {@link
     *     Capability#RAY_TRACING_PIPELINES}
     */
    AccelerationStructure createAccelerationStructure(String name, AccelerationStructure.Level level, long bytes);

    /**
     * Returns whether this device reads a serialised acceleration structure back. One of another driver, or of another
     * version of it, is built anew instead.
     *
     * @param serialized at least its first 32 bytes, from the position on
     */
    boolean canDeserialize(ByteBuffer serialized);

    /** Returns the memory that placing such a texture takes; cheap after the first call with an equal description. */
    MemoryRequirements requirements(TextureDescription description);

    /** Returns the memory that placing such a buffer takes. */
    MemoryRequirements requirements(BufferDescription description);

    /**
     * Allocates memory for placed resources.
     *
     * @param memoryTypes intersection of the {@link MemoryRequirements#memoryTypes} of everything to be placed
     */
    MemoryHeap createHeap(String name, long bytes, int memoryTypes);

    /** Returns the sampler of a description. */
    Sampler sampler(SamplerDescription description);

    /**
     * Compiles a compute pipeline.
     *
     * @throws ShaderCompilationException if the shader does not compile
     */
    ComputePipeline createComputePipeline(ComputePipelineDescription description);

    /**
     * Compiles a graphics pipeline.
     *
     * @throws ShaderCompilationException if a shader does not compile
     * @throws IllegalArgumentException if it exceeds a limit of the device, or has what takes a capability that is off,
     *     such as a mesh shader without {@link Capability#MESH_SHADERS}
     */
    GraphicsPipeline createGraphicsPipeline(GraphicsPipelineDescription description);

    /**
     * Compiles a ray-tracing pipeline.
     *
     * @throws ShaderCompilationException if a shader does not compile
     * @throws IllegalArgumentException if it exceeds a limit of the device
     * @throws IllegalStateException if the device was opened without {@link Capability#RAY_TRACING_PIPELINES}
     */
    RayTracingPipeline createRayTracingPipeline(RayTracingPipelineDescription description);

    /**
     * Makes a persistent set of bindings for descriptor set {@code set} of {@code pipeline}.
     *
     * @throws IllegalArgumentException naming what is missing, unknown or of the wrong kind
     */
    BindingSet createBindingSet(String name, Pipeline pipeline, int set, Map<String, BoundResource> resources);

    /**
     * Makes a table of textures, samplers and buffers that shaders find by numbers.
     *
     * @throws IllegalStateException if the device was opened without {@link Capability#DESCRIPTOR_INDEXING}
     */
    BindlessTable createBindlessTable(String name);

    /** Creates the recycled part of one frame in flight. */
    FrameContext createFrameContext(String name);

    /** Creates a set of timestamps. */
    TimestampSet createTimestampSet(String name, int count);

    /**
     * Creates a set of queries.
     *
     * @throws UnsupportedOperationException if the device cannot count that: {@link DeviceLimits.Drawing#queries}
     */
    QuerySet createQuerySet(String name, QueryKind kind, int count);

    /** Creates a set of events for split barriers. */
    DeviceEventSet createDeviceEventSet(String name, int count);

    /**
     * Makes a surface that shows nothing, for tests and for machines without a display. Vulkan's loader offers such
     * surfaces if any of the installed drivers has them. Where several drivers are installed, a device whose own driver
     * has none may end the process: lavapipe 22.3 does, beside a newer one.
     *
     * @param width width in texels, at least 1
     * @param height height in texels, at least 1
     * @throws GpuException naming what is missing, if the device cannot have one
     */
    Surface createHeadlessSurface(String name, int width, int height);

    /**
     * Makes a swapchain on a surface of this device. If the surface has no area, the swapchain has no images and its
     * acquisitions say so.
     *
     * @throws SurfaceLostException if the surface is gone
     * @throws IllegalArgumentException if the images cannot be used as asked, or the surface is of another device
     * @throws IllegalStateException if the surface is closed or has a swapchain
     * @throws GpuException if no queue of the device can present to the surface, or the driver refuses
     */
    Swapchain createSwapchain(String name, Surface surface, SwapchainDescription description);

    /**
     * Returns something that is computed once for this device and kept with it, such as the result of a self-test. The
     * first call for a type makes it; concurrent calls wait and get the same. If making it fails, the next call tries
     * again.
     *
     * @param type names it; nothing else is kept under it
     * @param maker makes it; must not ask for another such object of the same device
     */
    <T> T once(Class<T> type, Function<? super GpuDevice, ? extends T> maker);

    /** Returns whether a resource was created by this device or imported to it, whether or not it is closed. */
    boolean owns(Resource resource);

    /**
     * Declares that the calling thread is about to read or write mapped memory, for the observer of the device to
     * judge. It waits for nothing.
     *
     * @param name name of the work, for messages
     * @param uses uses of buffers in mapped memory as {@link Access#HOST_READ} or {@link Access#HOST_WRITE}
     * @return the access, to be ended by {@link #endHostAccess}
     * @throws IllegalArgumentException if a use is of another kind
     */
    HostAccess beginHostAccess(String name, List<ResourceUse> uses);

    /** Declares that an access of the host is over. Later submissions see what it wrote. */
    void endHostAccess(HostAccess access);

    /** Returns how memory is used now, by heap, by kind and by name. */
    MemoryStatistics memoryStatistics();

    /** Returns the messages that the validation layer has given so far; empty without validation. */
    List<ValidationMessage> validationMessages();

    /** Returns whether submissions can wait for and signal a semaphore: this device has imported or made it. */
    boolean owns(ExternalSemaphore semaphore);

    /** Blocks until every queue is idle. */
    void waitIdle();

    /**
     * Waits for the device to be idle and destroys it, with everything on it that is still open; a second call does
     * nothing. Events are complete when this returns. Code that runs at a completion, as by the future of a {@link
     * GpuTimeline#reached} event, may close the device, too; further completions that the same thread reports come
     * afterwards.
     *
     * @throws IllegalStateException naming the resources that their owners did not close; the device is destroyed
     *     nonetheless
     */
    @Override
    void close();
}
