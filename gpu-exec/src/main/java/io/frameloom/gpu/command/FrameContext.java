package io.frameloom.gpu.command;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.UploadSlice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory and pools of one frame in flight, which the next use of the slot recycles: command pools by thread and
 * queue family, descriptor pools, and a ring of upload memory. The ring keeps at most what the last rounds needed, and
 * gives memory back some rounds after the load has become much smaller.
 *
 * <p>What is bound by name or slot is written for the device once. A later round that binds the same resources, views,
 * samplers and ranges finds it again, as long as all of them are open, no more than eight rounds lie in between, and no
 * more than 1,024 such sets are idle.
 *
 * <p>{@link #beginCommands}, {@link #beginSecondary} and {@link #allocateUpload} may be called by any threads at the
 * same time. {@link #reset} and {@link #close} are called by one thread, with no other in any call of this context or
 * of a list that was begun here. If the context passes from thread to thread, the application orders this, as the end
 * of a task does. After a close everything but a second close throws {@link IllegalStateException}.
 *
 * <p>Command lists are recycled as well: an object is handed out again after the second {@link #reset} after its use,
 * at the earliest. Between the two resets every use of the old list is refused as that of a recycled one. A reference
 * that is kept for longer may be to another owner's list. Keep no list beyond the reset. On a device with a {@linkplain
 * DeviceOptions#validation validation layer} or a {@linkplain DeviceOptions#observer submission observer}, such as the
 * hazard checker, no object is handed out twice. So every such mistake is found.
 */
public interface FrameContext extends AutoCloseable {
    /** Returns the debug name. */
    String name();

    /** Begins a command list for {@code queue}; recorded by the calling thread. */
    CommandList beginCommands(GpuQueue queue, String label);

    /**
     * Begins a secondary command list, to be executed by a primary list of a queue of the same family
     * ({@link CommandList#execute}); recorded by the calling thread.
     *
     * @param queue queue of the family
     * @param label name for messages and traces
     * @param rendering formats of the render pass that will execute it, or null for compute and copy work outside of
     *     render passes
     * @param uses what the pass in which it will be executed declares, for the layouts of what is bound
     * @throws IllegalArgumentException if the device has no render pass of such formats, samples or layers
     */
    CommandList beginSecondary(
            GpuQueue queue, String label, @Nullable RenderingFormats rendering, List<ResourceUse> uses);

    /**
     * Returns upload memory that is valid until the next {@link #reset}.
     *
     * @param bytes size, at least 1
     * @param alignment in bytes, at least 1; the offset is a multiple of it, of the device's own minimum for uniform
     *     and storage offsets, and of 4. For texels it is the size of a texel or block ({@link Format#planeBytes})
     */
    BufferSlice allocateUpload(long bytes, int alignment);

    /**
     * As {@link #allocateUpload(long, int)}, into a slice that the application keeps. Makes no objects in steady use.
     *
     * @param into receives the memory; it no longer refers to what it held before
     */
    default void allocateUpload(long bytes, int alignment, UploadSlice into) {
        BufferSlice slice = allocateUpload(bytes, alignment);
        into.set(slice.buffer(), slice.buffer().mapped(), (int) slice.offset(), (int) slice.bytes());
    }

    /**
     * Recycles everything: command buffers, descriptor sets and upload memory. Lists that were begun here can no longer
     * be recorded, executed or submitted, whether they were ended or not, and memory from {@link #allocateUpload} is
     * reused. Call it once for each round of the frame, when the device has completed what was submitted.
     *
     * @throws IllegalStateException if the device still executes a list of this context, naming the queue and the value
     *     to wait for; nothing is recycled then. A lost device executes nothing
     */
    void reset();

    /**
     * Destroys everything; a second call does nothing.
     *
     * @throws IllegalStateException as {@link #reset} does; nothing is destroyed then
     */
    @Override
    void close();
}
