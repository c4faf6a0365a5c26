package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.TextureExtraction;
import java.util.List;

/** Frames that draw; the pixels are compared where the device renders. */
final class RasterFrames implements AutoCloseable {
    private static final int WIDTH = 64;
    private static final int HEIGHT = 32;
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;
    private static final TextureDescription PICTURE = TextureDescription.of(
            WIDTH,
            HEIGHT,
            Format.R8G8B8A8_UNORM,
            TextureUsage.COLOR_ATTACHMENT,
            TextureUsage.SAMPLED,
            TextureUsage.COPY_SRC);
    private static final BufferDescription DATA =
            BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_DST);

    private static final String TRIANGLE = """
            #version 450
            void main() {
                vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
                gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
            }
            """;

    /** Red is the palette's entry for x, green is y. */
    private static final String PAINT = """
            #version 450
            layout(set = 0, binding = 0, std430) readonly buffer Palette { uint palette[]; };
            layout(location = 0) out vec4 color;
            void main() {
                uvec2 at = uvec2(gl_FragCoord.xy);
                color = vec4(float(palette[at.x] & 255u) / 255.0, float(at.y) / 255.0, 1.0, 1.0);
            }
            """;

    /** One step more than the source in red. */
    private static final String STEP = """
            #version 450
            layout(set = 0, binding = 0) uniform sampler2D source;
            layout(location = 0) out vec4 color;
            void main() {
                color = texelFetch(source, ivec2(gl_FragCoord.xy), 0) + vec4(1.0 / 255.0, 0.0, 0.0, 0.0);
            }
            """;

    private final DeviceRig rig;
    private final ComputePipeline mix;
    private final GraphicsPipeline paint;
    private final GraphicsPipeline step;

    RasterFrames(DeviceRig rig) {
        this.rig = rig;
        mix = MixKernel.create(rig.device);
        paint = pipeline(rig.device, "paint", PAINT);
        step = pipeline(rig.device, "step", STEP);
    }

    @Override
    public void close() {
        mix.close();
        paint.close();
        step.close();
    }

    private static GraphicsPipeline pipeline(GpuDevice device, String name, String fragment) {
        return device.createGraphicsPipeline(new GraphicsPipelineDescription(
                name,
                new ShaderSource("triangle.vert", ShaderStage.VERTEX, TRIANGLE),
                new ShaderSource(name + ".frag", ShaderStage.FRAGMENT, fragment),
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(PICTURE.format()),
                null));
    }

    private static void readBack(RenderGraph graph, RdgTexture source, RdgBuffer out) {
        graph.addPass("read back", PassKind.COPY)
                .reads(source, Access.COPY_SRC)
                .overwrites(out, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context ->
                        context.commands().copyTextureToBuffer(context.texture(source), 0, 0, context.buffer(out), 0));
    }

    private Buffer resultBuffer() {
        return rig.device.createBuffer("result", BufferDescription.readback(WIDTH * HEIGHT * 4L));
    }

    /** Compute writes a palette, raster paints with it, a copy takes the picture to the host; the plan repeats. */
    void computeRasterCopy() {
        try (Buffer result = resultBuffer()) {
            RenderGraph graph = new RenderGraph("palette");
            RdgBuffer seed = graph.createBuffer("seed", DATA);
            RdgBuffer palette = graph.createBuffer("palette", DATA);
            RdgTexture picture = graph.createTexture("picture", PICTURE);
            RdgBuffer out = graph.registerExternal(result);
            graph.addPass("seed", PassKind.COPY)
                    .overwrites(seed, Access.COPY_DST)
                    .record(context -> context.commands().fillBuffer(context.buffer(seed), 0, MixKernel.BYTES, 0));
            graph.addPass("mix", PassKind.COMPUTE)
                    .reads(seed, Access.STORAGE_READ_COMPUTE)
                    .overwrites(palette, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.ASYNC_COMPUTE)
                    .record(context -> MixKernel.dispatch(
                            context.commands(),
                            mix,
                            context.buffer(seed),
                            context.buffer(seed),
                            context.buffer(palette),
                            0));
            graph.addPass("paint", PassKind.RASTER)
                    .reads(palette, Access.STORAGE_READ_FRAGMENT)
                    .color(picture, LoadOp.CLEAR, BLACK)
                    .record(context -> {
                        CommandList commands = context.commands();
                        commands.bindPipeline(paint);
                        commands.bindBuffer("Palette", context.buffer(palette), 0, MixKernel.BYTES);
                        commands.draw(3, 1, 0, 0);
                    });
            rig.passBeside(graph, "beside");
            readBack(graph, picture, out);
            FramePlan plan = rig.compile(graph);
            for (int frame = 0; frame < 5; frame++) {
                rig.executor.execute(plan);
            }
            FrameHandle last = rig.executor.execute(plan);
            last.completed().await();
            assertThat(last.statistics().passes()).isEqualTo(plan.passes().size());
            if (rig.device.capabilities().renders()) {
                int[] pixels = RandomFrames.words(result);
                for (int y = 0; y < HEIGHT; y++) {
                    for (int x = 0; x < WIDTH; x++) {
                        assertThat(pixels[y * WIDTH + x])
                                .as("pixel %d,%d", x, y)
                                .isEqualTo(0xFFFF0000 | y << 8 | x);
                    }
                }
            }
            rig.executor.close();
        }
    }

    /** Each frame reads what the former one left and goes four steps through transients that share memory. */
    void historyPingPong(int frames) {
        try (Buffer result = resultBuffer();
                Texture even = rig.device.createTexture("even", PICTURE);
                Texture odd = rig.device.createTexture("odd", PICTURE)) {
            TextureLayout evenLayout = TextureLayout.UNDEFINED;
            TextureLayout oddLayout = TextureLayout.UNDEFINED;
            FrameHandle last = null;
            for (int frame = 0; frame <= frames; frame++) {
                RenderGraph graph = new RenderGraph("history");
                RdgTexture evenTexture = graph.registerExternal(even, evenLayout);
                RdgTexture oddTexture = graph.registerExternal(odd, oddLayout);
                RdgTexture to = frame % 2 == 0 ? evenTexture : oddTexture;
                if (frame == 0) {
                    graph.addPass("clear", PassKind.RASTER)
                            .color(to, LoadOp.CLEAR, BLACK)
                            .record(context -> {});
                } else {
                    RdgTexture current = frame % 2 == 0 ? oddTexture : evenTexture;
                    for (int i = 0; i < 3; i++) {
                        RdgTexture next = graph.createTexture("step " + i, PICTURE);
                        addStep(graph, "step " + i, current, next);
                        rig.passBeside(graph, "beside " + i);
                        current = next;
                    }
                    addStep(graph, "keep", current, to);
                }
                if (frame == frames) {
                    readBack(graph, to, graph.registerExternal(result));
                }
                FramePlan plan = rig.compile(graph);
                if (frame > 0) {
                    assertThat(plan.heapBytes()).isLessThan(plan.transientBytesWithoutAliasing());
                }
                last = rig.executor.execute(plan);
                evenLayout = plan.finalLayout(evenTexture);
                oddLayout = plan.finalLayout(oddTexture);
            }
            if (last != null) {
                last.completed().await();
            }
            if (rig.device.capabilities().renders()) {
                assertThat(RandomFrames.words(result)).containsOnly(4 * frames);
            }
            rig.executor.close();
        }
    }

    private void addStep(RenderGraph graph, String name, RdgTexture from, RdgTexture to) {
        graph.addPass(name, PassKind.RASTER)
                .reads(from, Access.SAMPLED_FRAGMENT)
                .color(to, LoadOp.DONT_CARE, BLACK)
                .record(context -> {
                    CommandList commands = context.commands();
                    commands.bindPipeline(step);
                    commands.bindTexture(
                            "source", context.view(from), rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
                    commands.draw(3, 1, 0, 0);
                });
    }

    /** A body fails in some frames; the frames after them read in the layouts that the failed plans promised. */
    void failureInBetween() {
        try (Buffer result = resultBuffer();
                Texture picture = rig.device.createTexture("picture", PICTURE)) {
            TextureLayout layout = TextureLayout.UNDEFINED;
            for (int frame = 0; frame < 6; frame++) {
                boolean broken = frame == 1 || frame == 3;
                RenderGraph graph = new RenderGraph("fragile " + frame);
                RdgTexture target = graph.registerExternal(picture, layout);
                if (frame % 2 == 1) {
                    graph.finalAccess(target, Access.SAMPLED_FRAGMENT);
                }
                if (frame == 0) {
                    graph.addPass("clear", PassKind.RASTER)
                            .color(target, LoadOp.CLEAR, new ClearColor(0, 1, 0, 1))
                            .record(context -> {});
                }
                RdgBuffer out = graph.registerExternal(result);
                readBack(graph, target, out);
                graph.addPass("fragile", PassKind.COPY)
                        .writes(out, Access.COPY_DST)
                        .flag(PassFlag.NEVER_CULL)
                        .record(context -> {
                            if (broken) {
                                throw new IllegalArgumentException("broken on purpose");
                            }
                        });
                FramePlan plan = rig.compile(graph);
                FrameHandle handle = rig.executor.execute(plan);
                layout = plan.finalLayout(target);
                if (broken) {
                    assertThatThrownBy(() -> handle.completed().await()).hasRootCauseMessage("broken on purpose");
                } else {
                    handle.completed().await();
                }
            }
            if (rig.device.capabilities().renders()) {
                assertThat(RandomFrames.words(result)).containsOnly(0xFF00FF00);
            }
            rig.executor.close();
        }
    }

    /** A transient is extracted from one frame and read by the next. */
    void extraction() {
        try (Buffer result = resultBuffer()) {
            RenderGraph first = new RenderGraph("make");
            RdgTexture made = first.createTexture("made", PICTURE);
            TextureExtraction extraction = first.extract(made, Access.SAMPLED_FRAGMENT);
            first.addPass("clear", PassKind.RASTER)
                    .color(made, LoadOp.CLEAR, new ClearColor(1, 0, 1, 0))
                    .record(context -> {});
            FramePlan plan = rig.compile(first);
            rig.executor.execute(plan);
            try (Texture kept = extraction.texture()) {
                RenderGraph second = new RenderGraph("take");
                RdgTexture taken = second.registerExternal(kept, plan.finalLayout(made));
                readBack(second, taken, second.registerExternal(result));
                rig.executor.execute(rig.compile(second)).completed().await();
                if (rig.device.capabilities().renders()) {
                    assertThat(RandomFrames.words(result)).containsOnly(0x00FF00FF);
                }
                rig.executor.close();
            }
        }
    }
}
