package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a pass counted decides on the device what a later one draws. */
@Timeout(60)
class ConditionalRenderingFramesTest {
    private static final int SIZE = 4;
    private static final TextureDescription PICTURE = TextureDescription.of(SIZE, SIZE, Format.R8G8B8A8_UNORM);

    private static DeviceRig rig(TestDevice kind) {
        return kind.rig(RdgOptions.defaults(), Capability.CONDITIONAL_RENDERING);
    }

    private static GraphicsPipeline triangle(GpuDevice device) {
        return device.createGraphicsPipeline(GraphicsPipelineDescription.of(
                "everywhere",
                new ShaderSource("everywhere.vert", ShaderStage.VERTEX, """
                        #version 450
                        void main() {
                            gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);
                        }
                        """),
                new ShaderSource("white.frag", ShaderStage.FRAGMENT, """
                        #version 450
                        layout(location = 0) out vec4 color;
                        void main() { color = vec4(1); }
                        """),
                PICTURE.format()));
    }

    private static void draw(CommandList list, GraphicsPipeline pipeline, int y, int height) {
        list.bindPipeline(pipeline);
        list.setScissor(0, y, SIZE, height);
        list.draw(3, 1, 0, 0);
    }

    /**
     * The first query sees something, the second nothing. On a device that renders the first row is drawn, and, since its
     * condition is inverted, the fourth. The virtual GPU never sees a sample.
     */
    @ParameterizedTest
    @EnumSource
    void whatWasSeenIsDrawn(TestDevice kind) {
        try (DeviceRig rig = rig(kind);
                GraphicsPipeline triangle = triangle(rig.device)) {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture tested = graph.createTexture("tested", PICTURE);
            RdgTexture picture = graph.createTexture("picture", PICTURE);
            RdgBuffer seen = graph.createBuffer("seen", BufferDescription.device(2 * 8));
            graph.addPass("test", PassKind.RASTER)
                    .color(tested, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                    .counts(QueryKind.ANY_SAMPLE, seen)
                    .record(context -> {
                        QuerySet queries = context.queries(seen);
                        for (int i = 0; i < 2; i++) {
                            context.commands().beginQuery(queries, i);
                            draw(context.commands(), triangle, 0, i == 0 ? 1 : 0);
                            context.commands().endQuery(queries);
                        }
                    });
            graph.addPass("draw", PassKind.RASTER)
                    .color(picture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                    .reads(seen, Access.INDIRECT)
                    .record(context -> {
                        for (int row = 0; row < SIZE; row++) {
                            context.commands()
                                    .beginConditionalRendering(context.buffer(seen), row % 2 * 8, row / 2 == 1);
                            draw(context.commands(), triangle, row, 1);
                            context.commands().endConditionalRendering();
                        }
                    });
            RdgReadback read = ReadbackPasses.texture(graph, picture);
            rig.executor.execute(rig.compile(graph)).completed().await();
            ByteBuffer texels = read.bytes().join();
            if (rig.device.capabilities().renders()) {
                int[] rows = new int[SIZE];
                for (int row = 0; row < SIZE; row++) {
                    rows[row] = texels.getInt(row * SIZE * 4);
                }
                assertThat(rows).containsExactly(-1, 0, 0, -1);
            } else {
                // Of two conditions that are inverted and hold, something is drawn.
                assertThat(texels.getInt(0)).isNotZero();
            }
            rig.assertClean();
        }
    }
}
