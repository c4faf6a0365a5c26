package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.MultisampleState;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What dynamic states, viewports and resolves of depth make of pictures. */
@Timeout(60)
class VulkanDynamicStateTest {
    private static final int SIZE = 32;
    private static final int SAMPLES = 4;

    /** Covers everything at half the depth. */
    private static final ShaderSource ALL = new ShaderSource("all.vert", ShaderStage.VERTEX, """
            #version 450
            const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 3), vec2(3, -1));
            void main() { gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1); }
            """);

    private static final ShaderSource LINE = new ShaderSource("line.vert", ShaderStage.VERTEX, """
            #version 450
            void main() { gl_Position = vec4(gl_VertexIndex == 0 ? -1 : 1, 1.0 / 32, 0, 1); }
            """);

    private static final ShaderSource QUAD = new ShaderSource("quad.vert", ShaderStage.VERTEX, """
            #version 450
            void main() { gl_Position = vec4(vec2(gl_VertexIndex >> 1 & 1, gl_VertexIndex & 1) * 2 - 1, 0.5, 1); }
            """);

    private static final ShaderSource BY_VIEW = new ShaderSource("views.vert", ShaderStage.VERTEX, """
            #version 450
            #extension GL_ARB_shader_viewport_layer_array : require
            const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 3), vec2(3, -1));
            void main() {
                gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1);
                gl_ViewportIndex = gl_InstanceIndex;
            }
            """);

    private static final ShaderSource WHITE = new ShaderSource("white.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """);

    private static final ShaderSource BY_SAMPLE = new ShaderSource("samples.frag", ShaderStage.FRAGMENT, """
            #version 450
            void main() { gl_FragDepth = (gl_SampleID + 1) / 8.0; }
            """);

    private static final ShaderSource EACH_SAMPLE = new ShaderSource("each.comp", ShaderStage.COMPUTE, """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform sampler2DMS depth;
            layout(set = 0, binding = 1) buffer Samples { float samples[]; };
            void main() {
                uvec3 at = gl_GlobalInvocationID;
                uint texel = at.y * gl_NumWorkGroups.x + at.x;
                samples[texel * gl_NumWorkGroups.z + at.z] = texelFetch(depth, ivec2(at.xy), int(at.z)).x;
            }
            """);

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private Texture depth(int samples) {
        TextureDescription shape = samples == 1
                ? TextureDescription.of(
                        SIZE, SIZE, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.COPY_SRC)
                : TextureDescription.of(SIZE, SIZE, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT)
                        .withSamples(samples);
        return gpu.own(gpu.device().createTexture("depth of " + samples, shape));
    }

    private GraphicsPipeline depthOnly(Set<DynamicState> states) {
        return gpu.own(gpu.device()
                .createGraphicsPipeline(new GraphicsPipelineDescription(
                                "depth only",
                                ALL,
                                null,
                                List.of(),
                                CullMode.NONE,
                                new DepthState(DepthCompare.ALWAYS, true, 0, 0),
                                Blend.NONE,
                                List.of(),
                                Format.D32_SFLOAT)
                        .withDynamicStates(states)));
    }

    private Buffer pixels() {
        return gpu.own(gpu.device().createBuffer("pixels", BufferDescription.readback(SIZE * SIZE * 4)));
    }

    private static void drawAt(CommandList list, int column) {
        list.setScissor(column * 4, 0, 4, SIZE);
        list.draw(3, 1, 0, 0);
    }

    @Test
    void depthBiasIsTheListsUntilAPipelineHasItsOwn() {
        Texture depth = depth(1);
        GraphicsPipeline dynamic = depthOnly(Set.of(DynamicState.DEPTH_BIAS));
        GraphicsPipeline fixed = depthOnly(Set.of());
        Buffer pixels = pixels();
        boolean clamps = gpu.device().capabilities().limits().pipelines().depthBiasClamp();
        gpu.execute("bias", list -> {
            list.barrier(transition(depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH));
            list.beginRendering(new RenderingInfo(
                    SIZE, SIZE, List.of(), new DepthAttachment(depth.view(), LoadOp.CLEAR, StoreOp.STORE, 1, false)));
            list.bindPipeline(dynamic);
            drawAt(list, 0);
            list.setDepthBias(1 << 20, 0, 0);
            drawAt(list, 1);
            list.bindPipeline(fixed);
            drawAt(list, 2);
            list.bindPipeline(dynamic);
            drawAt(list, 3);
            list.setDepthBias(-(1 << 20), 0, 0);
            drawAt(list, 4);
            list.setDepthBias(1 << 20, 0, clamps ? 0.001f : 0);
            drawAt(list, 5);
            list.endRendering();
            list.barrier(transition(depth, TextureLayout.DEPTH, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(depth, 0, 0, pixels, 0);
        });
        int[] words = words(pixels);
        float[] at = new float[6];
        for (int column = 0; column < at.length; column++) {
            at[column] = Float.intBitsToFloat(words[column * 4]);
        }
        assertThat(at[0]).as("no bias at the begin").isEqualTo(0.5f);
        assertThat(at[1]).as("a bias").isGreaterThan(0.51f).isLessThan(1);
        assertThat(at[2]).as("a pipeline without").isEqualTo(0.5f);
        assertThat(at[3]).as("the bias again").isEqualTo(at[1]);
        assertThat(at[4]).as("a negative bias").isLessThan(0.49f);
        if (clamps) {
            assertThat(at[5]).as("a clamped bias").isGreaterThan(0.5f).isLessThanOrEqualTo(0.5011f);
        }
    }

    @Test
    void linesAreAsWideAsTheListSays() {
        DeviceLimits.Pipelines limits = gpu.device().capabilities().limits().pipelines();
        assumeTrue(limits.maxLineWidth() >= 5, "no wide lines");
        Texture color = color();
        GraphicsPipeline lines = lines();
        Buffer pixels = pixels();
        gpu.execute("lines", list -> {
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.beginRendering(rendering(color));
            list.bindPipeline(lines);
            list.setScissor(0, 0, SIZE / 2, SIZE);
            list.draw(2, 1, 0, 0);
            list.setLineWidth(5);
            list.setScissor(SIZE / 2, 0, SIZE / 2, SIZE);
            list.draw(2, 1, 0, 0);
            list.endRendering();
            list.barrier(transition(color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(color, 0, 0, pixels, 0);
        });
        int[] words = words(pixels);
        assertThat(rows(words, SIZE / 4)).isEqualTo(1);
        assertThat(rows(words, 3 * SIZE / 4)).isEqualTo(5);
    }

    private Texture color() {
        return gpu.own(gpu.device()
                .createTexture(
                        "color",
                        TextureDescription.of(
                                SIZE,
                                SIZE,
                                Format.R8G8B8A8_UNORM,
                                TextureUsage.COLOR_ATTACHMENT,
                                TextureUsage.COPY_SRC)));
    }

    private GraphicsPipeline lines() {
        return gpu.own(gpu.device()
                .createGraphicsPipeline(new GraphicsPipelineDescription(
                                "lines",
                                LINE,
                                WHITE,
                                List.of(),
                                CullMode.NONE,
                                null,
                                Blend.NONE,
                                List.of(Format.R8G8B8A8_UNORM),
                                null)
                        .withRaster(RasterState.TRIANGLES.with(RasterState.Topology.LINE_LIST))
                        .withDynamicStates(Set.of(DynamicState.LINE_WIDTH))));
    }

    private static RenderingInfo rendering(Texture color) {
        return new RenderingInfo(
                SIZE,
                SIZE,
                List.of(new ColorAttachment(color.view(), LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                null);
    }

    /** A secondary list has no begin of a render pass that would set anything. */
    @Test
    void aSecondaryListBeginsWithLinesOfOne() {
        Texture color = color();
        GraphicsPipeline lines = lines();
        Buffer pixels = pixels();
        RenderingInfo info = rendering(color).withSecondaries();
        try (FrameContext frame = gpu.device().createFrameContext("lines")) {
            TimelinePoint done = gpu.submit(frame, "lines", list -> {
                CommandList part = frame.beginSecondary(gpu.graphics(), "part", info.formats(), List.of());
                part.setViewport(0, 0, SIZE, SIZE);
                part.setScissor(0, 0, SIZE, SIZE);
                part.bindPipeline(lines);
                part.draw(2, 1, 0, 0);
                part.end();
                list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
                list.beginRendering(info);
                list.execute(List.of(part));
                list.endRendering();
                list.barrier(transition(color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
                list.copyTextureToBuffer(color, 0, 0, pixels, 0);
            });
            assertThat(gpu.graphics().timeline().await(done.value(), Duration.ofSeconds(30)))
                    .isTrue();
        }
        assertThat(rows(words(pixels), SIZE / 4)).isEqualTo(1);
    }

    /** Column by column another state; each is what the list says, or the pipeline's own. */
    @Test
    void facesTopologyAndTestsAreTheListsOrThePipelines() {
        Format format = gpu.device()
                .firstSupported(
                        TextureUsage.DEPTH_ATTACHMENT, List.of(Format.D32_SFLOAT_S8_UINT, Format.D24_UNORM_S8_UINT));
        Texture color = color();
        Texture both = gpu.own(gpu.device()
                .createTexture("both", TextureDescription.of(SIZE, SIZE, format, TextureUsage.DEPTH_ATTACHMENT)));
        DepthState less = new DepthState(DepthCompare.LESS, false, 0, 0);
        StencilState zero = stencil(DepthCompare.EQUAL, 0);
        GraphicsPipelineDescription own = GraphicsPipelineDescription.of("own", ALL, WHITE, Format.R8G8B8A8_UNORM)
                .withDepth(less, format)
                .withStencil(zero, format);
        GraphicsPipeline fixed = gpu.own(gpu.device().createGraphicsPipeline(own));
        GraphicsPipeline dynamic = gpu.own(gpu.device()
                .createGraphicsPipeline(own.withDynamicStates(EnumSet.complementOf(EnumSet.of(
                        DynamicState.STENCIL_REFERENCE,
                        DynamicState.DEPTH_BIAS,
                        DynamicState.LINE_WIDTH,
                        DynamicState.VERTEX_INPUT)))));
        GraphicsPipeline byReference = gpu.own(gpu.device()
                .createGraphicsPipeline(
                        own.withDynamicStates(Set.of(DynamicState.STENCIL_TEST, DynamicState.STENCIL_REFERENCE))));
        Buffer pixels = pixels();
        gpu.execute("tests", list -> {
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.barrier(transition(both, TextureLayout.UNDEFINED, TextureLayout.DEPTH));
            list.beginRendering(new RenderingInfo(
                            SIZE,
                            SIZE,
                            List.of(new ColorAttachment(
                                    color.view(), LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                            new DepthAttachment(both.view(), LoadOp.CLEAR, StoreOp.STORE, 1, false))
                    .withStencil(new StencilAttachment(both.view(), LoadOp.CLEAR, StoreOp.STORE, 0, false)));
            list.bindPipeline(dynamic);
            drawAt(list, 0);
            list.setCullMode(CullMode.FRONT);
            drawAt(list, 1);
            list.setFrontFace(RasterState.FrontFace.CLOCKWISE);
            drawAt(list, 2);
            list.setCullMode(CullMode.NONE);
            list.setDepthTest(new DepthState(DepthCompare.GREATER, false, 0, 0));
            drawAt(list, 3);
            list.bindPipeline(fixed);
            drawAt(list, 4);
            list.bindPipeline(dynamic);
            list.setDepthTest(null);
            list.setStencilTest(stencil(DepthCompare.EQUAL, 1));
            drawAt(list, 5);
            list.setStencilReference(0);
            list.bindPipeline(byReference);
            drawAt(list, 6);
            list.bindPipeline(dynamic);
            drawAt(list, 7);
            list.endRendering();
            list.barrier(transition(color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(color, 0, 0, pixels, 0);
        });
        int[] words = words(pixels);
        // The triangle goes around counter-clockwise, so its front is seen until that turns.
        assertThat(IntStream.range(0, 8).mapToObj(column -> words[column * 4] != 0))
                .containsExactly(true, false, true, false, true, false, true, false);
    }

    /** The list's references, which another pipeline has, are not those of the test that stays. */
    @Test
    void aTestHasItsOwnReferencesAgainAfterThoseOfTheList() {
        Format format = gpu.device()
                .firstSupported(
                        TextureUsage.DEPTH_ATTACHMENT, List.of(Format.D32_SFLOAT_S8_UINT, Format.D24_UNORM_S8_UINT));
        Texture color = color();
        Texture both = gpu.own(gpu.device()
                .createTexture("both", TextureDescription.of(SIZE, SIZE, format, TextureUsage.DEPTH_ATTACHMENT)));
        GraphicsPipelineDescription own = GraphicsPipelineDescription.of("own", ALL, WHITE, Format.R8G8B8A8_UNORM)
                .withDepth(new DepthState(DepthCompare.ALWAYS, false, 0, 0), format)
                .withStencil(stencil(DepthCompare.EQUAL, 0), format);
        GraphicsPipeline byTest =
                gpu.own(gpu.device().createGraphicsPipeline(own.withDynamicStates(Set.of(DynamicState.STENCIL_TEST))));
        GraphicsPipeline byReference = gpu.own(gpu.device()
                .createGraphicsPipeline(
                        own.withDynamicStates(Set.of(DynamicState.STENCIL_TEST, DynamicState.STENCIL_REFERENCE))));
        Buffer pixels = pixels();
        gpu.execute("references", list -> {
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.barrier(transition(both, TextureLayout.UNDEFINED, TextureLayout.DEPTH));
            list.beginRendering(new RenderingInfo(
                            SIZE,
                            SIZE,
                            List.of(new ColorAttachment(
                                    color.view(), LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                            new DepthAttachment(both.view(), LoadOp.CLEAR, StoreOp.STORE, 1, false))
                    .withStencil(new StencilAttachment(both.view(), LoadOp.CLEAR, StoreOp.STORE, 0, false)));
            list.setStencilTest(stencil(DepthCompare.EQUAL, 0));
            list.setStencilReference(1);
            list.bindPipeline(byReference);
            drawAt(list, 0);
            list.setStencilReference(2);
            list.bindPipeline(byTest);
            drawAt(list, 1);
            list.bindPipeline(byReference);
            drawAt(list, 2);
            list.setStencilReference(0);
            drawAt(list, 3);
            list.endRendering();
            list.barrier(transition(color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(color, 0, 0, pixels, 0);
        });
        int[] words = words(pixels);
        assertThat(IntStream.range(0, 4).mapToObj(column -> words[column * 4] != 0))
                .containsExactly(false, true, false, true);
    }

    private static StencilState stencil(DepthCompare compare, int reference) {
        StencilState.Operation keep = StencilState.Operation.KEEP;
        return new StencilState(new StencilState.Face(compare, keep, keep, keep, 255, 255, reference));
    }

    @Test
    void stripsAndListsAreOnePipeline() {
        Texture color = color();
        GraphicsPipeline quads = gpu.own(gpu.device()
                .createGraphicsPipeline(GraphicsPipelineDescription.of("quad", QUAD, WHITE, Format.R8G8B8A8_UNORM)
                        .withDynamicStates(Set.of(DynamicState.TOPOLOGY))));
        Buffer pixels = pixels();
        gpu.execute("topology", list -> {
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.beginRendering(rendering(color));
            list.bindPipeline(quads);
            list.setScissor(0, 0, SIZE / 2, SIZE);
            list.draw(4, 1, 0, 0);
            list.setTopology(RasterState.Topology.TRIANGLE_STRIP);
            list.setScissor(SIZE / 2, 0, SIZE / 2, SIZE);
            list.draw(4, 1, 0, 0);
            list.endRendering();
            list.barrier(transition(color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(color, 0, 0, pixels, 0);
        });
        int[] words = words(pixels);
        assertThat(rows(words, SIZE / 2 - 1)).isBetween(1L, SIZE - 1L);
        assertThat(rows(words, SIZE - 1)).isEqualTo(SIZE);
    }

    @Test
    void theShaderChoosesAViewport() {
        assumeTrue(gpu.device().capabilities().limits().rendering().maxViewports() >= 2, "one viewport");
        Texture color = color();
        GraphicsPipeline views = gpu.own(gpu.device()
                .createGraphicsPipeline(GraphicsPipelineDescription.of("views", BY_VIEW, WHITE, Format.R8G8B8A8_UNORM)
                        .withViewports(2)));
        Buffer pixels = pixels();
        gpu.execute("views", list -> {
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.beginRendering(rendering(color));
            list.bindPipeline(views);
            list.setViewport(0, 0, 4, 4);
            list.setViewport(1, 16, 0, 8, 2, 0, 1);
            list.setScissor(1, 0, 0, SIZE, SIZE);
            list.draw(3, 2, 0, 0);
            list.endRendering();
            list.barrier(transition(color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(color, 0, 0, pixels, 0);
        });
        int[] words = words(pixels);
        assertThat(IntStream.of(words).filter(pixel -> pixel != 0).count()).isEqualTo(4 * 4 + 8 * 2);
        assertThat(rows(words, 3)).isEqualTo(4);
        assertThat(rows(words, 23)).isEqualTo(2);
    }

    private static long rows(int[] pixels, int x) {
        return IntStream.range(0, SIZE).filter(y -> pixels[y * SIZE + x] != 0).count();
    }

    /**
     * Every sample is read by a shader, and the mode done by hand: Mesa's software drivers say that they average depth, but
     * take sample 0 of four that differ. The samples are right, so it is the resolve that is not.
     */
    @Test
    void samplesOfDepthAreResolvedByEachModeThatTheDeviceHas() {
        assumeTrue(gpu.device().formatSupport(Format.D32_SFLOAT).supportsSamples(SAMPLES), "no four samples");
        assumeTrue(gpu.device().capabilities().limits().pipelines().sampleShading(), "no sample shading");
        Texture many = gpu.own(gpu.device()
                .createTexture(
                        "depth of all samples",
                        TextureDescription.of(
                                        SIZE,
                                        SIZE,
                                        Format.D32_SFLOAT,
                                        TextureUsage.DEPTH_ATTACHMENT,
                                        TextureUsage.SAMPLED)
                                .withSamples(SAMPLES)));
        Texture one = depth(1);
        GraphicsPipeline pipeline = gpu.own(gpu.device()
                .createGraphicsPipeline(new GraphicsPipelineDescription(
                                "samples",
                                ALL,
                                BY_SAMPLE,
                                List.of(),
                                CullMode.NONE,
                                new DepthState(DepthCompare.ALWAYS, true, 0, 0),
                                Blend.NONE,
                                List.of(),
                                Format.D32_SFLOAT)
                        .withMultisample(MultisampleState.of(SAMPLES))));
        Set<ResolveMode> modes =
                gpu.device().capabilities().limits().depthResolve().depthModes();
        assertThat(modes).contains(ResolveMode.SAMPLE_ZERO);
        for (ResolveMode mode : modes) {
            Buffer pixels = pixels();
            gpu.execute("resolve " + mode, list -> {
                list.barrier(transition(many, TextureLayout.UNDEFINED, TextureLayout.DEPTH));
                list.barrier(transition(one, TextureLayout.UNDEFINED, TextureLayout.DEPTH));
                list.beginRendering(new RenderingInfo(
                        SIZE,
                        SIZE,
                        List.of(),
                        new DepthAttachment(many.view(), LoadOp.CLEAR, StoreOp.STORE, 1, false)
                                .resolvedTo(one.view(), mode)));
                list.bindPipeline(pipeline);
                list.draw(3, 1, 0, 0);
                list.endRendering();
                list.barrier(transition(one, TextureLayout.DEPTH, TextureLayout.TRANSFER_SRC));
                list.copyTextureToBuffer(one, 0, 0, pixels, 0);
            });
            float[] samples = samples(many);
            assertThat(samples).startsWith(0.125f, 0.25f, 0.375f, 0.5f);
            int[] words = words(pixels);
            float[] resolved = new float[words.length];
            for (int texel = 0; texel < resolved.length; texel++) {
                resolved[texel] = Float.intBitsToFloat(words[texel]);
            }
            boolean software = gpu.device().capabilities().name().contains("llvmpipe");
            boolean takesFirst = software && mode == ResolveMode.AVERAGE && resolved[0] == samples[0];
            assertThat(resolved)
                    .as(mode.name())
                    .containsExactly(byHand(takesFirst ? ResolveMode.SAMPLE_ZERO : mode, samples));
        }
    }

    private static float[] byHand(ResolveMode mode, float[] samples) {
        float[] resolved = new float[samples.length / SAMPLES];
        for (int texel = 0; texel < resolved.length; texel++) {
            int first = texel * SAMPLES;
            DoubleStream all = IntStream.range(first, first + SAMPLES).mapToDouble(i -> samples[i]);
            resolved[texel] = (float)
                    switch (mode) {
                        case SAMPLE_ZERO -> samples[first];
                        case AVERAGE -> all.average().orElseThrow();
                        case MIN -> all.min().orElseThrow();
                        case MAX -> all.max().orElseThrow();
                    };
        }
        return resolved;
    }

    /** Returns the samples of all texels, those of a texel together. */
    private float[] samples(Texture many) {
        ComputePipeline reading = gpu.own(gpu.device()
                .createComputePipeline(new ComputePipelineDescription("reading", EACH_SAMPLE, invocation -> {})));
        Buffer all = gpu.own(gpu.device()
                .createBuffer(
                        "samples",
                        BufferDescription.device(
                                (long) SIZE * SIZE * SAMPLES * Float.BYTES,
                                BufferUsage.STORAGE,
                                BufferUsage.COPY_SRC)));
        Buffer read = gpu.own(gpu.device()
                .createBuffer(
                        "read", BufferDescription.readback(all.description().bytes())));
        gpu.execute("read samples", list -> {
            list.barrier(transition(many, TextureLayout.DEPTH, TextureLayout.SHADER_RO));
            list.bindPipeline(reading);
            list.bindTexture("depth", many.view(), gpu.device().sampler(SamplerDescription.NEAREST_CLAMP));
            list.bindBuffer("Samples", all, 0, all.description().bytes());
            list.dispatch(SIZE, SIZE, SAMPLES);
            list.barrier(ValidatedDevice.memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.COPY,
                    MemoryAccess.COPY_READ));
            list.copyBuffer(all, 0, read, 0, all.description().bytes());
        });
        int[] words = words(read);
        float[] samples = new float[words.length];
        for (int i = 0; i < words.length; i++) {
            samples[i] = Float.intBitsToFloat(words[i]);
        }
        return samples;
    }
}
