package io.frameloom.gpu.vulkan.queue;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.device.ImageTurn;
import io.frameloom.gpu.device.SwapchainChoice;
import io.frameloom.gpu.device.SwapchainCycle;
import io.frameloom.gpu.present.HdrMetadata;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.record.DeviceObject;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import io.frameloom.gpu.vulkan.driver.VulkanResults;
import io.frameloom.gpu.vulkan.resource.MemoryAllocator;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRSwapchain;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkHdrMetadataEXT;
import org.lwjgl.vulkan.VkPresentIdKHR;
import org.lwjgl.vulkan.VkPresentInfoKHR;
import org.lwjgl.vulkan.VkSemaphoreSubmitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;
import org.lwjgl.vulkan.VkSwapchainPresentFenceInfoEXT;

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

    /** The longest wait for the end of presentations: a window may be shown no more. */
    private static final long PATIENCE_NANOS = 2_000_000_000;

    private final DeviceCore core;
    private final MemoryAllocator memory;
    private final QueueDriver driver;
    private final List<VulkanQueue> queues;
    private final VulkanSurface surface;
    private final AcquireSemaphores semaphores;
    private @Nullable SwapchainImages images;
    /** Taken back, and to be destroyed when there are others. */
    private @Nullable SwapchainImages old;
    /** Replaced, and perhaps still being presented. */
    private final List<SwapchainImages> retired = new ArrayList<>();

    private boolean gone;

    private VulkanSwapchain(
            DeviceCore core,
            QueueDriver driver,
            MemoryAllocator memory,
            List<VulkanQueue> queues,
            String name,
            VulkanSurface surface,
            SwapchainDescription wished) {
        super(name, surface, wished, PAUSE_NANOS, has(core, driver, Capability.PRESENT_WAIT));
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

    private static boolean has(DeviceCore core, QueueDriver driver, Capability capability) {
        return core.capabilities().has(capability) || driver.played().contains(capability);
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
                .inside(() -> SwapchainImages.create(core, driver, memory, surface, name(), description, chosen, from));
    }

    @Override
    protected @Nullable Acquisition tryAcquire(long nanos) {
        SwapchainImages current = Objects.requireNonNull(images);
        destroyRetired(false);
        long slice = slice(current, nanos);
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

    private static long slice(SwapchainImages current, long nanos) {
        return Math.min(nanos, current.held() > 0 ? SLICE_NANOS : UNHELD_SLICE_NANOS);
    }

    @Override
    protected int held() {
        return images == null ? 0 : images.held();
    }

    @Override
    protected SwapchainStatus awaitDisplay(int most, long nanos) {
        SwapchainImages current = Objects.requireNonNull(images);
        long id = current.presented() - most;
        if (id <= current.displayed()) {
            return SwapchainStatus.OK;
        }
        int result = waitForPresent(current, id, slice(current, nanos));
        if (result == VK13.VK_TIMEOUT) {
            return SwapchainStatus.TIMEOUT;
        }
        SwapchainStatus status = status(result, "wait until swapchain '" + name() + "' is displayed");
        if (status.succeeded()) {
            current.displayed(id);
        }
        return status;
    }

    private int waitForPresent(SwapchainImages current, long id, long nanos) {
        core.gate().enter();
        try {
            return driver.waitForPresent(core.handle(), current.handle(), id, nanos);
        } finally {
            core.gate().leave();
        }
    }

    @Override
    protected boolean describe(HdrMetadata metadata) {
        boolean passes = has(core, driver, Capability.HDR_METADATA);
        SwapchainImages current = images;
        if (passes && current != null) {
            core.gate().inside(() -> {
                describe(current, metadata);
                return true;
            });
        }
        return passes;
    }

    private void describe(SwapchainImages current, HdrMetadata metadata) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkHdrMetadataEXT told = VkHdrMetadataEXT.calloc(stack)
                    .sType$Default()
                    .maxLuminance(metadata.maxLuminance())
                    .minLuminance(metadata.minLuminance())
                    .maxContentLightLevel(metadata.maxContentLightLevel())
                    .maxFrameAverageLightLevel(metadata.maxFrameAverageLightLevel());
            float[] xy = chromaticities(metadata.primaries());
            told.displayPrimaryRed().set(xy[0], xy[1]);
            told.displayPrimaryGreen().set(xy[2], xy[3]);
            told.displayPrimaryBlue().set(xy[4], xy[5]);
            told.whitePoint().set(0.3127f, 0.3290f);
            driver.describe(core.handle(), current.handle(), told);
        }
    }

    /** Returns x and y of red, green and blue in CIE 1931. */
    private static float[] chromaticities(HdrMetadata.Primaries primaries) {
        return switch (primaries) {
            case BT709 -> new float[] {0.640f, 0.330f, 0.300f, 0.600f, 0.150f, 0.060f};
            case DISPLAY_P3 -> new float[] {0.680f, 0.320f, 0.265f, 0.690f, 0.150f, 0.060f};
            case BT2020 -> new float[] {0.708f, 0.292f, 0.170f, 0.797f, 0.131f, 0.046f};
        };
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
        SwapchainImages current = Objects.requireNonNull(images);
        int result = present(current, (VulkanSwapchainImage) turn, fence(current.fences(), turn));
        if (isNotEnqueued(result)) {
            turn.undoPresent();
            check(result, what);
        }
        return status(result, what);
    }

    private long fence(@Nullable PresentFences fences, ImageTurn turn) {
        try {
            return fences == null ? VK13.VK_NULL_HANDLE : core.gate().inside(fences::take);
        } catch (RuntimeException refused) {
            turn.undoPresent();
            throw refused;
        }
    }

    private int present(SwapchainImages current, VulkanSwapchainImage turn, long fence) {
        VulkanQueue queue = (VulkanQueue) presentQueue();
        PresentFences fences = current.fences();
        int result = VK13.VK_ERROR_OUT_OF_HOST_MEMORY;
        queue.guard().lock();
        try {
            core.gate().enter();
            try {
                result = presentInside(queue, current, turn, fence);
            } finally {
                core.gate().leave();
            }
        } finally {
            queue.guard().unlock();
            if (fences != null) {
                note(fences, fence, result);
            }
        }
        // Also of one that failed: the next one's must be larger.
        if (!isNotEnqueued(result) && reportsDisplay()) {
            current.presented(current.presented() + 1);
        }
        return result;
    }

    /** A presentation that finds no memory is as if it had not been asked for; others do what they signal. */
    private static void note(PresentFences fences, long fence, int result) {
        if (isNotEnqueued(result)) {
            fences.giveBack(fence);
        } else {
            fences.use(fence);
        }
    }

    private static boolean isNotEnqueued(int result) {
        return result == VK13.VK_ERROR_OUT_OF_HOST_MEMORY || result == VK13.VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }

    private int presentInside(VulkanQueue queue, SwapchainImages current, VulkanSwapchainImage turn, long fence) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkPresentInfoKHR info = VkPresentInfoKHR.calloc(stack)
                    .sType$Default()
                    .pWaitSemaphores(stack.longs(turn.presentable()))
                    .swapchainCount(1)
                    .pSwapchains(stack.longs(current.handle()))
                    .pImageIndices(stack.ints(turn.index()));
            if (fence != VK13.VK_NULL_HANDLE) {
                info.pNext(VkSwapchainPresentFenceInfoEXT.calloc(stack)
                        .sType$Default()
                        .pFences(stack.longs(fence)));
            }
            if (reportsDisplay()) {
                info.pNext(VkPresentIdKHR.calloc(stack)
                        .sType$Default()
                        .swapchainCount(1)
                        .pPresentIds(stack.longs(current.presented() + 1)));
            }
            return driver.present(queue.handle(), info);
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
     * queue unless they have fences, and signals of acquisitions without a wait, which would otherwise come to destroyed
     * semaphores. A device that cannot be waited for is lost.
     *
     * @param unwaited turns whose acquisition nothing has waited for; no submission names a turn any more
     */
    private void drain(List<VulkanSwapchainImage> unwaited) {
        // A submission that was in progress when the turns were taken back has ended when its queue can be had.
        queues.forEach(queue -> queue.exclusively(() -> {}));
        queues.forEach(queue -> queue.vulkanTimeline().drain());
        if (core.loss().cause() != null
                || (has(core, driver, Capability.SWAPCHAIN_MAINTENANCE) && unwaited.isEmpty())) {
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
        if (old != null) {
            retired.add(old);
            old = null;
        }
        // A surface without a swapchain is free for another one.
        destroyRetired(images == null);
    }

    /**
     * Destroys replaced swapchains.
     *
     * @param all all of them, after a wait; else those whose presentations are over
     */
    private void destroyRetired(boolean all) {
        if (!retired.isEmpty()) {
            core.gate()
                    .closing(() -> retired.removeIf(unused -> {
                        PresentFences fences = unused.fences();
                        boolean over = fences == null || fences.await(all ? PATIENCE_NANOS : 0) || all;
                        if (over) {
                            unused.destroy();
                        }
                        return over;
                    }));
        }
    }

    @Override
    protected boolean release() {
        destroyRetired(true);
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
