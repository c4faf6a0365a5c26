package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.device.ImageTurn;
import io.frameloom.gpu.device.SwapchainChoice;
import io.frameloom.gpu.device.SwapchainCycle;
import io.frameloom.gpu.present.HdrMetadata;
import io.frameloom.gpu.present.PresentMode;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.record.DeviceObject;
import io.frameloom.gpu.resource.TextureDescription;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A swapchain of the virtual device: images take turns in order, and an image can be acquired again as soon as it was
 * handed over, long before the presentation engine has read it. Only the wait for the acquisition keeps work away until
 * then. With a simulated display an image is acquired again when it is displayed no longer.
 */
final class VirtualSwapchain extends SwapchainCycle implements DeviceObject {
    private final SimulatedDevice device;
    private final SimulatedSurface surface;
    private List<VirtualSwapchainImage.Slot> slots = List.of();
    private @Nullable VirtualSwapchainImage[] turns = new VirtualSwapchainImage[0];
    private int next;
    private final Runnable waking = this::wake;

    /** Touched by the thread of the virtual GPU alone. */
    private @Nullable WorkNode newestPresentation;

    private VirtualSwapchain(
            SimulatedDevice device, String name, SimulatedSurface surface, SwapchainDescription wished) {
        // Every event that makes an image free, or ends the wait for one, wakes it.
        super(name, surface, wished, Long.MAX_VALUE, true);
        this.device = device;
        this.surface = surface;
    }

    static VirtualSwapchain create(
            SimulatedDevice device, String name, SimulatedSurface surface, SwapchainDescription wished) {
        VirtualSwapchain swapchain = new VirtualSwapchain(device, name, surface, wished);
        surface.occupy(swapchain);
        try {
            swapchain.begin();
            device.queuing().onLoss(swapchain.waking);
            return swapchain;
        } catch (RuntimeException | Error failure) {
            surface.vacate();
            throw failure;
        }
    }

    @Override
    protected void requireUsable() {
        device.queuing().requireUsable();
    }

    @Override
    protected SwapchainStatus surfaceStatus() {
        if (surface.isLost()) {
            return SwapchainStatus.SURFACE_LOST;
        }
        SwapchainChoice chosen = chosen();
        return surface.hasExtent(chosen.width(), chosen.height()) ? SwapchainStatus.OK : SwapchainStatus.OUT_OF_DATE;
    }

    @Override
    protected void make(SwapchainDescription description, SwapchainChoice chosen) {
        TextureDescription image = new TextureDescription(
                chosen.width(), chosen.height(), 1, 1, chosen.format().format(), description.usages());
        List<VirtualSwapchainImage.Slot> made = new ArrayList<>();
        try {
            for (int i = 0; i < chosen.images(); i++) {
                made.add(new VirtualSwapchainImage.Slot(
                        device.resources().swapchainTexture(name() + " " + i, image),
                        chosen.format().colorSpace()));
            }
        } catch (RuntimeException | Error failure) {
            made.forEach(slot -> slot.texture.release());
            throw failure;
        }
        slots = made;
        turns = new VirtualSwapchainImage[made.size()];
        next = 0;
    }

    @Override
    protected @Nullable Acquisition tryAcquire(long nanos) {
        for (int i = 0; i < turns.length; i++) {
            int index = (next + i) % turns.length;
            if (isFree(index)) {
                VirtualSwapchainImage turn = new VirtualSwapchainImage(device, this, index, slots.get(index));
                turns[index] = turn;
                next = (index + 1) % turns.length;
                return new Acquisition(SwapchainStatus.OK, turn);
            }
        }
        return null;
    }

    private boolean isFree(int index) {
        VirtualSwapchainImage last = turns[index];
        SimulatedDisplay display = surface.display();
        return (last == null || !last.isHeld()) && (display == null || display.isFree(slots.get(index)));
    }

    @Override
    protected int held() {
        int held = 0;
        for (VirtualSwapchainImage turn : turns) {
            held += turn != null && turn.isHeld() ? 1 : 0;
        }
        return held;
    }

    /** What is displayed wakes who waits. */
    @Override
    protected SwapchainStatus awaitDisplay(int most, long nanos) {
        return surface.queued() <= most ? SwapchainStatus.OK : SwapchainStatus.TIMEOUT;
    }

    @Override
    protected boolean describe(HdrMetadata metadata) {
        surface.hdrMetadata(metadata);
        return true;
    }

    @Override
    protected SwapchainStatus show(ImageTurn turn) {
        SwapchainStatus fault = device.nextPresentation();
        if (fault == SwapchainStatus.SURFACE_LOST) {
            surface.lose();
        }
        SwapchainStatus now = fault == SwapchainStatus.OUT_OF_DATE ? fault : status();
        if (now != SwapchainStatus.OK) {
            return now;
        }
        hand(((VirtualSwapchainImage) turn).slot());
        return fault;
    }

    /** Lets the presentation engine read the image some time after its signal and the image before. */
    private void hand(VirtualSwapchainImage.Slot slot) {
        VirtualQueue queue = (VirtualQueue) presentQueue();
        long nanos = device.queuing().nanos();
        SimulatedDisplay display = surface.display();
        PresentMode mode = presentMode();
        long number = surface.nextNumber();
        if (display != null) {
            display.hand(slot);
        }
        device.queuing().post(graph -> {
            if (!device.queuing().isLost()) {
                WorkNode shown = new WorkNode("present " + slot.texture.name(), queue, nanos, 0, () -> {
                    slot.number = number;
                    if (display == null) {
                        surface.report(surface.show(slot, 0));
                    } else {
                        display.ready(slot, mode);
                    }
                });
                shown.after(slot.signal);
                shown.after(newestPresentation);
                slot.presentation = shown;
                newestPresentation = shown;
                graph.release(shown);
            }
        });
    }

    @Override
    protected void takeBack() {
        for (VirtualSwapchainImage turn : turns) {
            if (turn != null) {
                turn.abandon();
            }
        }
        device.queuing().finishPending();
        surface.newest();
        SimulatedDisplay display = surface.display();
        if (display != null) {
            display.clear();
        }
        slots.forEach(slot -> slot.texture.release());
        slots = List.of();
        turns = new VirtualSwapchainImage[0];
    }

    /** The images need no freeing: new ones take no memory over from them. */
    @Override
    protected void discard() {}

    @Override
    protected boolean release() {
        device.queuing().forget(waking);
        surface.vacate();
        device.closed(this);
        return true;
    }

    @Override
    protected int images() {
        return slots.size();
    }

    @Override
    public String toString() {
        return name();
    }
}
