package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;

/**
 * A Vulkan 1.3 device with its own instance, or an engine's that was {@linkplain VulkanDevices#adopt adopted}. Threads
 * and errors are those of {@link GpuDevice}.
 *
 * <p>Queues: graphics, then asynchronous compute and copy where the device has them. Resources are shared between the
 * families of all queues (concurrent sharing), so no ownership has to be transferred, unless their description says
 * {@link io.frameloom.gpu.resource.QueueSharing#EXCLUSIVE}. Imported resources are shared as their engine made them.
 *
 * <p>Closing destroys everything in the reverse order of creation, also what the application forgot, and then reports
 * the forgotten objects. Close every device before the process ends: some drivers crash at exit otherwise.
 */
public interface VulkanDevice extends GpuDevice {
    /**
     * Returns which of the machine's devices this is: names may be equal, UUID and PCI address are not. Capabilities
     * that take extensions of the instance are missing unless its instance has them.
     */
    VulkanDeviceInfo info();

    /** Returns the Vulkan objects of this device and its resources. */
    VulkanHandles handles();

    /**
     * Makes a texture of an engine's VkImage. Closing it destroys the views that Frameloom made, not the image.
     *
     * <p>Earlier work on the image must be complete, or come before by a wait for {@linkplain #importTimeline the
     * engine's timeline}. One import is valid as long as the image: its owner may change the layout in between, and a
     * render graph takes the layout of each frame when the texture is registered. Only a {@linkplain
     * io.frameloom.gpu.check.HazardChecker hazard checker} learns of such a change from another import. An image that
     * queues of different families use without handing it over must have been created for concurrent sharing among
     * them.
     *
     * @param image the VkImage
     * @param description its shape; the usages are those it was created with. To render to slices of a
     *     three-dimensional one, it must have been created with VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT
     * @param layout the layout that it is in now
     * @param sharedAmong the families that it was created for concurrent sharing among; none if it is exclusive to one
     *     family at a time, which hands it over to another by ownership transfers
     * @throws IllegalArgumentException if no queue of this device is of one of these families
     */
    Texture importTexture(
            String name, long image, TextureDescription description, TextureLayout layout, int... sharedAmong);

    /**
     * Makes a buffer of an engine's VkBuffer; {@link #importTexture} describes the rules of both.
     *
     * @param description its shape, in {@link io.frameloom.gpu.resource.MemoryUsage#DEVICE} memory: mapped memory is
     *     its owner's
     */
    Buffer importBuffer(String name, long buffer, BufferDescription description, int... sharedAmong);

    /**
     * Creates a buffer whose memory {@link #share(Buffer)} hands out, in {@link
     * io.frameloom.gpu.resource.MemoryUsage#DEVICE} memory. What another user of it writes or reads is ordered by the
     * application: by waits on the host, or by a {@linkplain #createSharedTimeline timeline} that both have.
     *
     * @throws GpuException if {@link io.frameloom.gpu.Capability#EXTERNAL_MEMORY_FD} is not on, or the device does not
     *     share buffers of these usages
     */
    Buffer createSharedBuffer(String name, BufferDescription description);

    /**
     * Creates a texture whose memory {@link #share(Texture)} hands out, else as {@link #createSharedBuffer}.
     *
     * <p>Each device keeps a layout of its own for it. All take it from UNDEFINED to one layout that they agree on,
     * such as GENERAL, before anybody writes to it, and hand it over in that layout. So it is never transferred between
     * queue families of two devices, and no contents are lost.
     *
     * @throws GpuException if {@link io.frameloom.gpu.Capability#EXTERNAL_MEMORY_FD} is not on, or the device does not
     *     share textures of this format and these usages
     */
    Texture createSharedTexture(String name, TextureDescription description);

    /**
     * Returns the memory of a buffer that was created to be shared, with a new file descriptor. The memory
     * lives as long as anybody has it.
     *
     * @throws IllegalArgumentException if it was not created to be shared, or is of another device
     */
    SharedMemory share(Buffer buffer);

    /** As {@link #share(Buffer)}, of a texture. */
    SharedTexture share(Texture texture);

    /**
     * Creates a buffer in the memory of one of another device of the same physical device, of this or another process.
     *
     * @param description that of the other one
     * @throws IllegalArgumentException if the memory is of another physical device or driver, or does not fit to the
     *     description
     * @throws GpuException as {@link #createSharedBuffer}
     */
    Buffer importBuffer(String name, BufferDescription description, SharedMemory memory);

    /** As {@link #importBuffer(String, BufferDescription, SharedMemory)}, of a texture that is described alike. */
    Texture importTexture(String name, SharedTexture shared);

    /**
     * Makes an engine's timeline semaphore known, so that submissions can wait for and signal its values ({@link
     * io.frameloom.gpu.command.Submission#with}).
     *
     * <p>Its values only grow. A submission is refused if it signals a value which the timeline has, which another
     * submission is to signal before, or which the submission itself waits for. What the engine signals is known once
     * it is reached. Signals of several queues need an order among each other, by waits; the greater value comes later.
     */
    ExternalTimeline importTimeline(String name, long semaphore);

    /**
     * Creates a timeline that {@link SharedTimeline#share} hands out. Waits for its values go by {@link
     * io.frameloom.gpu.command.Submission#with}; what a submission wrote is visible to one that waits for its signal.
     *
     * @throws GpuException if {@link io.frameloom.gpu.Capability#EXTERNAL_SEMAPHORE_FD} is not on, or the device shares
     *     no timelines
     */
    SharedTimeline createSharedTimeline(String name);

    /**
     * Creates a timeline that is one of another device of the same physical device, of this or another process. Takes
     * the file descriptor if it succeeds.
     *
     * @throws IllegalArgumentException if the file descriptor is of no such timeline
     * @throws GpuException as {@link #createSharedTimeline}
     */
    SharedTimeline importSharedTimeline(String name, int fileDescriptor);

    /**
     * Makes an engine's binary semaphore known, such as one by which its own swapchain hands out images and takes them
     * back. A submission waits for it once for each signal, which the engine submits before. The engine waits itself
     * for what a submission signals.
     */
    ExternalSemaphore importSemaphore(String name, long semaphore);

    /**
     * Takes over a VkSurfaceKHR that was made with this device's {@linkplain VulkanHandles#instance instance}, as GLFW
     * and SDL do; closing the surface destroys it.
     *
     * @param surface the VkSurfaceKHR
     * @throws GpuException naming the extensions without which the device was opened
     */
    Surface adoptSurface(String name, long surface);

    /**
     * Makes an engine's VkSurfaceKHR known. The engine destroys it, after it was closed here and before the instance
     * is.
     *
     * @throws GpuException naming the extensions without which the device was opened
     */
    Surface importSurface(String name, long surface);
}
