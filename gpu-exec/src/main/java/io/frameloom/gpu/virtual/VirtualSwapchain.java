package io.frameloom.gpu.virtual;

import io.frameloom.gpu.Format;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.PresentMode;
import io.frameloom.gpu.Surface;
import io.frameloom.gpu.SurfaceLostException;
import io.frameloom.gpu.Swapchain;
import io.frameloom.gpu.SwapchainDescription;
import io.frameloom.gpu.SwapchainImage;
import io.frameloom.gpu.SwapchainStatus;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.internal.SwapchainChoice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A swapchain of the virtual device: images take turns in order, and an image can be acquired again as soon as it was
 * handed over, long before the presentation engine has read it. Only the wait for the acquisition keeps work away until
 * then.
 */
final class VirtualSwapchain implements Swapchain, VirtualObject {
    private final VirtualDevice device;
    private final String name;
    private final VirtualSurface surface;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition handedOver = lock.newCondition();
    private SwapchainDescription wished;
    private SwapchainChoice choice;
    private List<VirtualSwapchainImage.Slot> slots = List.of();
    private @Nullable VirtualSwapchainImage[] turns = new VirtualSwapchainImage[0];
    private SwapchainStatus state = SwapchainStatus.OK;
    private int next;
    private boolean closed;

    /** Touched by the thread of the virtual GPU alone. */
    private @Nullable WorkNode newestPresentation;

    VirtualSwapchain(VirtualDevice device, String name, VirtualSurface surface, SwapchainDescription wished) {
        this.device = device;
        this.name = name;
        this.surface = surface;
        this.wished = wished;
        this.choice = SwapchainChoice.of(name, wished, surface.support());
        surface.occupy(this);
        try {
            make();
        } catch (RuntimeException | Error failure) {
            surface.vacate();
            throw failure;
        }
    }

    private void make() {
        if (!choice.hasArea()) {
            state = SwapchainStatus.MINIMIZED;
            return;
        }
        TextureDescription description =
                new TextureDescription(choice.width(), choice.height(), 1, 1, choice.format(), wished.usages());
        List<VirtualSwapchainImage.Slot> made = new ArrayList<>();
        try {
            for (int i = 0; i < choice.images(); i++) {
                made.add(new VirtualSwapchainImage.Slot(
                        device.resources().swapchainTexture(name + " " + i, description)));
            }
        } catch (RuntimeException | Error failure) {
            made.forEach(slot -> slot.texture.release());
            throw failure;
        }
        slots = made;
        turns = new VirtualSwapchainImage[made.size()];
        next = 0;
        state = SwapchainStatus.OK;
    }

    @Override
    public Acquisition acquire(Duration timeout) {
        long left = timeout.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : timeout.toNanos();
        boolean interrupted = false;
        lock.lock();
        try {
            while (true) {
                requireOpen("acquired from");
                device.queuing().requireUsable();
                SwapchainStatus status = status();
                if (status != SwapchainStatus.OK) {
                    return new Acquisition(status, null);
                }
                VirtualSwapchainImage last = turns[next];
                if (last == null || !last.isHeld()) {
                    VirtualSwapchainImage turn = new VirtualSwapchainImage(device, this, next, slots.get(next));
                    turns[next] = turn;
                    next = (next + 1) % turns.length;
                    return new Acquisition(SwapchainStatus.OK, turn);
                }
                if (left <= 0) {
                    return new Acquisition(SwapchainStatus.TIMEOUT, null);
                }
                long start = System.nanoTime();
                try {
                    left = handedOver.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                    left -= System.nanoTime() - start;
                }
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private SwapchainStatus status() {
        if (surface.isLost()) {
            return SwapchainStatus.SURFACE_LOST;
        }
        return state == SwapchainStatus.OK && !surface.hasExtent(choice.width(), choice.height())
                ? SwapchainStatus.OUT_OF_DATE
                : state;
    }

    @Override
    public SwapchainStatus present(SwapchainImage image) {
        lock.lock();
        try {
            requireOpen("presented to");
            if (!(image instanceof VirtualSwapchainImage turn) || turn.swapchain() != this) {
                throw new IllegalArgumentException("swapchain '" + name + "' presents " + image + "; present it there");
            }
            device.queuing().requireUsable();
            turn.beginPresent();
            handedOver.signalAll();
            SwapchainStatus fault = device.nextPresentation();
            if (fault == SwapchainStatus.SURFACE_LOST) {
                surface.lose();
            } else if (fault == SwapchainStatus.OUT_OF_DATE) {
                state = fault;
            }
            SwapchainStatus status = status();
            if (status == SwapchainStatus.OK) {
                hand(turn.slot());
                return fault;
            }
            return status;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the presentation engine read the image some time after its signal and the image before. */
    private void hand(VirtualSwapchainImage.Slot slot) {
        VirtualQueue queue = (VirtualQueue) choice.queue();
        long nanos = device.queuing().nanos();
        device.queuing().post(graph -> {
            if (!device.queuing().isLost()) {
                WorkNode shown = new WorkNode(
                        "present " + slot.texture.name(), queue, nanos, 0, () -> surface.show(slot.texture));
                shown.after(slot.signal);
                shown.after(newestPresentation);
                slot.presentation = shown;
                newestPresentation = shown;
                graph.release(shown);
            }
        });
    }

    @Override
    public SwapchainStatus recreate(int width, int height) {
        lock.lock();
        try {
            requireOpen("recreated as");
            device.queuing().requireUsable();
            wished = wished.withExtent(width, height);
            takeBack();
            state = SwapchainStatus.OUT_OF_DATE;
            device.queuing().requireUsable();
            try {
                choice = SwapchainChoice.of(name, wished, surface.support());
                make();
            } catch (SurfaceLostException lost) {
                state = SwapchainStatus.SURFACE_LOST;
            }
            return state;
        } finally {
            lock.unlock();
        }
    }

    /** Takes all images back, waits for what was submitted and presented, and frees them. */
    private void takeBack() {
        for (VirtualSwapchainImage turn : turns) {
            if (turn != null) {
                turn.abandon();
            }
        }
        device.queuing().finishPending();
        surface.newest();
        slots.forEach(slot -> slot.texture.release());
        slots = List.of();
        turns = new VirtualSwapchainImage[0];
        handedOver.signalAll();
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
            return slots.size();
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
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                takeBack();
                surface.vacate();
                device.closed(this);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
