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
}
