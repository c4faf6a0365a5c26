package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.SurfaceLostException;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.VulkanResults;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.testing.X11Window;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.KHRSurface;
import org.lwjgl.vulkan.KHRXlibSurface;
import org.lwjgl.vulkan.VkXlibSurfaceCreateInfoKHR;

/**
 * A program that presents to a window, recreates its swapchain while it holds images in every state, and presents again.
 * It handles what happens to a window as an application should: it recreates what is out of date, and gives up a surface
 * that is lost.
 */
final class PresentingScenario implements FaultSweep.Scenario {
    static final int WIDTH = 32;
    static final int HEIGHT = 24;
    private static final int FRAMES = 4;
    private static final int ATTEMPTS = 20;
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int TARGETS = PipelineStage.COLOR_OUTPUT.bit();

    private final DeviceOptions options;
    private final DeviceSeams seams;
    private final X11Window window;
    private final List<GraphEvent> events = new ArrayList<>();
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final List<RuntimeException> failures = new ArrayList<>();
    private boolean opened;
    private boolean finished;

    PresentingScenario(DeviceOptions options, DeviceSeams seams, X11Window window) {
        this.options = options.withSurfaces(List.of(KHRXlibSurface.VK_KHR_XLIB_SURFACE_EXTENSION_NAME));
        this.seams = seams;
        this.window = window;
    }

    @Override
    public List<RuntimeException> run() {
        VulkanDevice device;
        try {
            device = SeamedDevices.open("", options, seams);
            opened = true;
        } catch (RuntimeException e) {
            return List.of(e);
        }
        try {
            use(device);
            finished = true;
        } catch (RuntimeException e) {
            failures.add(e);
        }
        while (!owned.isEmpty()) {
            close(owned.pop());
        }
        close(device);
        for (GraphEvent event : events) {
            complete(event);
        }
        return failures;
    }

    @Override
    public boolean opened() {
        return opened;
    }

    @Override
    public boolean finished() {
        return finished;
    }

    private void close(AutoCloseable object) {
        try {
            object.close();
        } catch (RuntimeException e) {
            failures.add(e);
        } catch (Exception e) {
            throw new AssertionError("no checked exceptions here", e);
        }
    }

    private static void complete(GraphEvent event) {
        try {
            if (!event.await(LONG)) {
                throw new AssertionError("an event is left pending: " + event);
            }
        } catch (TaskFailedException e) {
            if (!(e.getCause() instanceof GpuException)) {
                throw new AssertionError("an event failed with something else than a failure of the GPU", e);
            }
        }
    }

    private <T extends AutoCloseable> T own(T object) {
        owned.push(object);
        return object;
    }

    private void use(VulkanDevice device) {
        FrameContext first = own(device.createFrameContext("first"));
        FrameContext second = own(device.createFrameContext("second"));
        long handle = xlibSurface(device);
        Surface surface;
        try {
            surface = own(device.adoptSurface("window", handle));
        } catch (RuntimeException refused) {
            KHRSurface.vkDestroySurfaceKHR(device.handles().instance(), handle, null);
            throw refused;
        }
        Swapchain chain = own(device.createSwapchain("chain", surface, SwapchainDescription.of(WIDTH, HEIGHT)));
        frames(chain, first);
        holdInEveryState(chain, second);
        recreate(chain);
        frames(chain, first);
        holdInEveryState(chain, second);
    }

    private long xlibSurface(VulkanDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            VulkanResults.check(
                    KHRXlibSurface.vkCreateXlibSurfaceKHR(
                            device.handles().instance(),
                            VkXlibSurfaceCreateInfoKHR.calloc(stack)
                                    .sType$Default()
                                    .dpy(window.display())
                                    .window(window.window()),
                            null,
                            out),
                    "create the surface of the window");
            return out.get(0);
        }
    }

    private void frames(Swapchain chain, FrameContext context) {
        for (int i = 0; i < FRAMES; i++) {
            SwapchainImage image = acquire(chain);
            TimelinePoint rendered = render(chain, context, image);
            handle(chain, chain.present(image));
            if (!rendered.queue().timeline().await(rendered.value(), LONG)) {
                throw new AssertionError("the work takes longer than " + LONG);
            }
            context.reset();
        }
    }

    /** One image that nothing waits for, one that is waited for, and one that could be presented. */
    private void holdInEveryState(Swapchain chain, FrameContext context) {
        acquire(chain);
        GpuQueue queue = chain.presentQueue();
        TimelinePoint waited = queue.submit(new Submission("wait", List.of(), List.of())
                .presenting(List.of(new Submission.Acquire(acquire(chain), TARGETS)), List.of()));
        events.add(queue.timeline().reached(waited.value()));
        TimelinePoint rendered = render(chain, context, acquire(chain));
        queue.timeline().await(rendered.value(), LONG);
        context.reset();
    }

    private SwapchainImage acquire(Swapchain chain) {
        for (int i = 0; i < ATTEMPTS; i++) {
            Swapchain.Acquisition acquisition = chain.acquire(LONG);
            if (acquisition.status().succeeded()) {
                return acquisition.requireImage();
            }
            handle(chain, acquisition.status());
        }
        throw new AssertionError("no image after " + ATTEMPTS + " attempts");
    }

    private static void handle(Swapchain chain, SwapchainStatus status) {
        switch (status) {
            case OK, SUBOPTIMAL -> {}
            case OUT_OF_DATE, MINIMIZED -> recreate(chain);
            case SURFACE_LOST -> throw new SurfaceLostException("the application was told so");
            case TIMEOUT -> throw new AssertionError("no image after " + LONG);
        }
    }

    private static void recreate(Swapchain chain) {
        SwapchainStatus status = chain.recreate(WIDTH, HEIGHT);
        if (status == SwapchainStatus.SURFACE_LOST) {
            throw new SurfaceLostException("the application was told so when it recreated its swapchain");
        }
        if (status != SwapchainStatus.OK) {
            throw new AssertionError("recreation ended with " + status);
        }
    }

    private TimelinePoint render(Swapchain chain, FrameContext context, SwapchainImage image) {
        GpuQueue queue = chain.presentQueue();
        Texture texture = image.texture();
        CommandList list = context.beginCommands(queue, "render");
        list.barrier(transition(texture, 0, TextureLayout.UNDEFINED, TextureLayout.COLOR));
        list.beginRendering(new RenderingInfo(
                WIDTH,
                HEIGHT,
                List.of(new RenderingInfo.ColorAttachment(
                        texture.view(), LoadOp.CLEAR, StoreOp.STORE, RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                null));
        list.endRendering();
        list.barrier(transition(texture, MemoryAccess.MEMORY_WRITE.bit(), TextureLayout.COLOR, TextureLayout.PRESENT));
        list.end();
        TimelinePoint point = queue.submit(new Submission("render", List.of(list), List.of())
                .presenting(List.of(new Submission.Acquire(image, TARGETS)), List.of(image)));
        events.add(queue.timeline().reached(point.value()));
        return point;
    }

    private static BarrierBatch transition(Texture texture, int written, TextureLayout from, TextureLayout to) {
        BarrierBatch.Scope scope = new BarrierBatch.Scope(
                TARGETS,
                written,
                PipelineStage.ALL_COMMANDS.bit(),
                MemoryAccess.MEMORY_READ.bit() | MemoryAccess.MEMORY_WRITE.bit());
        return new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(
                        texture, SubresourceRange.all(texture.description()), scope, from, to, null)),
                List.of(),
                List.of());
    }
}
