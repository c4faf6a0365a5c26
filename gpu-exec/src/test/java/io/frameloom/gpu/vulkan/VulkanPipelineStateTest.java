package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.MultisampleState;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.RasterState.PolygonMode;
import io.frameloom.gpu.pipeline.RasterState.Topology;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.pipeline.StencilState.Operation;
import io.frameloom.gpu.pipeline.TargetBlend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every state of a pipeline reaches the driver: it is accepted by the validation layer, or seen in a picture. */
@Timeout(60)
class VulkanPipelineStateTest {
    private static final int SIZE = 8;

    /** A triangle over the whole picture, or what its first vertices are with another topology. */
    private static final ShaderSource COVER = new ShaderSource("cover.vert", ShaderStage.VERTEX, """
            #version 450
            void main() {
                gl_Position = vec4((gl_VertexIndex & 1) * 4 - 1, (gl_VertexIndex >> 1) * 4 - 1, 0.5, 1);
                gl_PointSize = 1;
            }
            """);

    private static final ShaderSource TWO_COLORS = new ShaderSource("two.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 first;
            layout(location = 1) out vec4 second;
            void main() {
                first = vec4(0.2, 0.4, 0.6, 0.5);
                second = vec4(0.2, 0.4, 0.6, 0.5);
            }
            """);

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private static GraphicsPipelineDescription twoTargets() {
        return new GraphicsPipelineDescription(
                "state",
                COVER,
                TWO_COLORS,
                List.of(),
                CullMode.NONE,
                null,
                Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM, Format.R8G8B8A8_UNORM),
                null);
    }

    private GraphicsPipeline create(GraphicsPipelineDescription description) {
        return gpu.own(gpu.device().createGraphicsPipeline(description));
    }

    /** Draws over two targets that hold (1, 0, 0, 1), and returns the first texel of each. */
    private int[] draw(GraphicsPipelineDescription description, int vertices) {
        GraphicsPipeline pipeline = create(description);
        Texture[] targets = new Texture[2];
        Buffer pixels = gpu.own(gpu.device().createBuffer("pixels", BufferDescription.readback(2 * SIZE * SIZE * 4)));
        for (int i = 0; i < 2; i++) {
            targets[i] = gpu.own(gpu.device()
                    .createTexture(
                            "target " + i,
                            TextureDescription.of(
                                    SIZE,
                                    SIZE,
                                    Format.R8G8B8A8_UNORM,
                                    TextureUsage.COLOR_ATTACHMENT,
                                    TextureUsage.COPY_SRC)));
        }
        gpu.execute("draw", list -> {
            for (Texture target : targets) {
                list.barrier(transition(target, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            }
            ClearColor red = new ClearColor(1, 0, 0, 1);
            list.beginRendering(new RenderingInfo(
                    SIZE,
                    SIZE,
                    List.of(
                            new ColorAttachment(targets[0].view(), LoadOp.CLEAR, StoreOp.STORE, red),
                            new ColorAttachment(targets[1].view(), LoadOp.CLEAR, StoreOp.STORE, red)),
                    null));
            list.bindPipeline(pipeline);
            list.draw(vertices, 1, 0, 0);
            list.endRendering();
            for (int i = 0; i < 2; i++) {
                list.barrier(transition(targets[i], TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
                list.copyTextureToBuffer(targets[i], 0, 0, pixels, (long) i * SIZE * SIZE * 4);
            }
        });
        int[] words = ValidatedDevice.words(pixels);
        return new int[] {words[0], words[SIZE * SIZE]};
    }

    @Test
    void eachTargetIsBlendedInItsOwnWay() {
        int[] texels = draw(
                twoTargets()
                        .withBlends(List.of(TargetBlend.REPLACE.withWriteMask(TargetBlend.GREEN), TargetBlend.ADDED)),
                3);
        assertThat(texels[0]).as("only green is written").isEqualTo(0xff0066ff);
        assertThat(texels[1]).as("the sum").isEqualTo(0xff9966ff);
    }

    @Test
    void theFrontFaceDecidesWhatIsCulled() {
        GraphicsPipelineDescription culled = new GraphicsPipelineDescription(
                "culled",
                COVER,
                TWO_COLORS,
                List.of(),
                CullMode.BACK,
                null,
                Blend.NONE,
                twoTargets().colorFormats(),
                null);
        int one = draw(culled, 3)[0];
        int other = draw(culled.withRaster(RasterState.TRIANGLES.with(RasterState.FrontFace.CLOCKWISE)), 3)[0];
        assertThat(List.of(one, other)).containsExactlyInAnyOrder(0xff0000ff, 0x80996633);
    }

    @ParameterizedTest
    @EnumSource(Topology.class)
    void everyTopologyIsAccepted(Topology topology) {
        RasterState raster = RasterState.TRIANGLES.with(topology);
        draw(twoTargets().withRaster(raster), 4);
        if (topology.name().endsWith("STRIP")) {
            create(twoTargets()
                    .withRaster(
                            new RasterState(topology, true, PolygonMode.FILL, RasterState.FrontFace.CLOCKWISE, false)));
        }
    }

    @ParameterizedTest
    @EnumSource(PolygonMode.class)
    void everyPolygonModeIsAccepted(PolygonMode mode) {
        draw(twoTargets().withRaster(RasterState.TRIANGLES.with(mode)), 3);
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void everyStencilOperationIsAccepted(Operation operation) {
        StencilState.Face face =
                new StencilState.Face(DepthCompare.NOT_EQUAL, operation, operation, operation, 0x0f, 0xf0, 3);
        create(twoTargets().withStencil(new StencilState(face), Format.D32_SFLOAT_S8_UINT));
    }

    @ParameterizedTest
    @EnumSource(DepthCompare.class)
    void everyComparisonIsAccepted(DepthCompare compare) {
        create(new GraphicsPipelineDescription(
                "depth",
                COVER,
                null,
                List.of(),
                CullMode.FRONT,
                new DepthState(compare, true, 1, 2, 0),
                Blend.NONE,
                List.of(),
                Format.D32_SFLOAT));
    }

    @ParameterizedTest
    @EnumSource(TargetBlend.Factor.class)
    void everyFactorAndOperationIsAccepted(TargetBlend.Factor factor) {
        for (TargetBlend.Operation operation : TargetBlend.Operation.values()) {
            TargetBlend blend = new TargetBlend(
                    true, factor, factor, operation, factor, factor, operation, TargetBlend.RED | TargetBlend.ALPHA);
            create(twoTargets().withBlends(List.of(blend, blend)));
        }
    }

    @Test
    void samplesCoverageAndDynamicStatesAreAccepted() {
        MultisampleState four = new MultisampleState(4, 0b0101, true, 0);
        create(twoTargets().withMultisample(four));
        create(twoTargets().withMultisample(MultisampleState.of(4).withAlphaToCoverage()));
        StencilState.Face keep =
                new StencilState.Face(DepthCompare.ALWAYS, Operation.KEEP, Operation.KEEP, Operation.KEEP, 1, 1, 1);
        create(twoTargets()
                .withStencil(new StencilState(keep), Format.D32_SFLOAT_S8_UINT)
                .withDynamicStates(EnumSet.complementOf(EnumSet.of(DynamicState.VERTEX_INPUT))));
    }
}
