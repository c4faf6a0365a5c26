package io.frameloom.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A device whose frames fill a picture with grey, from a red texture that a pass leaves behind, and read it back. */
final class OverlayRig implements AutoCloseable {
    static final int WIDTH = 480;
    static final int HEIGHT = 600;
    static final Format FORMAT = Format.R8G8B8A8_UNORM;
    private static final ClearColor GREY = new ClearColor(0.5f, 0.5f, 0.5f, 1);

    final GpuDevice device;
    private final TaskGraph tasks =
            TaskGraph.builder().name("overlay").workers(2).build();
    private final HazardChecker checker = new HazardChecker();
    private final FrameExecutor executor;
    private final Texture picture;
    private final Buffer readback;
    private boolean started;

    OverlayRig(boolean validate, Function<DeviceOptions, GpuDevice> open) {
        tasks.start(NamedThread.RHI);
        device = open.apply(new DeviceOptions(tasks, "overlay", validate, checker));
        executor = new FrameExecutor(device, tasks);
        picture = device.createTexture(
                "picture",
                TextureDescription.of(WIDTH, HEIGHT, FORMAT, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC));
        readback = device.createBuffer("readback", BufferDescription.readback(4L * WIDTH * HEIGHT));
    }

    /** Runs a frame and returns its plan. */
    FramePlan frame(FrameOverlay overlay) {
        FrameHandle[] handle = new FrameHandle[1];
        FramePlan plan = frame(overlay::addTo, handle);
        overlay.completed(plan, handle[0].statistics());
        return plan;
    }

    FramePlan frame(BiConsumer<RenderGraph, RdgTexture> gui) {
        return frame(gui, new FrameHandle[1]);
    }

    private FramePlan frame(BiConsumer<RenderGraph, RdgTexture> gui, FrameHandle[] handle) {
        RenderGraph graph = new RenderGraph("frame");
        RdgTexture target =
                graph.registerExternal(picture, started ? TextureLayout.TRANSFER_SRC : TextureLayout.UNDEFINED);
        graph.finalAccess(target, Access.COPY_SRC);
        started = true;
        RdgTexture red = graph.createTexture("red", TextureDescription.of(16, 16, FORMAT));
        graph.addPass("red", PassKind.RASTER)
                .color(red, LoadOp.CLEAR, new ClearColor(1, 0, 0, 1))
                .record(context -> {});
        graph.addPass("grey", PassKind.RASTER).color(target, LoadOp.CLEAR, GREY).record(context -> {});
        gui.accept(graph, target);
        RdgBuffer bytes = graph.registerExternal(readback);
        graph.addPass("readback", PassKind.COPY)
                .reads(target, Access.COPY_SRC)
                .overwrites(bytes, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context -> context.commands()
                        .copyTextureToBuffer(context.texture(target), 0, 0, context.buffer(bytes), 0));
        FramePlan plan = executor.compile(graph);
        handle[0] = executor.execute(plan);
        handle[0].completed().await();
        return plan;
    }

    /** Returns the colours of the last frame, rows from the top, 0xRRGGBB each. */
    int[] texels() {
        ByteBuffer bytes = readback.mapped();
        int[] texels = new int[WIDTH * HEIGHT];
        for (int i = 0; i < texels.length; i++) {
            texels[i] =
                    (bytes.get(4 * i) & 0xff) << 16 | (bytes.get(4 * i + 1) & 0xff) << 8 | bytes.get(4 * i + 2) & 0xff;
        }
        return texels;
    }

    void assertClean() {
        assertThat(checker.hazards()).isEmpty();
        assertThat(checker.undeclared()).isEmpty();
        assertThat(device.validationMessages()).isEmpty();
    }

    @Override
    public void close() {
        executor.close();
        picture.close();
        readback.close();
        device.close();
        tasks.close();
    }
}
