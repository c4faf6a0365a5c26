package io.frameloom.overlay;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Format;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import org.jspecify.annotations.Nullable;

/**
 * Shows over a frame what frames take: times of the last frames, each pass on its queue, memory, waits. A pass that is
 * clicked shows its accesses and barriers with their reasons, a texture its contents.
 *
 * <pre>{@code
 * FrameOverlay overlay = new FrameOverlay(device, target.description().format());
 * // In each frame, after all other passes were declared:
 * overlay.addTo(graph, target);
 * // When a frame has completed:
 * overlay.completed(plan, handle.statistics());
 * }</pre>
 *
 * <p>It is an ordinary pass, "overlay", and nothing while it is {@linkplain #show hidden}: input is dropped then, and
 * frames are not in its times. A texture that it shows is read by that pass: it lives until then, and a pass that was
 * culled may run for it.
 *
 * <p>{@link #addTo} and {@link #close} are called by the thread that declares the graphs, the other methods by any.
 */
public final class FrameOverlay implements AutoCloseable {
    private final NuklearPass pass;
    private final OverlayPanel panel;
    private volatile boolean shown = true;
    private volatile @Nullable Completed completed;

    /** A frame that the device has done. */
    record Completed(FramePlan plan, FrameStatistics statistics) {}

    /**
     * An overlay that is shown; waits for the device.
     *
     * @param target format of the textures that it is drawn over
     */
    public FrameOverlay(GpuDevice device, Format target) {
        pass = new NuklearPass(device, target);
        panel = new OverlayPanel(device, pass);
    }

    /** Returns what is to be told of the user's doings. */
    public OverlayInput input() {
        return pass.input();
    }

    /** Shows or hides it. */
    public void show(boolean whether) {
        shown = whether;
    }

    /** Returns whether it is shown. */
    public boolean isShown() {
        return shown;
    }

    /** Returns whether the pointer is on it, or drags something of it: then nobody else should take the mouse. */
    public boolean holdsPointer() {
        return shown && panel.holdsPointer();
    }

    /** Returns whether what is typed goes to one of its fields. */
    public boolean holdsKeys() {
        return shown && panel.holdsKeys();
    }

    /** Says what a frame took that has completed; a later call replaces it. */
    public void completed(FramePlan plan, FrameStatistics statistics) {
        completed = new Completed(plan, statistics);
    }

    /**
     * Adds the pass that draws it, if it is shown; call it after all other passes were declared.
     *
     * @param target what it is drawn over
     */
    public void addTo(RenderGraph graph, RdgTexture target) {
        if (!shown) {
            panel.hidden();
            pass.dropInput();
            return;
        }
        panel.frameBegins(completed);
        pass.takeInput();
        pass.addTo(graph, target, panel.describe(graph, target));
    }

    /** Frees what it has on the device; when all frames that draw it have been submitted. */
    @Override
    public void close() {
        panel.close();
        pass.close();
    }
}
