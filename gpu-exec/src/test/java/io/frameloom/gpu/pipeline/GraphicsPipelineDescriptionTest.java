package io.frameloom.gpu.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.resource.Format;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a description says step by step is what it says at once. */
class GraphicsPipelineDescriptionTest {
    private static final ShaderSource VERTEX = new ShaderSource("v", ShaderStage.VERTEX, "void main() {}");
    private static final ShaderSource FRAGMENT = new ShaderSource("f", ShaderStage.FRAGMENT, "void main() {}");
    private static final VertexBuffer POSITIONS =
            new VertexBuffer(12, false, List.of(new VertexAttribute(0, Format.R32G32B32A32_SFLOAT, 0)));
    private static final DepthState NEARER = new DepthState(DepthCompare.LESS, true, 0, 0);

    @Test
    void theShortestDrawsOverWhatIsThere() {
        assertThat(GraphicsPipelineDescription.of("p", VERTEX, FRAGMENT, Format.R8G8B8A8_UNORM))
                .isEqualTo(new GraphicsPipelineDescription(
                        "p",
                        VERTEX,
                        FRAGMENT,
                        List.of(),
                        CullMode.NONE,
                        null,
                        Blend.NONE,
                        List.of(Format.R8G8B8A8_UNORM),
                        null));
    }

    @Test
    void stepByStepIsTheSameAsAtOnce() {
        Format[] colors = {Format.R8G8B8A8_UNORM, Format.R16G16B16A16_UNORM};
        assertThat(GraphicsPipelineDescription.of("p", VERTEX, FRAGMENT, colors)
                        .withVertexBuffers(POSITIONS)
                        .withCull(CullMode.BACK)
                        .withDepth(NEARER, Format.D32_SFLOAT)
                        .withBlend(Blend.ALPHA))
                .isEqualTo(new GraphicsPipelineDescription(
                        "p",
                        VERTEX,
                        FRAGMENT,
                        List.of(POSITIONS),
                        CullMode.BACK,
                        NEARER,
                        Blend.ALPHA,
                        List.of(colors),
                        Format.D32_SFLOAT));
        assertThat(GraphicsPipelineDescription.of("depth", VERTEX, null).withDepth(NEARER, Format.D32_SFLOAT))
                .isEqualTo(new GraphicsPipelineDescription(
                        "depth",
                        VERTEX,
                        null,
                        List.of(),
                        CullMode.NONE,
                        NEARER,
                        Blend.NONE,
                        List.of(),
                        Format.D32_SFLOAT));
    }

    @Test
    void everyStepIsChecked() {
        GraphicsPipelineDescription plain = GraphicsPipelineDescription.of("p", VERTEX, FRAGMENT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GraphicsPipelineDescription.of("p", FRAGMENT, VERTEX))
                .withMessageContainingAll("'p'", "VERTEX", "'f'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plain.withDepth(NEARER, Format.R8G8B8A8_UNORM))
                .withMessageContainingAll("'p'", "R8G8B8A8_UNORM", "no depth");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plain.withVertexBuffers(POSITIONS, POSITIONS))
                .withMessageContainingAll("'p'", "location 0");
    }

    @Test
    void meshShadersReplaceVertexShadersAndAllThatGoesWithThem() {
        ShaderSource task = new ShaderSource("t", ShaderStage.TASK, "void main() {}");
        ShaderSource mesh = new ShaderSource("m", ShaderStage.MESH, "void main() {}");
        GraphicsPipelineDescription plain = GraphicsPipelineDescription.ofMeshes("p", task, mesh, FRAGMENT);
        assertThat(plain.drawsMeshes()).isTrue();
        assertThat(plain.shaders()).containsExactly(task, mesh, FRAGMENT);
        assertThat(GraphicsPipelineDescription.ofMeshes("p", null, mesh, null).shaders())
                .containsExactly(mesh);
        assertThat(GraphicsPipelineDescription.of("p", VERTEX, FRAGMENT).drawsMeshes())
                .isFalse();
        assertThat(GraphicsPipelineDescription.of("p", VERTEX, FRAGMENT).shaders())
                .containsExactly(VERTEX, FRAGMENT);
        refusedOfMeshes(() -> plain.withVertexBuffers(POSITIONS), "'m'", "vertex buffers");
        refusedOfMeshes(
                () -> plain.withRaster(RasterState.TRIANGLES.with(RasterState.Topology.LINE_LIST)),
                "'m'",
                "a topology");
        refusedOfMeshes(() -> plain.withDynamicStates(Set.of(DynamicState.TOPOLOGY)), "'m'", "command lists set");
        refusedOfMeshes(() -> plain.withDynamicStates(Set.of(DynamicState.VERTEX_INPUT)), "'m'", "command lists set");
        refusedOfMeshes(() -> plain.withViews(2), "'m'", "views");
        refusedOfMeshes(() -> GraphicsPipelineDescription.ofMeshes("p", mesh, mesh, FRAGMENT), "TASK", "'m'");
        refusedOfMeshes(() -> GraphicsPipelineDescription.ofMeshes("p", null, VERTEX, FRAGMENT), "MESH", "'v'");
        refusedOfMeshes(() -> GraphicsPipelineDescription.of("p", mesh, FRAGMENT), "VERTEX", "'m'");
        refusedOfMeshes(() -> mixed(null, null, null), "neither a vertex shader nor a mesh shader");
        refusedOfMeshes(() -> mixed(VERTEX, null, mesh), "a vertex and a mesh shader");
        refusedOfMeshes(() -> mixed(VERTEX, task, null), "task shader 't'", "no mesh shader");
    }

    private static GraphicsPipelineDescription mixed(
            @Nullable ShaderSource vertex, @Nullable ShaderSource task, @Nullable ShaderSource mesh) {
        return new GraphicsPipelineDescription(
                "p",
                vertex,
                task,
                mesh,
                FRAGMENT,
                List.of(),
                RasterState.TRIANGLES,
                CullMode.NONE,
                null,
                null,
                MultisampleState.ONE,
                List.of(),
                List.of(),
                null,
                null,
                Set.of(),
                1,
                0,
                -1);
    }

    private static void refusedOfMeshes(ThrowingCallable description, String... words) {
        assertThatIllegalArgumentException()
                .isThrownBy(description)
                .withMessageContaining("'p'")
                .withMessageContainingAll(words);
    }
}
