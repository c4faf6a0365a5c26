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
 * <p>It executes submissions on one thread of its own. It obeys only what was emitted: timeline waits and barriers,
 * with their stages. Whatever they leave unordered runs in an {@linkplain VirtualGpuOptions.Order order} that by
 * default an adversary picks by {@link VirtualGpuOptions#seed}. The passes of one queue may run in any order that no
 * barrier forbids, with their commands interleaved; the commands of one pass keep their order.
 *
 * <p>Equal options give equal orders for equal sequences of submissions and waits. A wait is a call that asks the
 * timeline for a value, by any thread. So a program that wants to repeat an order asks on its submitting thread. The
 * call returns when the virtual GPU has done all earlier work (or after a second, if a kernel takes longer than that).
 *
 * <p>Memory is real where it matters: copies, fills, clears and compute passes with a {@link
 * io.frameloom.gpu.pipeline.CpuKernel} compute bytes. Raster work and other dispatches are simulated. They take time on
 * the simulated clock of their queue ({@link DeviceCapabilities#timestamps} are of that clock, which starts at the
 * submission's {@link System#nanoTime}). They leave contents derived from the pass and from the contents that it
 * declared to read, so that a wrong order shows in whatever is read back.
 *
 * <p>Undefined contents are clobbered, unless the options say otherwise: fresh memory, memory where a resource was
 * placed or closed and that no other one holds, discarded contents, and what a render pass does not store. A missing
 * availability or visibility operation is not simulated, only a missing order; the {@linkplain io.frameloom.gpu.check
 * hazard checker} reports both.
 *
 * <p>A kernel that throws loses the device, as a crashing shader does. Every pending event fails with a {@link
 * io.frameloom.gpu.error.DeviceLostException} that names pass and pipeline and has the failure as its cause, and later
 * submissions throw it. A kernel's memory ends where the bound range ends, so a kernel that leaves it throws, with or
 * without {@link DeviceOptions#withRobustBufferAccess}.
 *
 * <p>The options can also lose the device or refuse memory at a chosen place, so that an application can test how it
 * reacts.
 *
 * <p>Threads as {@link GpuDevice} says.
 */
public interface VirtualDevice extends GpuDevice {
    /**
     * Opens a virtual device. Each kind of queue is a family of its own.
     *
     * @param virtual how it behaves
     * @param options as for any device. Validation and the numbers of queues are ignored: there is no layer to load,
     *     and {@link VirtualGpuOptions#queues} has the queues
     * @throws io.frameloom.gpu.error.GpuException if a native library of LWJGL, with which shaders are compiled, is
     *     missing
     */
    static VirtualDevice open(VirtualGpuOptions virtual, DeviceOptions options) {
        return SimulatedDevice.open(virtual, options);
    }

    /**
     * Makes a timeline that submissions and the application wait for and signal, like an engine's timeline semaphore on
     * a Vulkan device. Before you close the device, signal what submissions wait for; otherwise it is lost.
     */
    VirtualExternalTimeline createExternalTimeline(String name);

    /** Makes a surface that shows nothing and keeps the newest image; its swapchains have its extent. */
    @Override
    VirtualSurface createHeadlessSurface(String name, int width, int height);

    /**
     * Reports executed commands to {@code listener}, in order, as {@code queue:pass / command}; null ends the reports.
     * Called on the thread of the virtual GPU, from the next submission on.
     */
    void onExecuted(@Nullable Consumer<String> listener);
}
