package io.frameloom.gpu.virtual;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.virtual.device.SimulatedDevice;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The virtual GPU: a device that needs no driver.
 *
 * <p>It executes submissions on one thread of its own and honours nothing but what was emitted: timeline waits and
 * barriers, with their stages. Whatever they leave unordered runs in an {@linkplain VirtualGpuOptions.Order order} that
 * by default an adversary picks by {@link VirtualGpuOptions#seed}; the passes of one queue may run in any order that no
 * barrier forbids and their commands between each other, and the commands of one pass stay in theirs. Equal options give
 * equal orders for equal sequences of submissions and waits; a wait is a call that asks the timeline for a value, by
 * whichever thread, so a program that wants to repeat an order asks on its submitting thread; and it is answered when the
 * virtual GPU has done what was asked of it before (or after a second, if a kernel takes longer than that).
 *
 * <p>Memory is real where it matters: copies, fills, clears and compute passes with a
 * {@link io.frameloom.gpu.pipeline.CpuKernel} compute bytes. Raster work and other dispatches are simulated: they take time on
 * the simulated clock of their queue ({@link DeviceCapabilities#timestamps} are of that clock, which starts at the
 * submission's {@link System#nanoTime}), and they leave contents derived from the pass and from the contents that it
 * declared to read, so that a wrong order shows in whatever is read back. Fresh memory, memory where a resource was placed
 * or closed and that no other one holds, discarded contents, and what a render pass does not store are clobbered, unless the
 * options say otherwise. A missing availability or visibility operation is not simulated, only a missing order; the
 * {@linkplain io.frameloom.gpu.check hazard checker} reports both.
 *
 * <p>A kernel that throws loses the device, as a crashing shader does: every pending event fails with a
 * {@link io.frameloom.gpu.error.DeviceLostException} that names pass and pipeline and has the failure as its cause, and later submissions throw
 * it. What a kernel is given ends where the range ends that is bound, so one that leaves it throws;
 * {@link DeviceOptions#withRobustBufferAccess} changes nothing of that.
 *
 * <p>The options can also lose the device or refuse memory at a chosen place, so that an application can test what it
 * does then.
 *
 * <p>Threads as {@link GpuDevice} says.
 */
public interface VirtualDevice extends GpuDevice {
    /**
     * Opens a virtual device. Each kind of queue is a family of its own.
     *
     * @param virtual how it behaves
     * @param options as for any device; validation has nothing to load here and is ignored, and so are the numbers of
     *     queues, which {@link VirtualGpuOptions#queues} says
     * @throws io.frameloom.gpu.error.GpuException if a native library of LWJGL is missing, with which shaders are compiled
     */
    static VirtualDevice open(VirtualGpuOptions virtual, DeviceOptions options) {
        return SimulatedDevice.open(virtual, options);
    }

    /**
     * Makes a timeline that submissions wait for and signal, and the application as well: what a timeline semaphore of an
     * engine is to a Vulkan device. Signal what submissions wait for before you close the device, which is lost otherwise.
     */
    VirtualExternalTimeline createExternalTimeline(String name);

    /** Makes a surface that shows nothing and keeps the newest image; its swapchains have its extent. */
    @Override
    VirtualSurface createHeadlessSurface(String name, int width, int height);

    /**
     * Tells {@code listener} what is executed, in order, as {@code queue:pass / command}; null for nobody. Called on the
     * thread of the virtual GPU, from the next submission on.
     */
    void onExecuted(@Nullable Consumer<String> listener);
}
