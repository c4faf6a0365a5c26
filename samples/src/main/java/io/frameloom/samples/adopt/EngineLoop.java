package io.frameloom.samples.adopt;

import io.frameloom.rdg.FrameHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The engine's frame loop. In frame n, from 0, the engine draws its picture and its timeline reaches 2n + 1.
 * Frameloom's graph waits for that and for the acquired image. When it is done, the timeline reaches 2n + 2; frame n +
 * 1 waits for that. All these waits are the device's; the processor waits for the frame before that had the same slot.
 */
final class EngineLoop {
    static final int FRAMES_UNDER_WAY = 2;

    private static final float STEP = 0.2f;

    private final EngineWindow window;
    private final EngineSwapchain swapchain;
    private final EngineFrame engineFrame;
    private final FrameloomFrames frameloom;
    private final @Nullable FrameHandle[] underWay = new FrameHandle[FRAMES_UNDER_WAY];
    private final List<String> extents = new ArrayList<>();

    EngineLoop(EngineWindow window, EngineSwapchain swapchain, EngineFrame engineFrame, FrameloomFrames frameloom) {
        this.window = window;
        this.swapchain = swapchain;
        this.engineFrame = engineFrame;
        this.frameloom = frameloom;
    }

    /**
     * Shows frames until there were {@code frames}, or the user closes the window, and copies the last picture out, if
     * there is one.
     *
     * @param resizeAfter how many frames before another extent is asked for
     * @return how many were shown
     */
    int run(int frames, int resizeAfter, int width, int height) {
        int shown = 0;
        boolean resized = false;
        boolean fits = false;
        while (shown < frames && window.poll()) {
            if (shown == resizeAfter && !resized) {
                resized = true;
                window.resize(width, height);
                continue;
            }
            if (!fits || !swapchain.fits(window)) {
                fits = makeSwapchain();
                if (!fits) {
                    // The window waits for as long as it has no area.
                    continue;
                }
            }
            int slot = shown % FRAMES_UNDER_WAY;
            awaitFrame(slot);
            int image = swapchain.acquire(slot);
            if (image == EngineSwapchain.NO_IMAGE) {
                fits = false;
                continue;
            }
            long drawn = 2L * shown + 1;
            engineFrame.drawBars(slot, drawn - 1, drawn);
            FrameHandle frame = frameloom.execute(image, slot, drawn, (frames - 1 - shown) * STEP);
            underWay[slot] = frame;
            // The presentation waits on the device for what is submitted by then.
            frame.submitted().await();
            fits = swapchain.present(image);
            shown++;
        }
        awaitFrames();
        if (shown > 0) {
            engineFrame.copyOut(0, 2L * shown, 2L * shown + 1);
        }
        return shown;
    }

    private boolean makeSwapchain() {
        awaitFrames();
        frameloom.forgetImages();
        if (!swapchain.create(window)) {
            return false;
        }
        frameloom.use(swapchain);
        String extent = swapchain.width() + "x" + swapchain.height();
        if (extents.isEmpty() || !extents.get(extents.size() - 1).equals(extent)) {
            extents.add(extent);
        }
        return true;
    }

    private void awaitFrames() {
        for (int slot = 0; slot < FRAMES_UNDER_WAY; slot++) {
            awaitFrame(slot);
        }
    }

    private void awaitFrame(int slot) {
        FrameHandle frame = underWay[slot];
        if (frame != null) {
            frame.completed().await();
        }
    }

    /** Returns the extents that the window has had, in order. */
    List<String> extents() {
        return extents;
    }
}
