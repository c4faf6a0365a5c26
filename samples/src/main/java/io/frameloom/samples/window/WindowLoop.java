package io.frameloom.samples.window;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.error.SurfaceLostException;
import io.frameloom.gpu.present.ColorSpace;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The frame loop: acquires an image, renders a graph to it, and looks at what became of the presentation. */
final class WindowLoop implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final double STEP = 0.05;

    /** The code of 203 cd/m², which a display of HDR10 shows as the white of sRGB. */
    private static final float WHITE_OF_PQ = 0.58f;

    private final WindowSystem system;
    private final Stage stage;
    private final FrameExecutor executor;
    private final Swapchain swapchain;
    private final List<String> extents = new ArrayList<>();

    /** @param wished changes the usual description */
    WindowLoop(
            WindowSystem system,
            Stage stage,
            GpuDevice device,
            Surface surface,
            FrameExecutor executor,
            UnaryOperator<SwapchainDescription> wished) {
        this.system = system;
        this.stage = stage;
        this.executor = executor;
        this.swapchain = device.createSwapchain(
                "swapchain", surface, wished.apply(SwapchainDescription.of(stage.width(), stage.height())));
        noteExtent();
    }

    /**
     * Presents frames until there were {@code frames}, or the user closes the window.
     *
     * @param resizeAt frame before which another extent is asked for
     * @return how many were presented
     * @throws SurfaceLostException if the window is gone
     */
    int run(int frames, int resizeAt, int width, int height) {
        int presented = 0;
        boolean resized = false;
        while (presented < frames && goesOn()) {
            if (presented == resizeAt && !resized) {
                resized = true;
                stage.resize(width, height);
            }
            Swapchain.Acquisition acquisition = swapchain.acquire(TIMEOUT);
            if (!acquisition.status().succeeded()) {
                react(acquisition.status());
                continue;
            }
            SwapchainImage image = acquisition.requireImage();
            FrameHandle frame = executor.execute(
                    executor.compile(graph(image, presented)), FrameSync.none().presenting(image));
            frame.submitted().await();
            presented++;
            // Some drivers report another extent here, others there.
            SwapchainStatus status = frame.presented(image);
            react(status == SwapchainStatus.OK ? acquisition.status() : status);
        }
        return presented;
    }

    /** Sees to what the user does, for as long as nothing can be seen; returns whether the window is still open. */
    private boolean goesOn() {
        system.poll();
        while (stage.isMinimized() && !stage.isClosed()) {
            system.await(TIMEOUT);
        }
        return !stage.isClosed();
    }

    private RenderGraph graph(SwapchainImage image, int number) {
        float white = swapchain.colorSpace() == ColorSpace.HDR10_ST2084 ? WHITE_OF_PQ : 1;
        float phase = white * (float) (0.5 + 0.5 * Math.sin(number * STEP));
        RenderGraph graph = new RenderGraph("window");
        RdgTexture back = graph.registerExternal(image);
        graph.addPass("fill", PassKind.RASTER)
                .color(back, LoadOp.CLEAR, new ClearColor(phase, white * 0.2f, white - phase, 1))
                .record(context -> {});
        return graph;
    }

    private void react(SwapchainStatus status) {
        switch (status) {
            case OK, TIMEOUT -> {}
            case SUBOPTIMAL, OUT_OF_DATE, MINIMIZED -> {
                if (swapchain.recreate(stage.width(), stage.height()) == SwapchainStatus.OK) {
                    noteExtent();
                }
            }
            case SURFACE_LOST ->
                throw new SurfaceLostException("the surface of the window is lost; start the sample again");
        }
    }

    private void noteExtent() {
        String extent = swapchain.width() + "x" + swapchain.height();
        if (extents.isEmpty() || !extents.get(extents.size() - 1).equals(extent)) {
            extents.add(extent);
        }
    }

    /** Returns the extents that the images had, in order. */
    List<String> extents() {
        return extents;
    }

    /** Returns what the images are, in words. */
    String images() {
        return swapchain.format() + " in " + swapchain.colorSpace() + ", " + swapchain.imageCount() + " images, what is"
                + " displayed is " + (swapchain.reportsDisplay() ? "" : "not ") + "reported";
    }

    @Override
    public void close() {
        swapchain.close();
    }
}
