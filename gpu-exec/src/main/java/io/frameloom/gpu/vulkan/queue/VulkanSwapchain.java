package io.frameloom.gpu.vulkan.queue;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.device.ImageTurn;
import io.frameloom.gpu.device.SwapchainChoice;
import io.frameloom.gpu.device.SwapchainCycle;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.record.DeviceObject;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import io.frameloom.gpu.vulkan.driver.VulkanResults;
import io.frameloom.gpu.vulkan.resource.MemoryAllocator;
import java.nio.IntBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPresentInfoKHR;
import org.lwjgl.vulkan.VkSemaphoreSubmitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/**
 * A swapchain of a Vulkan device.
 *
 * <p>Acquiring and presenting exclude each other, as the VkSwapchainKHR requires; the lock is taken before that of a
 * queue. Acquisitions wait in slices and release the lock in between: another thread may want to present its image or
 * close the swapchain, and a driver may wait for an image of a device that is lost.
 */
public final class VulkanSwapchain extends SwapchainCycle implements DeviceObject {
    private static final long SLICE_NANOS = 2_000_000;
    /** While the application has no image, nothing but the presentation engine makes one free. */
    private static final long UNHELD_SLICE_NANOS = 20_000_000;

    /** Some drivers do not wait for an image themselves. */
    private static final long PAUSE_NANOS = 200_000;

    private final DeviceCore core;
    private final MemoryAllocator memory;
    private final QueueDriver driver;
    private final List<VulkanQueue> queues;
    private final VulkanSurface surface;
    private final AcquireSemaphores semaphores;
    private @Nullable SwapchainImages images;
    /** Taken back, and to be destroyed when there are others. */
    private @Nullable SwapchainImages old;

    private boolean gone;

    private VulkanSwapchain(
            DeviceCore core,
            QueueDriver driver,
            MemoryAllocator memory,
            List<VulkanQueue> queues,
            String name,
            VulkanSurface surface,
            SwapchainDescription wished) {
        super(name, surface, wished, PAUSE_NANOS);
        this.core = core;
        this.memory = memory;
        this.surface = surface;
        this.driver = driver;
        this.queues = queues;
        this.semaphores = new AcquireSemaphores(core, name);
    }

    public static VulkanSwapchain create(
            DeviceCore core,
            QueueDriver driver,
            MemoryAllocator memory,
            List<VulkanQueue> queues,
            String name,
            VulkanSurface surface,
            SwapchainDescription wished) {
        core.loss().check();
        VulkanSwapchain swapchain = new VulkanSwapchain(core, driver, memory, queues, name, surface, wished);
        surface.occupy(swapchain);
        try {
            swapchain.begin();
            return swapchain;
        } catch (RuntimeException | Error failure) {
            surface.vacate(swapchain);
            throw failure;
        }
    }

    @Override
    protected void requireUsable() {
        core.loss().check();
    }

    /** Only the next call returns the new status of the surface. */
    @Override
    protected SwapchainStatus surfaceStatus() {
        return SwapchainStatus.OK;
    }

    @Override
    protected void make(SwapchainDescription description, SwapchainChoice chosen) {
        long from = old == null ? VK13.VK_NULL_HANDLE : old.handle();
        images = core.gate()
                .inside(() -> SwapchainImages.create(core, memory, surface, name(), description, chosen, from));
    }

    @Override
    protected @Nullable Acquisition tryAcquire(long nanos) {
        SwapchainImages current = Objects.requireNonNull(images);
        long slice = Math.min(nanos, current.anyHeld() ? SLICE_NANOS : UNHELD_SLICE_NANOS);
        long semaphore = core.gate().inside(semaphores::take);
        boolean taken = false;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var index = stack.mallocInt(1);
            // Its result is handled out of the gate: code that learns of a loss may close the device.
            int result = acquire(current, slice, semaphore, index);
            if (result == VK13.VK_TIMEOUT || result == VK13.VK_NOT_READY) {
                return null;
            }
            SwapchainStatus status = status(result, "acquire an image of swapchain '" + name() + "'");
            if (!status.succeeded()) {
                return new Acquisition(status, null);
            }
            VulkanSwapchainImage turn = current.begin(this, index.get(0), semaphore);
            semaphores.use(turn);
            taken = true;
            return new Acquisition(status, turn);
        } finally {
            if (!taken) {
                semaphores.giveBack(semaphore);
            }
        }
    }

    private int acquire(SwapchainImages current, long nanos, long semaphore, IntBuffer index) {
        core.gate().enter();
        try {
            return KHRSwapchain.vkAcquireNextImageKHR(
                    core.handle(), current.handle(), nanos, semaphore, VK13.VK_NULL_HANDLE, index);
        } finally {
            core.gate().leave();
        }
    }

    @Override
    protected SwapchainStatus show(ImageTurn turn) {
        String what = "present " + turn;
        int result = present(Objects.requireNonNull(images), (VulkanSwapchainImage) turn);
        if (result == VK13.VK_ERROR_OUT_OF_HOST_MEMORY || result == VK13.VK_ERROR_OUT_OF_DEVICE_MEMORY) {
            turn.undoPresent();
            check(result, what);
        }
        return status(result, what);
    }

    private int present(SwapchainImages current, VulkanSwapchainImage turn) {
        VulkanQueue queue = (VulkanQueue) presentQueue();
        queue.guard().lock();
        try {
            core.gate().enter();
            try {
                return presentInside(queue, current, turn);
            } finally {
                core.gate().leave();
            }
        } finally {
            queue.guard().unlock();
        }
    }

    private static int presentInside(VulkanQueue queue, SwapchainImages current, VulkanSwapchainImage turn) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return KHRSwapchain.vkQueuePresentKHR(
                    queue.handle(),
                    VkPresentInfoKHR.calloc(stack)
                            .sType$Default()
                            .pWaitSemaphores(stack.longs(turn.presentable()))
                            .swapchainCount(1)
                            .pSwapchains(stack.longs(current.handle()))
                            .pImageIndices(stack.ints(turn.index())));
        }
    }

    private SwapchainStatus status(int result, String what) {
        return switch (result) {
            case VK13.VK_SUCCESS -> SwapchainStatus.OK;
            case KHRSwapchain.VK_SUBOPTIMAL_KHR -> SwapchainStatus.SUBOPTIMAL;
            case KHRSwapchain.VK_ERROR_OUT_OF_DATE_KHR -> SwapchainStatus.OUT_OF_DATE;
            case KHRSurface.VK_ERROR_SURFACE_LOST_KHR -> SwapchainStatus.SURFACE_LOST;
            case VK13.VK_ERROR_DEVICE_LOST -> throw core.loss().lose(what, result);
            default -> {
                check(result, what);
                throw new IllegalStateException("cannot " + what + ": " + VulkanResults.name(result));
            }
        };
    }

    @Override
    protected void takeBack() {
        SwapchainImages current = images;
        if (current != null) {
            drain(current.abandon());
            semaphores.reclaim();
            images = null;
            old = current;
        }
    }

    /**
     * Waits until the device has finished with the images: submissions on any queue, presentations on the presenting
     * queue, and signals of acquisitions without a wait, which would otherwise come to destroyed semaphores. A device
     * that cannot be waited for is lost.
     *
     * @param unwaited turns whose acquisition nothing has waited for; no submission names a turn any more
     */
    private void drain(List<VulkanSwapchainImage> unwaited) {
        // A submission that was in progress when the turns were taken back has ended when its queue can be had.
        queues.forEach(queue -> queue.exclusively(() -> {}));
        queues.forEach(queue -> queue.vulkanTimeline().drain());
        if (core.loss().cause() != null) {
            return;
        }
        VulkanQueue presenting = (VulkanQueue) presentQueue();
        int result;
        presenting.guard().lock();
        try {
            result = waitInside(presenting, unwaited);
        } finally {
            presenting.guard().unlock();
        }
        // Out of the gate: code that learns of a loss may close the device.
        if (result != VK13.VK_SUCCESS) {
            core.loss().lose("waiting for what queue '" + presenting.name() + "' presents", result);
        }
    }

    /** Closing the device waits for all of it. */
    private int waitInside(VulkanQueue presenting, List<VulkanSwapchainImage> unwaited) {
        if (!core.gate().enterToClose()) {
            return VK13.VK_SUCCESS;
        }
        try {
            int result = unwaited.isEmpty() ? VK13.VK_SUCCESS : waitFor(presenting, unwaited);
            return result == VK13.VK_SUCCESS ? driver.waitIdle(presenting.handle()) : result;
        } finally {
            core.gate().leave();
        }
    }

    private int waitFor(VulkanQueue presenting, List<VulkanSwapchainImage> unwaited) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkSemaphoreSubmitInfo.Buffer waits = VkSemaphoreSubmitInfo.calloc(unwaited.size(), stack);
            for (int i = 0; i < unwaited.size(); i++) {
                waits.get(i)
                        .sType$Default()
                        .semaphore(unwaited.get(i).acquired())
                        .stageMask(VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
            }
            VkSubmitInfo2.Buffer submission = VkSubmitInfo2.calloc(1, stack);
            submission.get(0).sType$Default().pWaitSemaphoreInfos(waits);
            return driver.submit(presenting.handle(), submission, VK13.VK_NULL_HANDLE);
        }
    }

    @Override
    protected void discard() {
        SwapchainImages unused = old;
        if (unused != null) {
            core.gate().closing(() -> {
                unused.destroy();
                old = null;
            });
        }
    }

    @Override
    protected boolean release() {
        core.gate().closing(() -> {
            semaphores.close();
            surface.vacate(this);
            core.objects().remove(this);
            gone = true;
        });
        return gone;
    }

    @Override
    protected int images() {
        return images == null ? 0 : images.count();
    }

    @Override
    public String toString() {
        return describe();
    }
}
