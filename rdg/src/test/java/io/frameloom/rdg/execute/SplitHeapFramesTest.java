package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.rdg.utility.UploadPasses;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames whose transients of one set of memory types lie in several heaps. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SplitHeapFramesTest {
    private static final int BYTES = 1 << 16;

    private record Limited(MemorySizer sizes) implements MemorySizer {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return sizes.requirements(description);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return sizes.requirements(description);
        }

        @Override
        public long maxHeapBytes() {
            return 2 * BYTES;
        }
    }

    @ParameterizedTest
    @EnumSource(TestDevice.class)
    void contentsAreWhatWasWritten(TestDevice device) {
        device.run(rig -> {
            RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
            for (int frame = 0; frame < 3; frame++) {
                RenderGraph graph = new RenderGraph("frame");
                List<RdgBuffer> buffers = new ArrayList<>();
                for (int b = 0; b < 5; b++) {
                    byte[] contents = new byte[BYTES];
                    Arrays.fill(contents, (byte) (10 * frame + b));
                    buffers.add(
                            UploadPasses.createBuffer(graph, "b" + b, ByteBuffer.wrap(contents), BufferUsage.STORAGE));
                }
                List<RdgReadback> read = buffers.stream()
                        .map(buffer -> ReadbackPasses.buffer(graph, buffer))
                        .toList();
                FramePlan plan =
                        compiler.compile(graph, QueueTopology.of(rig.device), new Limited(MemorySizer.of(rig.device)));
                assertThat(plan.heaps()).hasSize(3);
                rig.executor.execute(plan).completed().await();
                for (int b = 0; b < 5; b++) {
                    byte[] expected = new byte[BYTES];
                    Arrays.fill(expected, (byte) (10 * frame + b));
                    assertThat(read.get(b).bytes().join()).isEqualTo(ByteBuffer.wrap(expected));
                }
            }
        });
    }
}
