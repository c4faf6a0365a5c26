package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.TextureExtraction;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.TaskFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Frames that end on a surface. */
final class PresentedFrames implements AutoCloseable {
    static final int WIDTH = 64;
    static final int HEIGHT = 48;
    private static final int TEXELS = 64;
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final TextureDescription SCENE = TextureDescription.of(
            WIDTH, HEIGHT, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC);

    private final DeviceRig rig;
    private final Swapchain chain;
    private final Map<Texture, FramePlan> plans = new HashMap<>();

    PresentedFrames(DeviceRig rig, Surface surface) {
        this.rig = rig;
        this.chain = rig.device.createSwapchain(
                "chain",
                surface,
                SwapchainDescription.of(WIDTH, HEIGHT)
                        .withFormats(Format.R8G8B8A8_UNORM, Format.B8G8R8A8_UNORM)
                        .withUsages(TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_DST));
    }

    /** Renders so many frames as a frame loop does: it looks at what became of a frame when it begins the next. */
    void run(int frames) {
        FrameHandle before = null;
        SwapchainImage presented = null;
        for (int i = 0; i < frames; i++) {
            if (before != null && presented != null) {
                before.submitted().await();
                assertThat(before.presented(presented)).isEqualTo(SwapchainStatus.OK);
            }
            presented = acquire();
            before = frame(presented);
        }
        if (before != null) {
            before.completed().await();
        }
    }

    /** Several frames are under way at once, and nothing waits for any of them but the executor. */
    void runAhead(int frames) {
        FrameHandle last = null;
        for (int i = 0; i < frames; i++) {
            last = frame(acquire());
        }
        if (last != null) {
            last.completed().await();
        }
    }

    private SwapchainImage acquire() {
        return chain.acquire(LONG).requireImage();
    }

    private FrameHandle frame(SwapchainImage image) {
        FramePlan plan = plans.computeIfAbsent(image.texture(), texture -> rig.compile(graph(image)));
        return rig.executor.execute(plan, FrameSync.none().presenting(image));
    }

    /**
     * Renders frames in immediate mode: what does not draw to the image runs while it is declared, all from the first pass
     * that does when the frame is executed; what the frame hands out is of both.
     */
    void runImmediately(int frames) {
        for (int i = 0; i < frames; i++) {
            SwapchainImage image = acquire();
            List<String> ran = Collections.synchronizedList(new ArrayList<>());
            RenderGraph graph = rig.begin("immediate");
            RdgTexture scene = graph.createTexture("scene", like(image));
            RdgTexture back = graph.registerExternal(image);
            graph.addPass("scene", PassKind.RASTER)
                    .color(scene, LoadOp.CLEAR, new ClearColor(1, 0, 0, 1))
                    .record(context -> ran.add("scene"));
            assertThat(ran).containsExactly("scene");
            graph.addPass("copy", PassKind.COPY)
                    .reads(scene, Access.COPY_SRC)
                    .overwrites(back, Access.COPY_DST)
                    .record(context -> {
                        ran.add("copy");
                        context.commands().copyTexture(context.texture(scene), context.texture(back));
                    });
            RdgReadback words = ReadbackPasses.buffer(graph, fill(graph, ran));
            graph.addPass("over", PassKind.RASTER)
                    .color(back, LoadOp.CLEAR, new ClearColor(0, 1, 0, 1))
                    .record(context -> ran.add("over"));
            assertThat(ran).as("the image has no turn yet").containsExactly("scene");
            TextureExtraction kept = graph.extract(scene, Access.COPY_SRC);
            FrameHandle frame =
                    rig.executor.execute(rig.compile(graph), FrameSync.none().presenting(image));
            frame.completed().await();
            assertThat(frame.presented(image)).isEqualTo(SwapchainStatus.OK);
            assertThat(ran).startsWith("scene").containsExactlyInAnyOrder("scene", "copy", "fill", "over");
            assertThat(words.bytes().join().getInt(0)).isEqualTo(7);
            kept.texture().close();
        }
    }

    private static TextureDescription like(SwapchainImage image) {
        Format format = image.texture().description().format();
        return TextureDescription.of(WIDTH, HEIGHT, format, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC);
    }

    private static RdgBuffer fill(RenderGraph graph, List<String> ran) {
        RdgBuffer filled = graph.createBuffer("filled", BufferDescription.device(TEXELS, BufferUsage.STORAGE));
        graph.addPass("fill", PassKind.COPY).overwrites(filled, Access.COPY_DST).record(context -> {
            ran.add("fill");
            context.commands().fillBuffer(context.buffer(filled), 0, TEXELS, 7);
        });
        return filled;
    }

    /** What is extracted may be drawn on by a pass that waits for the image, and the image may go unused. */
    void immediateFramesMayLeaveTheImageOrFail() {
        SwapchainImage unused = acquire();
        RenderGraph empty = rig.begin("empty");
        empty.registerExternal(unused);
        FrameHandle shown =
                rig.executor.execute(rig.compile(empty), FrameSync.none().presenting(unused));
        shown.completed().await();
        assertThat(shown.presented(unused)).isEqualTo(SwapchainStatus.OK);

        SwapchainImage image = acquire();
        RenderGraph late = rig.begin("late");
        RdgTexture back = late.registerExternal(image);
        RdgTexture scene = late.createTexture("scene", SCENE);
        late.addPass("early", PassKind.RASTER)
                .color(scene, LoadOp.CLEAR, new ClearColor(1, 0, 0, 1))
                .record(context -> {});
        late.addPass("both", PassKind.RASTER)
                .color(back, LoadOp.CLEAR, new ClearColor(0, 1, 0, 1))
                .color(scene, LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        TextureExtraction kept = late.extract(scene, Access.COPY_SRC);
        rig.executor
                .execute(rig.compile(late), FrameSync.none().presenting(image))
                .completed()
                .await();
        kept.texture().close();

        SwapchainImage lost = acquire();
        RenderGraph failing = rig.begin("failing");
        failing.addPass("bad", PassKind.RASTER)
                .color(failing.registerExternal(lost), LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {
                    throw new IllegalStateException("on purpose");
                });
        FrameHandle failed =
                rig.executor.execute(rig.compile(failing), FrameSync.none().presenting(lost));
        assertThatThrownBy(() -> failed.completed().await()).isInstanceOf(TaskFailedException.class);
        assertThat(chain.recreate(WIDTH, HEIGHT)).isEqualTo(SwapchainStatus.OK);
        runImmediately(chain.imageCount() + 1);
    }

    /** A scene in a transient texture that is copied to the image, which a last pass goes over. */
    private RenderGraph graph(SwapchainImage image) {
        RenderGraph graph = new RenderGraph("presented");
        RdgTexture back = graph.registerExternal(image);
        assertThat(graph.registerExternal(image)).isSameAs(back);
        RdgTexture scene = graph.createTexture("scene", SCENE);
        graph.addPass("scene", PassKind.RASTER)
                .color(scene, LoadOp.CLEAR, new ClearColor(1, 0, 0, 1))
                .record(context -> {});
        graph.addPass("copy", PassKind.COPY)
                .reads(scene, Access.COPY_SRC)
                .overwrites(back, Access.COPY_DST)
                .record(context -> context.commands().copyTexture(context.texture(scene), context.texture(back)));
        graph.addPass("over", PassKind.RASTER)
                .color(back, LoadOp.CLEAR, new ClearColor(0, 1, 0, 1))
                .record(context -> {});
        return graph;
    }

    /** The plan says where the image comes from and where it goes. */
    void explainsAcquisitionAndPresentation() {
        SwapchainImage image = acquire();
        FramePlan plan = rig.compile(graph(image));
        int last = plan.batches().size() - 1;
        assertThat(plan.explain("chain " + image.index()))
                .anyMatch(line -> line.startsWith("  is acquired: batch ") && line.contains(" waits for that at "))
                .contains("  is presented after batch " + last);
        String name = "'chain " + image.index() + "'";
        assertThat(plan.explain("over"))
                .contains(
                        "  its batch waits for the acquisition of " + name,
                        "  " + name + " is presented after its batch");
        rig.executor
                .execute(plan, FrameSync.none().presenting(image))
                .completed()
                .await();
    }

    /** More frames fail than there are images; the swapchain goes on without being recreated. */
    void failedFramesGiveTheirImagesBack() {
        run(2);
        for (int i = 0; i <= chain.imageCount(); i++) {
            SwapchainImage image = acquire();
            RenderGraph graph = new RenderGraph("failing");
            RdgTexture back = graph.registerExternal(image);
            graph.addPass("bad", PassKind.RASTER)
                    .color(back, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                    .record(context -> {
                        throw new IllegalStateException("on purpose");
                    });
            assertGivenBack(
                    rig.executor.execute(rig.compile(graph), FrameSync.none().presenting(image)), image);
        }
        run(chain.imageCount() + 1);
    }

    /** The image was drawn to when the frame fails; the other queue makes it two batches that use the image. */
    void framesThatFailHalfWayGiveTheirImagesBack() {
        for (int i = 0; i <= chain.imageCount(); i++) {
            SwapchainImage image = acquire();
            long before = rig.device.queues().get(0).timeline().submitted();
            RenderGraph graph = new RenderGraph("half");
            RdgTexture back = graph.registerExternal(image);
            RdgTexture seed = graph.createTexture("seed", SCENE);
            RdgBuffer data = graph.createBuffer("data", BufferDescription.device(TEXELS, BufferUsage.STORAGE));
            graph.addPass("first", PassKind.RASTER)
                    .color(back, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                    .color(seed, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                    .record(context -> {});
            graph.addPass("simulate", PassKind.COMPUTE)
                    .reads(seed, Access.SAMPLED_COMPUTE)
                    .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.ASYNC_COMPUTE)
                    .record(context -> {});
            graph.addPass("last", PassKind.RASTER)
                    .reads(data, Access.STORAGE_READ_FRAGMENT)
                    .color(back, LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                    .record(context -> {
                        while (rig.device.queues().get(0).timeline().submitted() == before) {
                            Thread.onSpinWait();
                        }
                        throw new IllegalStateException("on purpose");
                    });
            FramePlan plan = rig.compile(graph);
            assertThat(plan.batches()).extracting(FramePlan.Batch::queue).containsExactly(0, 1, 0);
            assertGivenBack(rig.executor.execute(plan, FrameSync.none().presenting(image)), image);
        }
        run(chain.imageCount() + 1);
    }

    private static void assertGivenBack(FrameHandle failed, SwapchainImage image) {
        assertThatThrownBy(() -> failed.completed().await())
                .isInstanceOf(TaskFailedException.class)
                .hasRootCauseMessage("on purpose");
        assertThat(failed.presented(image)).isEqualTo(SwapchainStatus.OK);
    }

    void imagesAreAskedFor() {
        SwapchainImage image = acquire();
        SwapchainImage other = acquire();
        FramePlan plan = rig.compile(graph(image));
        assertThatThrownBy(() -> rig.executor.execute(plan))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("'chain " + image.index() + "'")
                .hasMessageContaining("acquire");
        assertThatThrownBy(() -> rig.executor.execute(plan, FrameSync.none().presenting(image, other)))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("does not render to image " + other.index());
        assertThatThrownBy(() -> rig.executor.execute(plan, FrameSync.none().presenting(other)))
                .isInstanceOf(RdgException.class);
        RenderGraph graph = new RenderGraph("careless");
        assertThatThrownBy(() -> graph.registerExternal(image.texture(), TextureLayout.PRESENT))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("SwapchainImage");
        RdgTexture back = graph.registerExternal(image);
        assertThatThrownBy(() -> graph.finalAccess(back, Access.COPY_SRC))
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("PRESENT");
        FrameHandle shown = rig.executor.execute(plan, FrameSync.none().presenting(image));
        assertThatThrownBy(() -> shown.presented(other)).isInstanceOf(IllegalStateException.class);
        shown.submitted().await();
        assertThat(shown.presented(image)).isEqualTo(SwapchainStatus.OK);
        // The image was presented: the same turn cannot be rendered to again, and the frame says so.
        FrameHandle again = rig.executor.execute(plan, FrameSync.none().presenting(image));
        assertThatThrownBy(() -> again.completed().await())
                .rootCause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was presented");
    }

    /** Nothing renders to the image, and it is brought to the surface all the same. */
    void anImageWithoutPassesIsPresented() {
        for (int i = 0; i < 4; i++) {
            SwapchainImage image = acquire();
            RenderGraph graph = new RenderGraph("empty");
            graph.registerExternal(image);
            FrameHandle frame =
                    rig.executor.execute(rig.compile(graph), FrameSync.none().presenting(image));
            frame.completed().await();
            assertThat(frame.presented(image)).isEqualTo(SwapchainStatus.OK);
        }
    }

    Swapchain chain() {
        return chain;
    }

    @Override
    public void close() {
        chain.close();
    }
}
