package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan.HeapPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.RdgError.Code;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No heap of a plan is larger than what the device allocates at once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeapLimitTest {
    private static final int GRAPHS = 400;

    /** Sizes of another sizer on a device with a limit. */
    private record Limited(MemorySizer sizes, long maxHeapBytes) implements MemorySizer {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return sizes.requirements(description);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return sizes.requirements(description);
        }
    }

    private record OfBuffers(long alignment) implements MemorySizer {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            throw new IllegalStateException("there are no textures");
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(description.bytes(), alignment, 0b1);
        }
    }

    private final RenderGraph graph =
            new RenderGraph("large", RdgOptions.defaults().withDebug(true));

    private List<RdgBuffer> filled(long... bytes) {
        List<RdgBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < bytes.length; i++) {
            RdgBuffer buffer = graph.createBuffer("b" + i, BufferDescription.device(bytes[i], BufferUsage.STORAGE));
            graph.addPass("fill " + i, PassKind.COMPUTE)
                    .overwrites(buffer, Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> {});
            buffers.add(buffer);
        }
        return buffers;
    }

    private void read(List<RdgBuffer> buffers) {
        PassBuilder pass = graph.addPass("read", PassKind.COMPUTE).flag(PassFlag.NEVER_CULL);
        buffers.forEach(buffer -> pass.reads(buffer, Access.STORAGE_READ_COMPUTE));
        pass.record(context -> {});
    }

    private FramePlan compile(RdgOptions options, long limit) {
        return new RenderGraphCompiler(options)
                .compile(graph, QueueTopology.single(), new Limited(new OfBuffers(16), limit));
    }

    @Test
    void aHeapBeginsWhereTheLimitWouldBePassed() {
        read(filled(160, 96, 64, 128, 32));
        FramePlan plan = compile(RdgOptions.defaults(), 256);
        assertThat(plan.heaps()).extracting(HeapPlan::memoryTypes).containsExactly(1, 1);
        assertThat(plan.heaps()).allMatch(heap -> heap.bytes() <= 256 && heap.lowerBound() <= heap.bytes());
        assertThat(plan.heapBytes()).isEqualTo(480);
        assertThat(plan.transientBytesWithoutAliasing()).isEqualTo(480);
        assertThat(plan.resources()).allMatch(resource -> resource.heap() >= 0);
    }

    @Test
    void whatSharesMemoryNeedsNoFurtherHeap() {
        for (int turn = 0; turn < 4; turn++) {
            read(filled(160, 96));
        }
        assertThat(compile(RdgOptions.defaults(), 256).heaps())
                .extracting(HeapPlan::bytes)
                .containsExactly(256L);
        FramePlan apart = compile(RdgOptions.defaults().withAliasing(false), 256);
        assertThat(apart.heaps()).hasSizeGreaterThanOrEqualTo(4).allMatch(heap -> heap.bytes() <= 256);
        assertThat(apart.heapBytes()).isEqualTo(4 * 256);
    }

    @Test
    void whatIsLargerThanAnyHeapIsRefusedByName() {
        read(filled(160, 272, 96, 1L << 40));
        RdgValidationException refusal =
                catchThrowableOfType(RdgValidationException.class, () -> compile(RdgOptions.defaults(), 256));
        assertThat(refusal.errors()).extracting(RdgError::resource).containsExactly("b1", "b3");
        RdgError first = refusal.errors().get(0);
        assertThat(first.code()).isEqualTo(Code.UNSUPPORTED);
        assertThat(first.pass()).isEqualTo("fill 1");
        assertThat(first.message()).contains("'b1'", "272 bytes", "256 bytes at once", "maxAllocationBytes");
        assertThat(first.sites()).hasSize(2);
    }

    /** Also of several queues, and with everything that can be declared. */
    @Test
    void plansOfSeveralHeapsAreSound() {
        int split = 0;
        for (long seed = 0; seed < GRAPHS; seed++) {
            PlanCase random = RandomCases.judged(seed, 1 + (int) (seed % 5));
            FramePlan whole = random.compile();
            long largest = whole.resources().stream()
                    .filter(resource -> resource.heap() >= 0)
                    .mapToLong(ResourcePlan::bytes)
                    .max()
                    .orElse(1);
            FramePlan plan = new RenderGraphCompiler(random.options())
                    .compile(random.model().declare(), random.queues(), new Limited(PlanCase.SIZER, largest));
            new PlanJudge(random.model(), plan).judge();
            assertThat(plan.heaps()).as("seed " + seed).allMatch(heap -> heap.bytes() <= largest);
            split += plan.heaps().size() > whole.heaps().size() ? 1 : 0;
        }
        assertThat(split).isGreaterThan(GRAPHS / 10);
    }
}
