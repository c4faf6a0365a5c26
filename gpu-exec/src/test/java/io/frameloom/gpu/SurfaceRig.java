package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.virtual.VirtualSurface;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.X11Window;
import io.frameloom.testing.XServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.KHRXlibSurface;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkXlibSurfaceCreateInfoKHR;

/**
 * A device that a hazard checker watches, with a surface of 64x48 texels: the virtual one, or a window of an X server on
 * Vulkan with validation. Closing it asserts that neither has complained.
 */
final class SurfaceRig implements AutoCloseable {
    static final Duration LONG = Duration.ofSeconds(30);
    static final int WIDTH = 64;
    static final int HEIGHT = 48;
    static final SwapchainDescription WISHED = SwapchainDescription.of(WIDTH, HEIGHT);
    private static final int SLOTS = 2;
    private static final int TARGETS = PipelineStage.COLOR_OUTPUT.bit();

    final HazardChecker checker = new HazardChecker();
    final GpuDevice device;
    final Surface surface;
    final GpuQueue queue;
    private final TaskGraph tasks =
            TaskGraph.builder().name("surfaces").workers(1).build();
    private final List<FrameContext> slots = new ArrayList<>();
    private final @Nullable TimelinePoint[] ends = new TimelinePoint[SLOTS];
    private final @Nullable XServer server;
    private final @Nullable X11Window window;
    private int frames;

    private SurfaceRig(Backend backend, VirtualGpuOptions virtual) {
        DeviceOptions options = new DeviceOptions(tasks, "surfaces", backend == Backend.VULKAN, checker);
        if (backend == Backend.VIRTUAL) {
            server = null;
            window = null;
            VirtualDevice opened = VirtualDevice.open(virtual, options);
            device = opened;
            surface = opened.createHeadlessSurface("window", WIDTH, HEIGHT);
        } else {
            ValidatedDevice.assumeDriver();
            server = XServer.start();
            window = new X11Window(server.display(), WIDTH, HEIGHT);
            VulkanDevice opened = VulkanDevices.open(
                    "", options.withSurfaces(List.of(KHRXlibSurface.VK_KHR_XLIB_SURFACE_EXTENSION_NAME)));
            device = opened;
            surface = opened.adoptSurface("window", xlibSurface(opened, window));
        }
        queue = surface.support().queues().get(0);
        for (int i = 0; i < SLOTS; i++) {
            slots.add(device.createFrameContext("slot " + i));
        }
    }

    static SurfaceRig open(Backend backend) {
        return new SurfaceRig(backend, new VirtualGpuOptions(3, 1));
    }

    static SurfaceRig virtual(VirtualGpuOptions options) {
        return new SurfaceRig(Backend.VIRTUAL, options);
    }

    /** Makes a VkSurfaceKHR as an engine would. */
    static long xlibSurface(VulkanDevice device, X11Window window) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            int result = KHRXlibSurface.vkCreateXlibSurfaceKHR(
                    device.handles().instance(),
                    VkXlibSurfaceCreateInfoKHR.calloc(stack)
                            .sType$Default()
                            .dpy(window.display())
                            .window(window.window()),
                    null,
                    out);
            assertThat(result).isEqualTo(VK13.VK_SUCCESS);
            return out.get(0);
        }
    }

    VirtualSurface virtualSurface() {
        return (VirtualSurface) surface;
    }

    Swapchain swapchain() {
        return device.createSwapchain("chain", surface, WISHED);
    }

    void resize(int width, int height) {
        if (window == null) {
            virtualSurface().resize(width, height);
        } else {
            window.resize(width, height);
        }
    }

    /** Loses the surface, as when its window is destroyed. */
    void lose() {
        if (window == null) {
            virtualSurface().lose();
        } else {
            window.destroy();
        }
    }

    /** Renders one colour to an image in one submission, which waits for the acquisition and signals. */
    TimelinePoint render(SwapchainImage image, RenderingInfo.ClearColor color) {
        return submit(
                image,
                color,
                new Submission("frame " + frames, List.of(), List.of())
                        .presenting(List.of(new Submission.Acquire(image, TARGETS)), List.of(image)));
    }

    /** Renders one colour to an image in a submission that is otherwise as given. */
    TimelinePoint submit(SwapchainImage image, RenderingInfo.ClearColor color, Submission as) {
        int slot = frames++ % SLOTS;
        TimelinePoint before = ends[slot];
        if (before != null) {
            assertThat(before.queue().timeline().await(before.value(), LONG)).isTrue();
        }
        FrameContext context = slots.get(slot);
        context.reset();
        CommandList list = context.beginCommands(queue, as.label());
        record(list, image.texture(), color);
        list.end();
        TimelinePoint end = queue.submit(
                new Submission(as.label(), List.of(list), as.waits()).presenting(as.acquires(), as.presents()));
        ends[slot] = end;
        return end;
    }

    private static void record(CommandList list, Texture texture, RenderingInfo.ClearColor color) {
        Access write = Access.COLOR_WRITE;
        list.barrier(transition(
                texture,
                new BarrierBatch.Scope(TARGETS, 0, TARGETS, write.memoryAccess()),
                TextureLayout.UNDEFINED,
                TextureLayout.COLOR));
        SubresourceRange all = SubresourceRange.all(texture.description());
        list.beginPass("clear", List.of(new ResourceUse.OfTexture(texture, all, write, true, TextureLayout.COLOR)));
        list.beginRendering(new RenderingInfo(
                texture.description().width(),
                texture.description().height(),
                List.of(new RenderingInfo.ColorAttachment(texture.view(), LoadOp.CLEAR, StoreOp.STORE, color)),
                null));
        list.endRendering();
        list.endPass();
        list.barrier(transition(
                texture,
                new BarrierBatch.Scope(
                        TARGETS,
                        MemoryAccess.writesOf(write.memoryAccess()),
                        PipelineStage.ALL_COMMANDS.bit(),
                        MemoryAccess.NONE),
                TextureLayout.COLOR,
                TextureLayout.PRESENT));
    }

    private static BarrierBatch transition(
            Texture texture, BarrierBatch.Scope scope, TextureLayout from, TextureLayout to) {
        SubresourceRange all = SubresourceRange.all(texture.description());
        return new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(texture, all, scope, from, to, null)), List.of(), List.of());
    }

    void assertClean() {
        assertThat(checker.hazards()).isEmpty();
        assertThat(device.validationMessages()).isEmpty();
    }

    /** Closes everything; the device refuses if something was left open, and validation looks at what is destroyed. */
    @Override
    public void close() {
        for (FrameContext slot : slots) {
            slot.close();
        }
        surface.close();
        device.close();
        if (window != null) {
            window.close();
        }
        if (server != null) {
            server.close();
        }
        tasks.close();
        assertClean();
    }
}
