package io.frameloom.rdg.compile.barrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pass may use very many parts of a buffer: barriers of parts that do not touch are not compared with each other. */
@Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyPartsTest {
    private static final int PARTS = 32_000;
    private static final long BYTES = 256;

    private static final MemorySizer SIZER = new MemorySizer() {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            throw new AssertionError("no textures here");
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(description.bytes(), BYTES, 1);
        }
    };

    /** Writes parts in one pass and reads them in another: each so far after the one before. */
    private static FramePlan plan(long stride) {
        RenderGraph graph = new RenderGraph("parts");
        RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(PARTS * stride, BufferUsage.STORAGE));
        PassBuilder writer = graph.addPass("writer", PassKind.COMPUTE);
        PassBuilder reader = graph.addPass("reader", PassKind.COMPUTE).flag(PassFlag.NEVER_CULL);
        for (int i = 0; i < PARTS; i++) {
            writer.overwrites(buffer, i * stride, BYTES, Access.STORAGE_WRITE_COMPUTE);
            reader.reads(buffer, i * stride, BYTES, Access.STORAGE_READ_COMPUTE);
        }
        writer.record(context -> {});
        reader.record(context -> {});
        return new RenderGraphCompiler(RdgOptions.defaults()).compile(graph, QueueTopology.graphicsAndCompute(), SIZER);
    }

    @Test
    void partsThatTouchShareOneBarrier() {
        assertThat(plan(BYTES).barrierCount()).isEqualTo(1);
    }

    @Test
    void partsThatDoNotTouchHaveOneEach() {
        assertThat(plan(2 * BYTES).barrierCount()).isEqualTo(PARTS);
    }
}
