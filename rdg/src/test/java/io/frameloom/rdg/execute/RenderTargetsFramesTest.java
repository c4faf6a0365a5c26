package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stencil, resolve targets and layers of a graph's own render passes, down to the texels. */
class RenderTargetsFramesTest {
    private static final int SIZE = 4;
    private static final int SLICES = 3;
    private static final int SAMPLES = 4;
    private static final int GREEN = 0xFF00FF00;
    private static final int RED = 0xFF0000FF;
    private static final ClearColor GREEN_COLOR = new ClearColor(0, 1, 0, 1);
    private static final ClearColor RED_COLOR = new ClearColor(1, 0, 0, 1);
    private static final TextureDescription COLOR =
            TextureDescription.of(SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT);

    private static final String TRIANGLE = """
            #version 450
            void main() {
                vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
                gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
            }
            """;

    private static final String PAINT = """
            #version 450
            layout(location = 0) out vec4 color;
            void main() {
                color = vec4(1.0, 0.0, 0.0, 1.0);
            }
            """;

    private final RenderGraph graph = new RenderGraph("targets");

    private static Format depthStencil(DeviceRig rig) {
        return rig.device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
    }

    private RdgTexture texture(DeviceRig rig, String name, int samples) {
        return graph.createTexture(
                name,
                TextureDescription.of(SIZE, SIZE, depthStencil(rig), TextureUsage.DEPTH_ATTACHMENT)
                        .withSamples(samples));
    }

    private RdgReadback stencilOf(RdgTexture texture) {
        return ReadbackPasses.texture(
                graph, texture, TextureRegion.mip(texture.description(), 0).withPlane(1));
    }

    private void execute(DeviceRig rig) {
        rig.executor.execute(rig.compile(graph)).completed().await();
    }

    private static byte[] bytes(RdgReadback readback) {
        ByteBuffer bytes = readback.bytes().join();
        byte[] result = new byte[bytes.remaining()];
        bytes.get(result);
        return result;
    }

    private static int[] words(RdgReadback readback) {
        ByteBuffer bytes = readback.bytes().join();
        int[] words = new int[bytes.remaining() / 4];
        bytes.asIntBuffer().get(words);
        return words;
    }

    private static int[] square(int inside, int outside, int left, int top, int edge) {
        int[] words = new int[SIZE * SIZE];
        for (int i = 0; i < words.length; i++) {
            int x = i % SIZE - left;
            int y = i / SIZE - top;
            words[i] = x >= 0 && x < edge && y >= 0 && y < edge ? inside : outside;
        }
        return words;
    }

    /** A clear at the begin of a smaller render pass leaves what lies outside; so does one of a pass that may be left out. */
    @ParameterizedTest
    @EnumSource
    void whatLiesOutsideOfTheRenderAreaStays(TestDevice device) {
        device.run(rig -> {
            RdgTexture whole = graph.createTexture("whole", COLOR);
            RdgTexture maybe = graph.createTexture("maybe", COLOR);
            for (RdgTexture target : List.of(whole, maybe)) {
                graph.addPass("all of " + target.name(), PassKind.RASTER)
                        .color(target, LoadOp.CLEAR, GREEN_COLOR)
                        .record(context -> {});
                PassBuilder part = graph.addPass("part of " + target.name(), PassKind.RASTER)
                        .color(target, LoadOp.CLEAR, RED_COLOR)
                        .renderArea(1, 2, 2, 2);
                if (target == maybe) {
                    part.onlyIf(() -> true);
                }
                part.record(context -> {
                    assertThat(context.width()).isEqualTo(2);
                    assertThat(context.height()).isEqualTo(2);
                });
            }
            RdgReadback first = ReadbackPasses.texture(graph, whole);
            RdgReadback second = ReadbackPasses.texture(graph, maybe);
            execute(rig);
            assertThat(words(first)).isEqualTo(square(RED, GREEN, 1, 2, 2));
            assertThat(words(second)).isEqualTo(square(RED, GREEN, 1, 2, 2));
        });
    }

    /** What is drawn over everything fills the area, also in a pass that joins a render pass and in one of parts. */
    @ParameterizedTest
    @EnumSource(names = "VULKAN")
    void drawsFillTheRenderArea(TestDevice device) {
        device.run(rig -> {
            try (GraphicsPipeline paint = rig.device.createGraphicsPipeline(paint())) {
                RdgTexture joined = graph.createTexture("joined", COLOR);
                RdgTexture parted = graph.createTexture("parted", COLOR);
                for (RdgTexture target : List.of(joined, parted)) {
                    graph.addPass("all of " + target.name(), PassKind.RASTER)
                            .color(target, LoadOp.CLEAR, GREEN_COLOR)
                            .record(context -> {});
                }
                graph.addPass("begin", PassKind.RASTER)
                        .color(joined, LoadOp.LOAD, GREEN_COLOR)
                        .renderArea(2, 1, 2, 2)
                        .record(context -> {});
                graph.addPass("join", PassKind.RASTER)
                        .color(joined, LoadOp.LOAD, GREEN_COLOR)
                        .renderArea(2, 1, 2, 2)
                        .record(context -> draw(context.commands(), paint));
                graph.addPass("parts", PassKind.RASTER)
                        .color(parted, LoadOp.LOAD, GREEN_COLOR)
                        .renderArea(2, 1, 2, 2)
                        .recordParts(2, (context, part) -> draw(context.commands(), paint));
                RdgReadback first = ReadbackPasses.texture(graph, joined);
                RdgReadback second = ReadbackPasses.texture(graph, parted);
                FramePlan plan = rig.compile(graph);
                assertThat(plan.renderPasses())
                        .extracting(FramePlan.RenderPassPlan::passes)
                        .contains(List.of(2, 3));
                rig.executor.execute(plan).completed().await();
                assertThat(words(first)).isEqualTo(square(RED, GREEN, 2, 1, 2));
                assertThat(words(second)).isEqualTo(square(RED, GREEN, 2, 1, 2));
            }
        });
    }

    private static void draw(CommandList commands, GraphicsPipeline paint) {
        commands.bindPipeline(paint);
        commands.draw(3, 1, 0, 0);
    }

    /** All barriers of a shared render pass come before its first member, so memory that a member reads is not free for a later one. */
    @ParameterizedTest
    @EnumSource
    void aResolveTakesNoMemoryThatAnEarlierMemberOfItsRenderPassReads(TestDevice device) {
        device.run(rig -> {
            RdgTexture read = graph.createTexture("read", COLOR);
            RdgTexture samples = graph.createTexture("samples", COLOR.withSamples(SAMPLES));
            RdgTexture resolved = graph.createTexture("resolved", COLOR);
            graph.addPass("write", PassKind.RASTER)
                    .color(read, LoadOp.CLEAR, GREEN_COLOR)
                    .record(context -> {});
            graph.addPass("begin", PassKind.RASTER)
                    .color(samples, LoadOp.CLEAR, GREEN_COLOR)
                    .reads(read, Access.SAMPLED_FRAGMENT)
                    .record(context -> context.texture(read));
            graph.addPass("join", PassKind.RASTER)
                    .color(samples, LoadOp.LOAD, GREEN_COLOR)
                    .resolve(resolved)
                    .record(context -> context.commands().clearColorAttachment(0, RED_COLOR, 0, 0, SIZE, SIZE));
            RdgReadback pixels = ReadbackPasses.texture(graph, resolved);
            FramePlan plan = rig.compile(graph);
            assertThat(plan.renderPasses())
                    .extracting(FramePlan.RenderPassPlan::passes)
                    .contains(List.of(1, 2));
            rig.executor.execute(plan).completed().await();
            assertThat(words(pixels)).containsOnly(RED);
        });
    }

    @ParameterizedTest
    @EnumSource
    void slicesAreRenderedToOneByOneAndTogether(TestDevice device) {
        device.run(rig -> {
            RdgTexture volume = graph.createTexture("volume", COLOR.withDepth(4));
            graph.addPass("all", PassKind.RASTER)
                    .colorSlices(volume, 0, 0, 4, LoadOp.CLEAR, GREEN_COLOR)
                    .record(context -> {});
            graph.addPass("one", PassKind.RASTER)
                    .colorSlices(volume, 0, 1, 1, LoadOp.CLEAR, GREEN_COLOR)
                    .record(context -> {});
            graph.addPass("on with one", PassKind.RASTER)
                    .colorSlices(volume, 0, 1, 1, LoadOp.LOAD, GREEN_COLOR)
                    .record(context -> context.commands().clearColorAttachment(0, RED_COLOR, 0, 0, SIZE, SIZE));
            graph.addPass("part of one", PassKind.RASTER)
                    .colorSlices(volume, 0, 3, 1, LoadOp.CLEAR, RED_COLOR)
                    .renderArea(0, 0, 1, 1)
                    .record(context -> {});
            RdgReadback texels = ReadbackPasses.texture(graph, volume);
            FramePlan plan = rig.compile(graph);
            assertThat(plan.renderPasses())
                    .extracting(FramePlan.RenderPassPlan::passes)
                    .contains(List.of(1, 2), List.of(3));
            rig.executor.execute(plan).completed().await();
            int[] words = words(texels);
            int[] green = square(GREEN, GREEN, 0, 0, 1);
            assertThat(slice(words, 0)).isEqualTo(green);
            assertThat(slice(words, 1)).isEqualTo(square(RED, RED, 0, 0, 1));
            assertThat(slice(words, 2)).isEqualTo(green);
            assertThat(slice(words, 3)).isEqualTo(square(RED, GREEN, 0, 0, 1));
        });
    }

    /** Whatever parts are rendered to, cleared, loaded or left out, the texels are those of one pass after the other. */
    @ParameterizedTest
    @EnumSource
    void randomPartsGiveTheTexelsOfTheirOrder(TestDevice device) {
        device.run(rig -> {
            Random random = new Random(11);
            for (int round = 0; round < 12; round++) {
                RenderGraph parts = new RenderGraph("parts");
                RdgTexture volume = parts.createTexture("volume", COLOR.withDepth(SLICES));
                int[] expected = new int[SLICES * SIZE * SIZE];
                parts.addPass("all", PassKind.RASTER)
                        .colorSlices(volume, 0, 0, SLICES, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                        .record(context -> {});
                Part last = Part.random(random);
                for (int pass = 1; pass <= 12; pass++) {
                    Part part = random.nextInt(3) == 0 ? last : Part.random(random);
                    boolean begins = random.nextBoolean();
                    boolean runs = random.nextInt(4) > 0;
                    ClearColor color = new ClearColor(pass / 255.0, 0, 0, 0);
                    PassBuilder builder = parts.addPass("pass " + pass, PassKind.RASTER)
                            .colorSlices(volume, 0, part.slice, part.slices, begins ? LoadOp.CLEAR : LoadOp.LOAD, color)
                            .renderArea(part.x, part.y, part.width, part.height);
                    if (!runs || random.nextInt(3) == 0) {
                        builder.onlyIf(() -> runs);
                    }
                    builder.record(context -> {
                        if (!begins) {
                            context.commands().clearColorAttachment(0, color, part.x, part.y, part.width, part.height);
                        }
                    });
                    if (runs) {
                        part.fill(expected, pass);
                    }
                    last = part;
                }
                RdgReadback texels = ReadbackPasses.texture(parts, volume);
                rig.executor.execute(rig.compile(parts)).completed().await();
                assertThat(words(texels)).as("round %d", round).isEqualTo(expected);
            }
        });
    }

    private record Part(int x, int y, int width, int height, int slice, int slices) {
        static Part random(Random random) {
            int x = random.nextInt(SIZE);
            int y = random.nextInt(SIZE);
            int slice = random.nextInt(SLICES);
            return random.nextInt(4) == 0
                    ? new Part(0, 0, SIZE, SIZE, 0, SLICES)
                    : new Part(
                            x,
                            y,
                            1 + random.nextInt(SIZE - x),
                            1 + random.nextInt(SIZE - y),
                            slice,
                            1 + random.nextInt(SLICES - slice));
        }

        void fill(int[] words, int value) {
            for (int z = slice; z < slice + slices; z++) {
                for (int row = y; row < y + height; row++) {
                    int from = (z * SIZE + row) * SIZE + x;
                    Arrays.fill(words, from, from + width, value);
                }
            }
        }
    }

    private static int[] slice(int[] words, int slice) {
        return Arrays.copyOfRange(words, slice * SIZE * SIZE, (slice + 1) * SIZE * SIZE);
    }

    @ParameterizedTest
    @EnumSource
    void depthIsClearedAndStencilStays(TestDevice device) {
        device.run(rig -> {
            RdgTexture both = texture(rig, "both", 1);
            graph.addPass("stencil mask", PassKind.RASTER)
                    .stencil(both, LoadOp.CLEAR, 3)
                    .record(context -> context.commands().clearDepthStencilAttachment(false, 0, true, 9, 0, 0, 2, 1));
            graph.addPass("depth", PassKind.RASTER)
                    .depth(both, LoadOp.CLEAR, 1)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            RdgReadback stencil = stencilOf(both);
            execute(rig);
            assertThat(bytes(stencil)).startsWith(9, 9, 3, 3, 3).hasSize(SIZE * SIZE);
        });
    }

    /** What a stencil test of a graph's own render pass lets through is drawn, the rest is not. */
    @ParameterizedTest
    @EnumSource
    void theStencilTestDecidesWhatIsDrawn(TestDevice device) {
        device.run(rig -> {
            Format format = depthStencil(rig);
            try (GraphicsPipeline paint = paint(rig, format)) {
                RdgTexture both = texture(rig, "both", 1);
                RdgTexture picture = graph.createTexture("picture", COLOR);
                graph.addPass("mask", PassKind.RASTER)
                        .depthStencil(both, LoadOp.CLEAR, 1, 0)
                        .record(context ->
                                context.commands().clearDepthStencilAttachment(false, 0, true, 5, 1, 0, 2, SIZE));
                graph.addPass("draw", PassKind.RASTER)
                        .color(picture, LoadOp.CLEAR, GREEN_COLOR)
                        .stencilReadOnly(both)
                        .record(context -> {
                            context.commands().bindPipeline(paint);
                            context.commands().draw(3, 1, 0, 0);
                        });
                RdgReadback result = ReadbackPasses.texture(graph, picture);
                execute(rig);
                if (rig.device.capabilities().renders()) {
                    int[] pixels = words(result);
                    for (int i = 0; i < pixels.length; i++) {
                        int x = i % SIZE;
                        assertThat(pixels[i]).as("pixel %d", i).isEqualTo(x == 1 || x == 2 ? RED : GREEN);
                    }
                }
                rig.executor.close();
            }
        });
    }

    private static GraphicsPipeline paint(DeviceRig rig, Format format) {
        StencilState.Face equal = new StencilState.Face(
                GraphicsPipelineDescription.DepthCompare.EQUAL,
                StencilState.Operation.KEEP,
                StencilState.Operation.KEEP,
                StencilState.Operation.KEEP,
                0xFF,
                0xFF,
                5);
        return rig.device.createGraphicsPipeline(paint().withStencil(new StencilState(equal), format));
    }

    private static GraphicsPipelineDescription paint() {
        return new GraphicsPipelineDescription(
                "paint",
                new ShaderSource("triangle.vert", ShaderStage.VERTEX, TRIANGLE),
                new ShaderSource("paint.frag", ShaderStage.FRAGMENT, PAINT),
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(COLOR.format()),
                null);
    }

    @ParameterizedTest
    @EnumSource
    void stencilOfASkippedPassStays(TestDevice device) {
        device.run(rig -> {
            RdgTexture both = texture(rig, "both", 1);
            graph.addPass("fill", PassKind.RASTER)
                    .depthStencil(both, LoadOp.CLEAR, 1, 4)
                    .record(context -> {});
            graph.addPass("skipped", PassKind.RASTER)
                    .stencil(both, LoadOp.CLEAR, 6)
                    .onlyIf(() -> false)
                    .record(context -> {});
            RdgReadback skipped = stencilOf(both);
            graph.addPass("runs", PassKind.RASTER)
                    .stencil(both, LoadOp.CLEAR, 8)
                    .onlyIf(() -> true)
                    .record(context -> {});
            RdgReadback run = stencilOf(both);
            execute(rig);
            assertThat(bytes(skipped)).containsOnly(4);
            assertThat(bytes(run)).containsOnly(8);
        });
    }

    @ParameterizedTest
    @EnumSource
    void samplesBecomeOne(TestDevice device) {
        device.run(rig -> {
            Format format = depthStencil(rig);
            assumeTrue(rig.device.formatSupport(format).supportsSamples(SAMPLES));
            RdgTexture manyColors = graph.createTexture("many colours", COLOR.withSamples(SAMPLES));
            RdgTexture picture = graph.createTexture("picture", COLOR);
            RdgTexture many = texture(rig, "many", SAMPLES);
            RdgTexture one = texture(rig, "one", 1);
            graph.addPass("draw", PassKind.RASTER)
                    .color(manyColors, LoadOp.CLEAR, RED_COLOR)
                    .resolve(picture)
                    .depthStencil(many, LoadOp.CLEAR, 0.5f, 7)
                    .resolve(one, ResolveMode.SAMPLE_ZERO)
                    .record(context -> context.commands().clearColorAttachment(0, GREEN_COLOR, 0, 0, 1, 1));
            RdgReadback colors = ReadbackPasses.texture(graph, picture);
            RdgReadback stencil = stencilOf(one);
            execute(rig);
            assertThat(words(colors)).startsWith(GREEN, RED, RED).hasSize(SIZE * SIZE);
            assertThat(bytes(stencil)).containsOnly(7);
        });
    }

    @ParameterizedTest
    @EnumSource
    void allLayersAreCleared(TestDevice device) {
        device.run(rig -> {
            RdgTexture array = graph.createTexture("array", COLOR.withLayers(3));
            RdgTexture cube = graph.createTexture(
                    "cube", TextureDescription.cube(SIZE, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT));
            graph.addPass("all", PassKind.RASTER)
                    .color(array.view(), LoadOp.CLEAR, RED_COLOR)
                    .record(context -> {});
            graph.addPass("faces", PassKind.RASTER)
                    .color(cube.view(), LoadOp.CLEAR, GREEN_COLOR)
                    .record(context -> {});
            RdgReadback last = ReadbackPasses.texture(
                    graph, array, TextureRegion.mip(array.description(), 0).withLayers(2, 1));
            RdgReadback face = ReadbackPasses.texture(
                    graph, cube, TextureRegion.mip(cube.description(), 0).withLayers(5, 1));
            execute(rig);
            assertThat(words(last)).containsOnly(RED);
            assertThat(words(face)).containsOnly(GREEN);
        });
    }
}
