package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.BarrierBatch.TextureBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.capture.CapturedTexture;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Passes each of whose draws goes to all layers, on a Vulkan driver with validation and the hazard checker. */
@Timeout(60)
class MultiviewTest {
    private static final int SIZE = 8;
    private static final int LAYERS = 3;

    private static final ShaderSource HALF = new ShaderSource("half.vert", ShaderStage.VERTEX, """
            #version 450
            layout(push_constant) uniform Push { float left; };
            void main() {
                vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
                gl_Position = vec4(corner.x + left, corner.y * 2 - 1, 0, 1);
            }
            """);

    private static final ShaderSource BY_VIEW = new ShaderSource("views.frag", ShaderStage.FRAGMENT, """
            #version 450
            #extension GL_EXT_multiview : require
            layout(location = 0) out vec4 color;
            void main() { color = vec4((gl_ViewIndex + 1) / 4.0, 0, 0, 1); }
            """);

    private static GraphicsPipelineDescription halves() {
        return GraphicsPipelineDescription.of("halves", HALF, BY_VIEW, Format.R8G8B8A8_UNORM)
                .withRaster(RasterState.TRIANGLES.with(RasterState.Topology.TRIANGLE_STRIP));
    }

    private static RdgTexture target(RenderGraph graph) {
        return graph.createTexture(
                "eyes", TextureDescription.of(SIZE, SIZE, Format.R8G8B8A8_UNORM).withLayers(LAYERS));
    }

    /** The devices that have it, of which there may be several drivers. */
    private static List<VulkanDeviceInfo> devices() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        List<VulkanDeviceInfo> devices = VulkanDevices.list().stream()
                .filter(device -> device.usable() && device.capabilities().contains(Capability.MULTIVIEW))
                .toList();
        assumeTrue(!devices.isEmpty(), "no device has MULTIVIEW");
        return devices;
    }

    private static DeviceRig rig(RdgOptions options) {
        return rig(options, devices().get(0));
    }

    private static DeviceRig rig(RdgOptions options, VulkanDeviceInfo chosen) {
        return new DeviceRig(
                2,
                FrameExecutorOptions.defaults(),
                options,
                true,
                device -> VulkanDevices.open("#" + chosen.index(), device.require(Capability.MULTIVIEW)));
    }

    /**
     * The left half is drawn by the pass itself, the right half by a secondary list of a part. The second pass would be in
     * the render pass of the first one, were its timestamps allowed there.
     */
    @Test
    void eachDrawGoesToAllLayers() {
        List<Capture> captures = List.of(
                Capture.of("eyes").withSubresource(0, 0),
                Capture.of("eyes").withSubresource(0, 1),
                Capture.of("eyes").withSubresource(0, 2));
        RdgOptions options =
                RdgOptions.defaults().withDiagnostics(RdgDiagnostics.none().withCaptures(captures));
        try (DeviceRig rig = rig(options);
                GraphicsPipeline pipeline = rig.device.createGraphicsPipeline(halves().withViews(LAYERS))) {
            RenderGraph graph = new RenderGraph("frame", options);
            RdgTexture eyes = target(graph);
            graph.addPass("left", PassKind.RASTER)
                    .flag(PassFlag.MULTIVIEW)
                    .color(eyes.view(), LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                    .record(context -> draw(context.commands(), pipeline, -1));
            graph.addPass("left again", PassKind.RASTER)
                    .flag(PassFlag.MULTIVIEW)
                    .flag(PassFlag.NEVER_CULL)
                    .color(eyes.view(), LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                    .record(context -> draw(context.commands(), pipeline, -1));
            graph.addPass("right", PassKind.RASTER)
                    .flag(PassFlag.MULTIVIEW)
                    .flag(PassFlag.NEVER_CULL)
                    .color(eyes.view(), LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                    .recordParts(2, (context, part) -> {
                        if (part == 1) {
                            draw(context.commands(), pipeline, 0);
                        }
                    });
            List<CapturedTexture> layers = rig.executor.execute(rig.compile(graph)).captures().stream()
                    .map(CompletableFuture::join)
                    .toList();
            for (int layer = 0; layer < LAYERS; layer++) {
                for (int x : new int[] {1, SIZE - 2}) {
                    assertThat(layers.get(layer).number(x, 4, 0) * 4).isBetween(layer + 0.98f, layer + 1.02f);
                }
            }
            rig.assertClean();
        }
    }

    /**
     * The driver would take a query for each view, also those that are another pass's. After the pass lavapipe 25.0 would
     * as well: over timestamps that are there, and beyond the end of the set.
     */
    @Test
    void nothingIsTimedOrCountedInItsRenderPass() {
        for (VulkanDeviceInfo device : devices()) {
            timeAround(device);
        }
    }

    private static void timeAround(VulkanDeviceInfo device) {
        TextureDescription layers = TextureDescription.of(
                        SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                .withLayers(LAYERS);
        try (DeviceRig rig = rig(RdgOptions.defaults(), device);
                Texture eyes = rig.device.createTexture("eyes", layers);
                TimestampSet stamps = rig.device.createTimestampSet("stamps", 4);
                QuerySet samples = rig.device.createQuerySet("samples", QueryKind.ANY_SAMPLE, 4);
                FrameContext frame = rig.device.createFrameContext("frame")) {
            RenderingInfo views = new RenderingInfo(
                            SIZE,
                            SIZE,
                            List.of(new ColorAttachment(
                                    eyes.view(), LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                            null)
                    .withLayers(LAYERS)
                    .withMultiview();
            GpuQueue queue = rig.device.queues().get(0);
            CommandList list = frame.beginCommands(queue, "list");
            list.beginQuery(samples, 0);
            assertThatThrownBy(() -> list.beginRendering(views))
                    .hasMessageContaining(
                            "beginRendering in command list 'list': query 0 of set 'samples' is still open");
            list.endQuery(samples);
            list.writeTimestamp(stamps, 2);
            Scope first = new Scope(
                    PipelineStage.COLOR_OUTPUT.bit(),
                    MemoryAccess.NONE,
                    PipelineStage.COLOR_OUTPUT.bit(),
                    MemoryAccess.COLOR_WRITE.bit());
            list.barrier(new BarrierBatch(
                    List.of(new TextureBarrier(
                            eyes,
                            SubresourceRange.all(layers),
                            first,
                            TextureLayout.UNDEFINED,
                            TextureLayout.COLOR,
                            null)),
                    List.of(),
                    List.of()));
            list.beginRendering(views);
            assertThatThrownBy(() -> list.beginQuery(samples, 1)).hasMessageContaining("multiview of 3 layers");
            assertThatThrownBy(() -> list.writeTimestamp(stamps, 1))
                    .hasMessageContaining("multiview of 3 layers")
                    .hasMessageContaining("write it before the render pass or after it");
            list.endRendering();
            list.writeTimestamp(stamps, 1);
            list.beginQuery(samples, 1);
            list.endQuery(samples);
            list.end();
            TimelinePoint point = queue.submit(new Submission("frame", List.of(list), List.of()));
            assertThat(queue.timeline().await(point.value(), Duration.ofSeconds(30)))
                    .isTrue();
            long[] nanos = stamps.readNanos();
            assertThat(nanos[2]).isLessThanOrEqualTo(nanos[1]);
            assertThat(samples.read().samples(1)).isZero();
            assertThat(rig.device.validationMessages()).isEmpty();
        }
    }

    private static void draw(CommandList commands, GraphicsPipeline pipeline, float left) {
        commands.setViewport(0, 0, SIZE, SIZE);
        commands.setScissor(0, 0, SIZE, SIZE);
        commands.bindPipeline(pipeline);
        commands.pushConstants(ByteBuffer.allocateDirect(Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .putFloat(0, left));
        commands.draw(4, 1, 0, 0);
    }

    @Test
    void aPipelineForOtherViewsIsRefused() {
        try (DeviceRig rig = rig(RdgOptions.defaults());
                GraphicsPipeline two = rig.device.createGraphicsPipeline(halves().withViews(2))) {
            int most = rig.device.capabilities().limits().rendering().maxViews();
            assertThatThrownBy(() -> rig.device.createGraphicsPipeline(halves().withViews(most + 1)))
                    .hasMessageContaining("has " + (most + 1) + " views, the device at most " + most);
            RenderGraph graph = new RenderGraph("frame");
            graph.addPass("draw", PassKind.RASTER)
                    .flag(PassFlag.MULTIVIEW)
                    .flag(PassFlag.NEVER_CULL)
                    .color(target(graph).view(), LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                    .record(context -> draw(context.commands(), two, -1));
            assertThatThrownBy(() ->
                            rig.executor.execute(rig.compile(graph)).completed().await())
                    .hasStackTraceContaining("1 samples and 2 views, the render pass has");
        }
    }

    @Test
    void itTakesARenderPassAndTheCapability() {
        RenderGraph compute = new RenderGraph("frame");
        compute.addPass("compute", PassKind.COMPUTE)
                .flag(PassFlag.MULTIVIEW)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        RenderGraph drawn = new RenderGraph("frame");
        drawn.addPass("draw", PassKind.RASTER)
                .flag(PassFlag.MULTIVIEW)
                .flag(PassFlag.NEVER_CULL)
                .color(target(drawn).view(), LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        try (DeviceRig rig = new DeviceRig(
                2,
                FrameExecutorOptions.defaults(),
                RdgOptions.defaults(),
                false,
                options -> VirtualDevice.open(new VirtualGpuOptions(3, 7), options))) {
            assertThatThrownBy(() -> rig.compile(compute))
                    .isInstanceOf(RdgValidationException.class)
                    .hasMessageContaining("it is for the render pass of a raster pass, and here is none");
            assertThatThrownBy(() ->
                            rig.executor.execute(rig.compile(drawn)).completed().await())
                    .hasStackTraceContaining("it takes a device opened with Capability.MULTIVIEW");
        }
    }
}
