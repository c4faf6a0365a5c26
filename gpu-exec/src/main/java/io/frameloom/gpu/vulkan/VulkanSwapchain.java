package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import io.frameloom.gpu.Format;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.PresentMode;
import io.frameloom.gpu.Surface;
import io.frameloom.gpu.SurfaceLostException;
import io.frameloom.gpu.Swapchain;
import io.frameloom.gpu.SwapchainDescription;
import io.frameloom.gpu.SwapchainImage;
import io.frameloom.gpu.SwapchainStatus;
import io.frameloom.gpu.internal.SwapchainChoice;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPresentInfoKHR;

/**
 * A swapchain of a Vulkan device.
 *
 * <p>Acquiring and presenting exclude each other, as the VkSwapchainKHR asks; the lock is taken before that of a queue.
 * While the application has an image, somebody may want to present it, so acquisitions then wait in slices and let the
 * lock go in between.
 */
final class VulkanSwapchain implements Swapchain, DeviceObject {
    private static final long SLICE_NANOS = 2_000_000;
    private static final long PAUSE_NANOS = 200_000;

    private final DeviceCore core;
    private final MemoryAllocator memory;
    private final SwapchainDrain drain;
    private final String name;
    private final VulkanSurface surface;
    private final AcquireSemaphores semaphores;
    private final ReentrantLock lock = new ReentrantLock(true);
    private SwapchainDescription wished;
    private SwapchainChoice choice;
    private @Nullable SwapchainImages images;
    /** Why there is nothing to acquire; OK if there is. */
    private SwapchainStatus state = SwapchainStatus.OK;

    private volatile boolean closed;

    private VulkanSwapchain(
            DeviceCore core,
            MemoryAllocator memory,
            SwapchainDrain drain,
            String name,
            VulkanSurface surface,
            SwapchainDescription wished,
            SwapchainChoice choice) {
        this.core = core;
        this.memory = memory;
        this.drain = drain;
        this.name = name;
        this.surface = surface;
        this.wished = wished;
        this.choice = choice;
        this.semaphores = new AcquireSemaphores(core, name);
    }

    static VulkanSwapchain create(
            DeviceCore core,
            QueueDriver driver,
            MemoryAllocator memory,
            List<VulkanQueue> queues,
            String name,
            VulkanSurface surface,
            SwapchainDescription wished) {
        core.loss().check();
        SwapchainChoice choice = SwapchainChoice.of(name, wished, surface.support());
        SwapchainDrain drain = new SwapchainDrain(core, driver, queues, (VulkanQueue) choice.queue());
        VulkanSwapchain swapchain = new VulkanSwapchain(core, memory, drain, name, surface, wished, choice);
        surface.occupy(swapchain);
        try {
            swapchain.make(VK13.VK_NULL_HANDLE);
            return swapchain;
        } catch (RuntimeException | Error failure) {
            surface.vacate(swapchain);
            throw failure;
        }
    }

    private void make(long old) {
        if (!choice.hasArea()) {
            state = SwapchainStatus.MINIMIZED;
            return;
        }
        images = SwapchainImages.create(core, memory, surface, name, wished, choice, old);
        state = SwapchainStatus.OK;
    }

    @Override
    public Acquisition acquire(Duration timeout) {
        long nanos = nanos(timeout);
        long start = System.nanoTime();
        long left = nanos;
        while (true) {
            Acquisition acquisition = tryAcquire(left);
            if (acquisition != null) {
                return acquisition;
            }
            left = nanos - (System.nanoTime() - start);
            if (left <= 0) {
                return new Acquisition(SwapchainStatus.TIMEOUT, null);
            }
            // Whoever waits for the lock gets it now; and some drivers do not wait for an image themselves.
            LockSupport.parkNanos(Math.min(left, PAUSE_NANOS));
        }
    }

    private static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        // All bits set would mean for ever, which is forbidden where no image may ever become free.
        return timeout.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : timeout.toNanos();
    }

    /** Returns what became of one attempt, or null if no image became free. */
    private @Nullable Acquisition tryAcquire(long timeoutNanos) {
        lock.lock();
        try {
            requireOpen("acquired from");
            core.loss().check();
            SwapchainImages current = images;
            if (current == null || state != SwapchainStatus.OK) {
                return new Acquisition(state, null);
            }
            long slice = current.anyHeld() ? Math.min(timeoutNanos, SLICE_NANOS) : timeoutNanos;
            long semaphore = semaphores.take();
            boolean taken = false;
            try (MemoryStack stack = MemoryStack.stackPush()) {
                var index = stack.mallocInt(1);
                int result = KHRSwapchain.vkAcquireNextImageKHR(
                        core.handle(), current.handle(), slice, semaphore, VK13.VK_NULL_HANDLE, index);
                if (result == VK13.VK_TIMEOUT || result == VK13.VK_NOT_READY) {
                    return null;
                }
                SwapchainStatus status = status(result, "acquire an image of swapchain '" + name + "'");
                if (!status.succeeded()) {
                    state = status;
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
        } finally {
            lock.unlock();
        }
    }

    @Override
    public SwapchainStatus present(SwapchainImage image) {
        lock.lock();
        try {
            requireOpen("presented to");
            SwapchainImages current = images;
            if (!(image instanceof VulkanSwapchainImage turn) || turn.swapchain() != this) {
                throw new IllegalArgumentException("swapchain '" + name + "' presents " + image + "; present it there");
            }
            core.loss().check();
            if (current == null) {
                throw new IllegalStateException("swapchain '" + name + "' has no images now, but presents " + image
                        + ", which it has taken back; recreate it and acquire an image");
            }
            turn.beginPresent();
            int result = present(current, turn);
            if (result == VK13.VK_ERROR_OUT_OF_HOST_MEMORY || result == VK13.VK_ERROR_OUT_OF_DEVICE_MEMORY) {
                turn.undoPresent();
                check(result, "present " + image);
            }
            return presented(result, "present " + image);
        } finally {
            lock.unlock();
        }
    }

    private int present(SwapchainImages current, VulkanSwapchainImage turn) {
        VulkanQueue queue = (VulkanQueue) choice.queue();
        queue.guard().lock();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return KHRSwapchain.vkQueuePresentKHR(
                    queue.handle(),
                    VkPresentInfoKHR.calloc(stack)
                            .sType$Default()
                            .pWaitSemaphores(stack.longs(turn.presentable()))
                            .swapchainCount(1)
                            .pSwapchains(stack.longs(current.handle()))
                            .pImageIndices(stack.ints(turn.index())));
        } finally {
            queue.guard().unlock();
        }
    }

    private SwapchainStatus presented(int result, String what) {
        SwapchainStatus status;
        try {
            status = status(result, what);
        } catch (RuntimeException failure) {
            // Nobody knows whether the image went: only a new swapchain is sure to work.
            state = SwapchainStatus.OUT_OF_DATE;
            throw failure;
        }
        if (!status.succeeded()) {
            state = status;
        }
        return status;
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
    public SwapchainStatus recreate(int width, int height) {
        lock.lock();
        try {
            requireOpen("recreated as");
            core.loss().check();
            SwapchainDescription next = wished.withExtent(width, height);
            SwapchainImages old = images;
            if (old != null) {
                drain.drain(old.abandon());
                semaphores.reclaim();
            }
            images = null;
            state = SwapchainStatus.OUT_OF_DATE;
            wished = next;
            try {
                core.loss().check();
                choice = SwapchainChoice.of(name, next, surface.support());
                make(old == null ? VK13.VK_NULL_HANDLE : old.handle());
            } catch (SurfaceLostException lost) {
                state = SwapchainStatus.SURFACE_LOST;
            } finally {
                if (old != null) {
                    old.destroy();
                }
            }
            return state;
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen(String action) {
        if (closed) {
            throw new IllegalStateException("swapchain '" + name + "' is " + action + " after it was closed");
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Kind objectKind() {
        return Kind.SWAPCHAIN;
    }

    @Override
    public Surface surface() {
        return surface;
    }

    @Override
    public Format format() {
        return chosen().format();
    }

    @Override
    public PresentMode presentMode() {
        return chosen().mode();
    }

    @Override
    public int width() {
        return chosen().width();
    }

    @Override
    public int height() {
        return chosen().height();
    }

    @Override
    public int imageCount() {
        lock.lock();
        try {
            return images == null ? 0 : images.count();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public GpuQueue presentQueue() {
        return chosen().queue();
    }

    private SwapchainChoice chosen() {
        lock.lock();
        try {
            return choice;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            SwapchainImages current = images;
            images = null;
            if (current != null) {
                drain.drain(current.abandon());
                current.destroy();
            }
            semaphores.close();
            surface.vacate(this);
            core.objects().remove(this);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return describe();
    }
}
