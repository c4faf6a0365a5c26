package io.frameloom.rdg.tools.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an engine culls is found in bounded memory, or left out with the reason. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnrealCullingTest {
    private static final MemorySizer SIZER = new MemorySizer() {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return new MemoryRequirements(1024, 256, 1);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(1024, 256, 1);
        }
    };

    private static Map<String, Object> facts(int layers) {
        RenderGraph graph = new RenderGraph("frame");
        RdgTexture texture = graph.createTexture(
                "texture", new TextureDescription(8, 8, 4, layers, Format.R8_UNORM, Set.of(TextureUsage.SAMPLED)));
        for (int mip = 0; mip < 2; mip++) {
            graph.addPass("write " + mip, PassKind.COMPUTE)
                    .overwrites(texture, SubresourceRange.of(mip, 0), Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> {});
        }
        graph.addPass("read", PassKind.COMPUTE)
                .reads(texture, SubresourceRange.of(1, 0), Access.SAMPLED_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), SIZER);
        Map<String, Object> facts = new LinkedHashMap<>();
        new UnrealCulling(plan).add(facts);
        return facts;
    }

    @Test
    void isFoundByMipAndLayer() {
        assertThat(facts(2)).containsEntry("culledUe4", List.of("write 0"));
    }

    /** As many numbers as the texture has mips and layers would not fit memory, and are more than an array has. */
    @Test
    void ofAbsurdTexturesIsLeftOut() {
        assertThat(facts(1 << 30)).doesNotContainKey("culledUe4").asString().contains("culledUe4", "50000000");
    }
}
