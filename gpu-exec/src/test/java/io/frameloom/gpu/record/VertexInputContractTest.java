package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.full;
import static io.frameloom.gpu.record.CommandRig.transition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lists set where vertex attributes lie, for pipelines that leave it to them, on all backends. */
@Timeout(60)
class VertexInputContractTest {
    private static final int RED = 0xFF0000FF;
    private static final int GREEN = 0xFF00FF00;
    private static final int BLUE = 0xFFFF0000;

    /** Places and colours in one buffer. */
    private static final List<VertexBuffer> ONE = List.of(new VertexBuffer(
            12,
            false,
            List.of(
                    new VertexAttribute(0, Format.R32G32_SFLOAT, 0),
                    new VertexAttribute(1, Format.R8G8B8A8_UNORM, 8))));

    /** Places in short numbers, and one colour for all. */
    private static final List<VertexBuffer> TWO = List.of(
            new VertexBuffer(4, false, List.of(new VertexAttribute(0, Format.R16G16_SNORM, 0))),
            new VertexBuffer(4, true, List.of(new VertexAttribute(1, Format.R8G8B8A8_UNORM, 0))));

    private static final GraphicsPipelineDescription COLORED = GraphicsPipelineDescription.of(
                    "colored",
                    new ShaderSource("colored.vert", ShaderStage.VERTEX, """
                            #version 450
                            layout(location = 0) in vec2 place;
                            layout(location = 1) in vec4 tint;
                            layout(location = 0) out vec4 shade;
                            void main() {
                                gl_Position = vec4(place, 0, 1);
                                shade = tint;
                            }
                            """),
                    new ShaderSource("colored.frag", ShaderStage.FRAGMENT, """
                            #version 450
                            layout(location = 0) in vec4 shade;
                            layout(location = 0) out vec4 color;
                            void main() { color = shade; }
                            """),
                    Format.R8G8B8A8_UNORM)
            .withRaster(RasterState.TRIANGLES.with(RasterState.Topology.TRIANGLE_STRIP))
            .withVertexBuffers(ONE.toArray(new VertexBuffer[0]));

    private static final GraphicsPipelineDescription LOOSE =
            COLORED.withName("loose").withDynamicStates(Set.of(DynamicState.VERTEX_INPUT));

    private static final class Scene implements AutoCloseable {
        final CommandRig rig;
        final Texture color;
        final RenderingInfo pass;
        final GraphicsPipeline loose;
        final GraphicsPipeline fixed;
        final Buffer interleaved;
        final Buffer places;
        final Buffer tint;

        Scene(Backend backend) {
            this(backend, Set.of(Capability.DYNAMIC_VERTEX_INPUT));
        }

        Scene(Backend backend, Set<Capability> required) {
            rig = new CommandRig(backend, null, required);
            color = RenderPassScene.color(rig, 1);
            pass = RenderPassScene.pass(color, 1);
            loose = rig.own(rig.device.createGraphicsPipeline(LOOSE));
            fixed = rig.own(rig.device.createGraphicsPipeline(COLORED));
            int[] words = new int[12];
            int[] shorts = new int[4];
            for (int i = 0; i < 4; i++) {
                words[i * 3] = Float.floatToIntBits((i & 1) * 2 - 1);
                words[i * 3 + 1] = Float.floatToIntBits((i >> 1) * 2 - 1);
                words[i * 3 + 2] = RED;
                shorts[i] = ((i & 1) == 0 ? 0x8001 : 0x7FFF) | ((i >> 1) == 0 ? 0x8001 : 0x7FFF) << 16;
            }
            interleaved = rig.upload(words, BufferUsage.VERTEX);
            places = rig.upload(shorts, BufferUsage.VERTEX);
            tint = rig.upload(new int[] {GREEN, BLUE}, BufferUsage.VERTEX);
        }

        void begin(CommandList list) {
            transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
            list.beginRendering(pass);
        }

        void row(CommandList list, int y, int firstInstance) {
            list.setScissor(0, y, 4, 1);
            list.draw(4, 1, 0, firstInstance);
        }

        void bindTwo(CommandList list) {
            list.bindVertexBuffer(0, places, 0);
            list.bindVertexBuffer(1, tint, 0);
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    /** The pipeline's own layout, one of the list, that of another pipeline, and the list's again. */
    @ParameterizedTest
    @EnumSource
    void onePipelineReadsSeveralLayouts(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            eachRowHasItsColor(scene);
        }
    }

    /** The layout is left out of the part that a pipeline is linked from. */
    @Test
    void linkedPipelinesReadSeveralLayouts() {
        try (Scene scene = new Scene(
                Backend.VULKAN, Set.of(Capability.DYNAMIC_VERTEX_INPUT, Capability.GRAPHICS_PIPELINE_LIBRARY))) {
            eachRowHasItsColor(scene);
        }
    }

    private static void eachRowHasItsColor(Scene scene) {
        Buffer texels = scene.rig.readback(64);
        scene.rig.execute(list -> {
            scene.begin(list);
            list.bindPipeline(scene.loose);
            list.bindVertexBuffer(0, scene.interleaved, 0);
            scene.row(list, 0, 0);
            list.setVertexInput(TWO);
            scene.bindTwo(list);
            scene.row(list, 1, 0);
            list.bindPipeline(scene.fixed);
            list.bindVertexBuffer(0, scene.interleaved, 0);
            scene.row(list, 2, 0);
            list.bindPipeline(scene.loose);
            scene.bindTwo(list);
            scene.row(list, 3, 1);
            list.endRendering();
            transition(list, scene.color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
            list.copyTextureToBuffer(scene.color, 0, 0, texels, 0);
            full(list);
        });
        if (scene.rig.device.capabilities().renders()) {
            int[] words = CommandRig.words(texels);
            assertThat(new int[] {words[0], words[4], words[8], words[12]}).containsExactly(RED, GREEN, RED, BLUE);
        }
    }

    /** A render pass begins with the layout of its pipelines. */
    @ParameterizedTest
    @EnumSource
    void drawsNeedTheBuffersOfTheirLayout(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            scene.rig.execute(list -> {
                scene.begin(list);
                list.bindPipeline(scene.loose);
                list.setVertexInput(TWO);
                list.bindVertexBuffer(0, scene.places, 0);
                refused(list, 4, "pipeline 'loose' reads vertex buffer 1, which is not bound");
                list.bindVertexBuffer(1, scene.tint, 0);
                list.draw(4, 1, 0, 0);
                refused(list, 5, "reads vertices 0 to 5 of vertex buffer 0");
                list.endRendering();
                scene.begin(list);
                list.bindPipeline(scene.loose);
                refused(list, 4, "pipeline 'loose' reads vertices 0 to 4 of vertex buffer 0");
                list.endRendering();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTheShaderTakesIsGiven(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            scene.rig.execute(list -> {
                scene.begin(list);
                list.bindPipeline(scene.loose);
                scene.bindTwo(list);
                list.setVertexInput(TWO.subList(0, 1));
                refused(list, 4, "pipeline 'loose' reads vertex attribute 1 as R8G8B8A8_UNORM, the vertex input that");
                list.setVertexInput(List.of(
                        TWO.get(0),
                        new VertexBuffer(4, true, List.of(new VertexAttribute(1, Format.R8G8B8A8_UINT, 0)))));
                refused(list, 4, "reads vertex attribute 1 as R8G8B8A8_UNORM");
                list.bindPipeline(scene.fixed);
                list.bindVertexBuffer(0, scene.interleaved, 0);
                list.draw(4, 1, 0, 0);
                list.endRendering();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTheDeviceCannotReadIsRefusedByName(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            VertexBuffer odd = new VertexBuffer(6, false, List.of(new VertexAttribute(0, Format.R32_SFLOAT, 0)));
            scene.rig.execute(list -> {
                assertThatThrownBy(() -> list.setVertexInput(List.of(odd)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("setVertexInput in command list 'list' has vertices 6 bytes apart");
                assertThatThrownBy(() -> list.setVertexInput(List.of(TWO.get(0), TWO.get(0))))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("has two vertex attributes at location 0");
            });
        }
        try (CommandRig rig = new CommandRig(backend)) {
            assertThatThrownBy(() -> rig.device.createGraphicsPipeline(LOOSE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("graphics pipeline 'loose' leaves its vertex input to command lists, which"
                            + " needs DYNAMIC_VERTEX_INPUT, which is off in device '");
        }
    }

    private static void refused(CommandList list, int vertices, String why) {
        assertThatThrownBy(() -> list.draw(vertices, 1, 0, 0))
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining(why);
    }
}
