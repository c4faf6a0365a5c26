package io.frameloom.samples.demo;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.error.SurfaceLostException;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.overlay.FrameOverlay;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.utility.CopyPasses;
import io.frameloom.samples.Closing;
import io.frameloom.samples.frame.DeferredFrame;
import io.frameloom.samples.frame.SceneBuffers;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Scene;
import io.frameloom.samples.scene.Simulation;
import io.frameloom.samples.window.Stage;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A window of the demo: a camera of its own, its pictures, and the overlay over them. GAME calls {@link #prepare} and
 * {@link #finished}, RENDER {@link #render} and {@link #settle}; what they share is handed over by the tasks of frames.
 */
final class DemoWindow implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final int AHEAD_SECONDS = 7;

    private final Stage stage;
    private final GpuDevice device;
    private final FrameExecutor executor;
    private final RenderGraphCompiler compiler;
    private final QueueTopology queues;
    private final MemorySizer sizer;
    private final Swapchain swapchain;
    private final DeferredFrame frame;
    private final FrameOverlay overlay;
    private final Simulation simulation;
    private final WindowInput input;
    private final FreeCamera camera;
    /** Closes what the window has, the last that was made first. */
    private final Deque<Runnable> parts = new ArrayDeque<>();

    private final List<Slot> slots = new ArrayList<>();
    private final List<String> extents = new ArrayList<>();

    /** Counts what differs from frame to frame, not what is shown: see {@link #prepare}. */
    private long sceneFrame;

    private boolean closing;
    private boolean fullScreen;
    private @Nullable RenderGraph graph;
    private @Nullable Shown last;
    private int askedWidth;
    private int askedHeight;

    /** One of the frames in flight. */
    private static final class Slot {
        private final FrameSnapshot snapshot;
        private int width;
        private int height;
        private @Nullable FramePlan plan;
        private @Nullable FrameHandle handle;

        Slot(Scene scene) {
            snapshot = new FrameSnapshot(scene);
        }
    }

    /** A frame whose presentation is not known yet. */
    private record Shown(FrameHandle handle, SwapchainImage image, SwapchainStatus acquired) {}

    /**
     * Makes what the window needs, on RENDER.
     *
     * @param surface closed by the window, also if this fails
     * @throws UsageException if the window shows no format that the demo renders to
     */
    DemoWindow(
            Stage stage,
            Surface surface,
            GpuDevice device,
            TaskGraph tasks,
            Scene scene,
            SceneBuffers buffers,
            FrameExecutor executor,
            RenderGraphCompiler compiler,
            int number,
            int framesInFlight)
            throws UsageException {
        this.stage = stage;
        parts.push(surface::close);
        this.device = device;
        this.executor = executor;
        this.compiler = compiler;
        queues = QueueTopology.of(device);
        sizer = MemorySizer.of(device);
        askedWidth = stage.width();
        askedHeight = stage.height();
        try {
            // The picture is encoded as sRGB already.
            swapchain = device.createSwapchain(
                    "window " + number,
                    surface,
                    SwapchainDescription.of(askedWidth, askedHeight)
                            .withFormats(Format.B8G8R8A8_UNORM, Format.R8G8B8A8_UNORM)
                            .withUsages(TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_DST));
            parts.push(swapchain::close);
            if (swapchain.format() != Format.B8G8R8A8_UNORM && swapchain.format() != Format.R8G8B8A8_UNORM) {
                throw new UsageException("the window shows " + swapchain.format() + " only, the demo needs "
                        + Format.B8G8R8A8_UNORM + " or " + Format.R8G8B8A8_UNORM + "; leave out --window");
            }
            frame = new DeferredFrame(device, scene, buffers, swapchain.width(), swapchain.height());
            parts.push(frame::close);
            overlay = new FrameOverlay(device, swapchain.format());
            parts.push(overlay::close);
            simulation =
                    new Simulation(scene, tasks, swapchain.width(), swapchain.height(), DeferredFrame.SHADOW_EXTENT);
            input = new WindowInput(overlay);
            camera = new FreeCamera(scene.camera(), number * (double) AHEAD_SECONDS);
            for (int i = 0; i < framesInFlight; i++) {
                slots.add(new Slot(scene));
            }
            noteExtent();
        } catch (UsageException | RuntimeException failure) {
            try {
                Closing.all(parts);
            } catch (RuntimeException another) {
                failure.addSuppressed(another);
            }
            throw failure;
        }
    }

    Stage stage() {
        return stage;
    }

    WindowInput input() {
        return input;
    }

    void requestClose() {
        closing = true;
    }

    /** Returns whether the user wants it closed. */
    boolean isClosing() {
        return closing || stage.isClosed();
    }

    void switchOverlay() {
        overlay.show(!overlay.isShown());
    }

    void switchFullScreen() {
        fullScreen = !fullScreen;
        stage.fullScreen(fullScreen);
    }

    /**
     * Moves camera and scene into a slot. If neither moves, the frame is the one before once more: the same number, so
     * the same jitter and history, and the same picture.
     *
     * @param elapsed seconds since the frame before
     * @param seconds time of the scene
     * @param sceneMoves whether that is another time than the frame before had
     */
    void prepare(int number, float elapsed, double seconds, boolean sceneMoves) {
        Slot slot = slots.get(number);
        if (camera.update(input, elapsed, seconds, sceneMoves)) {
            sceneFrame++;
        }
        slot.width = stage.width();
        slot.height = stage.height();
        slot.snapshot.reset = false;
        // The images will be as large when the frame is rendered.
        simulation.resize(slot.width, slot.height);
        simulation.simulate(
                slot.snapshot, sceneFrame, seconds, camera.previousSeconds(), camera.pose(), camera.previous());
    }

    /** Renders a slot, if an image can be had for it. */
    void render(int number, String name) {
        settle();
        Slot slot = slots.get(number);
        if (slot.width != askedWidth || slot.height != askedHeight) {
            // Some window systems never say that the images are out of date.
            recreate(slot.width, slot.height);
        }
        Swapchain.Acquisition acquisition = swapchain.acquire(TIMEOUT);
        if (!acquisition.status().succeeded()) {
            react(acquisition.status(), slot.width, slot.height);
            return;
        }
        SwapchainImage image = acquisition.requireImage();
        RenderGraph begun = executor.beginGraph(name, compiler, graph);
        graph = begun;
        RdgTexture picture = frame.declare(begun, slot.snapshot, null);
        RdgTexture back = begun.registerExternal(image);
        CopyPasses.blit(
                begun,
                picture,
                TextureRegion.mip(picture.description(), 0),
                back,
                TextureRegion.mip(back.description(), 0),
                Filter.NEAREST);
        overlay.addTo(begun, back);
        FramePlan plan = compiler.compile(begun, queues, sizer);
        FrameHandle handle = executor.execute(plan, FrameSync.none().presenting(image));
        slot.plan = plan;
        slot.handle = handle;
        last = new Shown(handle, image, acquisition.status());
    }

    /** Waits until the last frame was presented, and follows the window if it has changed. */
    void settle() {
        Shown shown = last;
        if (shown == null) {
            return;
        }
        last = null;
        shown.handle.submitted().await();
        // Some drivers report another extent here, others there.
        SwapchainStatus status = shown.handle.presented(shown.image);
        react(status == SwapchainStatus.OK ? shown.acquired : status, askedWidth, askedHeight);
    }

    private void react(SwapchainStatus status, int width, int height) {
        switch (status) {
            case OK, TIMEOUT -> {}
            case SUBOPTIMAL, OUT_OF_DATE, MINIMIZED -> recreate(width, height);
            case SURFACE_LOST ->
                throw new SurfaceLostException("the surface of the window is lost; start the demo again");
        }
    }

    private void recreate(int width, int height) {
        askedWidth = width;
        askedHeight = height;
        if (swapchain.recreate(width, height) == SwapchainStatus.OK) {
            noteExtent();
        }
    }

    private void noteExtent() {
        String extent = swapchain.width() + "x" + swapchain.height();
        if (extents.isEmpty()) {
            extents.add(extent);
        } else if (!extents.get(extents.size() - 1).equals(extent)) {
            extents.add(extent);
            frame.resize(swapchain.width(), swapchain.height());
        }
    }

    /** Takes the times of a slot whose frame has completed. */
    void finished(int number) {
        Slot slot = slots.get(number);
        FrameHandle handle = slot.handle;
        FramePlan plan = slot.plan;
        slot.handle = null;
        slot.plan = null;
        if (handle == null || plan == null) {
            return;
        }
        if (overlay.isShown()) {
            overlay.completed(plan, handle.statistics());
        }
    }

    /** Returns the extents that its images had, in order. */
    List<String> extents() {
        return extents;
    }

    /** Closes all but the stage, on RENDER, when no frame of it is under way. */
    @Override
    public void close() {
        List<Runnable> steps = new ArrayList<>(parts);
        // A lost device refuses to wait, and is at work on nothing.
        steps.add(0, device::waitIdle);
        Closing.all(steps);
    }
}
