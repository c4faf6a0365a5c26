package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.present.PresentMode;
import io.frameloom.gpu.virtual.VirtualSurface.Presented;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A display with vertical blanks on a clock that a test moves. Images are handed over by any thread, and become ready and
 * are displayed on the thread of the virtual GPU.
 */
final class SimulatedDisplay {
    private final SimulatedSurface surface;
    private final long period;
    /** Ready, and not displayed yet. */
    private final Deque<VirtualSwapchainImage.Slot> ready = new ArrayDeque<>();

    private VirtualSwapchainImage.@Nullable Slot displayed;
    private long now;
    private long blank;
    private int queued;

    SimulatedDisplay(SimulatedSurface surface, long period) {
        this.surface = surface;
        this.period = period;
        this.blank = period;
    }

    /** Takes an image, which is not free until another one has been displayed after it. */
    synchronized void hand(VirtualSwapchainImage.Slot slot) {
        slot.busy = true;
        queued++;
    }

    synchronized boolean isFree(VirtualSwapchainImage.Slot slot) {
        return !slot.busy;
    }

    /** Returns how many images were handed over and wait to be displayed. */
    synchronized int queued() {
        return queued;
    }

    /** An image has been rendered. */
    void ready(VirtualSwapchainImage.Slot slot, PresentMode mode) {
        Presented shown = null;
        synchronized (this) {
            if (mode == PresentMode.MAILBOX) {
                for (VirtualSwapchainImage.Slot old = ready.poll(); old != null; old = ready.poll()) {
                    old.busy = false;
                    queued--;
                }
            }
            ready.add(slot);
            if (mode == PresentMode.IMMEDIATE) {
                shown = displayNext();
            }
            surface.reportToSwapchain();
        }
        if (shown != null) {
            surface.report(shown);
        }
    }

    /** Lets time pass. */
    void advance(long nanos) {
        List<Presented> all = new ArrayList<>();
        synchronized (this) {
            long end = now + nanos;
            for (; blank <= end; blank += period) {
                now = blank;
                Presented shown = displayNext();
                if (shown != null) {
                    all.add(shown);
                }
            }
            now = end;
            surface.reportToSwapchain();
        }
        all.forEach(surface::report);
    }

    private @Nullable Presented displayNext() {
        VirtualSwapchainImage.Slot next = ready.poll();
        if (next == null) {
            return null;
        }
        queued--;
        VirtualSwapchainImage.Slot before = displayed;
        if (before != null) {
            before.busy = false;
        }
        displayed = next;
        return surface.show(next, now);
    }

    /** Forgets all images: their swapchain takes them back. */
    synchronized void clear() {
        ready.clear();
        displayed = null;
        queued = 0;
    }
}
