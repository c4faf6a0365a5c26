package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.present.PresentMode;
import java.util.ArrayDeque;
import java.util.Deque;
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
    synchronized void ready(VirtualSwapchainImage.Slot slot, PresentMode mode) {
        if (mode == PresentMode.MAILBOX) {
            for (VirtualSwapchainImage.Slot old = ready.poll(); old != null; old = ready.poll()) {
                old.busy = false;
                queued--;
            }
        }
        ready.add(slot);
        if (mode == PresentMode.IMMEDIATE) {
            displayNext();
        }
        surface.reportToSwapchain();
    }

    /** Lets time pass. */
    synchronized void advance(long nanos) {
        long end = now + nanos;
        for (; blank <= end; blank += period) {
            now = blank;
            displayNext();
        }
        now = end;
        surface.reportToSwapchain();
    }

    private void displayNext() {
        VirtualSwapchainImage.Slot next = ready.poll();
        if (next == null) {
            return;
        }
        queued--;
        VirtualSwapchainImage.Slot before = displayed;
        if (before != null) {
            before.busy = false;
        }
        displayed = next;
        surface.show(next, now);
    }

    /** Forgets all images: their swapchain takes them back. */
    synchronized void clear() {
        ready.clear();
        displayed = null;
        queued = 0;
    }
}
