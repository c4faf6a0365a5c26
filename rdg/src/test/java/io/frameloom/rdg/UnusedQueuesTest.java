package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.testing.ThreadAllocation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a large device and large textures cost a graph that uses little of them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnusedQueuesTest {
    private static final int LAST = 25;
    private static final QueueTopology MANY = many();

    private static QueueTopology many() {
        List<QueueTopology.Queue> queues = new ArrayList<>();
        queues.add(new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0));
        for (int q = 1; q < LAST; q++) {
            queues.add(new QueueTopology.Queue("copy" + q, QueueKind.COPY, 2));
        }
        queues.add(new QueueTopology.Queue("compute", QueueKind.COMPUTE, 1));
        return new QueueTopology(queues);
    }

    private static FramePlan compile(long seed, QueueTopology queues) {
        return compiler().compile(RandomGraphs.graph(seed).declare(), queues, PlanPropertiesTest.SIZER);
    }

    private static RenderGraphCompiler compiler() {
        return new RenderGraphCompiler(RdgOptions.defaults().withReusePlans(false));
    }

    @Test
    void plansAreThoseOfADeviceWithoutThem() {
        int waits = 0;
        for (int seed = 0; seed < 200; seed++) {
            FramePlan few = compile(seed, QueueTopology.graphicsAndCompute());
            FramePlan plan = compile(seed, MANY);
            assertThat(queues(plan))
                    .isEqualTo(queues(few).stream().map(q -> q == 1 ? LAST : q).toList());
            assertThat(batches(plan)).isEqualTo(batches(few));
            assertThat(plan.queues()).isEqualTo(MANY);
            assertThat(plan.heapBytes()).isEqualTo(few.heapBytes());
            waits += plan.waitCount();
        }
        assertThat(waits).isGreaterThan(50);
    }

    private static List<Integer> queues(FramePlan plan) {
        return plan.passes().stream().map(FramePlan.PassPlan::queue).toList();
    }

    private static List<String> batches(FramePlan plan) {
        return plan.batches().stream()
                .map(batch -> plan.queues().queues().get(batch.queue()).name()
                        + batch.passes()
                        + batch.waits().stream()
                                .map(wait -> wait.batch() + wait.reason())
                                .toList())
                .toList();
    }

    @Test
    void theyTakeNoMemory() {
        long few = bytes(QueueTopology.graphicsAndCompute());
        assertThat(bytes(MANY)).isLessThan(few + few / 16);
    }

    /** Of the second compilation, which has the memory of the first one. */
    private static long bytes(QueueTopology queues) {
        RenderGraphCompiler compiler = compiler();
        RenderGraph graph = chain(500);
        compiler.compile(graph, queues, PlanPropertiesTest.SIZER);
        long before = ThreadAllocation.bytes();
        compiler.compile(graph, queues, PlanPropertiesTest.SIZER);
        return ThreadAllocation.bytes() - before;
    }

    private static RenderGraph chain(int passes) {
        RenderGraph graph = new RenderGraph("chain");
        RdgTexture former = null;
        for (int p = 0; p < passes; p++) {
            PassBuilder pass = graph.addPass("pass" + p, PassKind.COMPUTE).flag(PassFlag.NEVER_CULL);
            if (former != null) {
                pass.reads(former, Access.SAMPLED_COMPUTE);
            }
            former = graph.createTexture(
                    "texture" + p, TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.STORAGE));
            pass.overwrites(former, Access.STORAGE_WRITE_COMPUTE);
            pass.record(context -> {});
        }
        return graph;
    }

    /**
     * Each pass reads two neighbouring mips through one view, and the pass of the last mip copies from it as well, so that
     * the layout of all follows from the end of the chain.
     */
    @Test
    void aLayoutSpreadsOverAllViewsThatOverlap() {
        int mips = 12;
        RenderGraph graph = new RenderGraph("chain");
        RdgTexture texture = graph.createTexture(
                "texture",
                TextureDescription.of(4096, 4096, Format.R8G8B8A8_UNORM, TextureUsage.STORAGE)
                        .withMips(mips));
        graph.addPass("write", PassKind.COMPUTE)
                .overwrites(texture, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        for (int mip = 0; mip < mips - 1; mip++) {
            graph.addPass("read" + mip, PassKind.COMPUTE)
                    .reads(texture, new SubresourceRange(mip, 2, 0, 1, 0, 1), Access.SAMPLED_COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
        }
        graph.addPass("copy", PassKind.COPY)
                .reads(texture, SubresourceRange.mip(mips - 1), Access.COPY_SRC)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        FramePlan plan = compiler().compile(graph, QueueTopology.single(), PlanPropertiesTest.SIZER);
        assertThat(plan.passes())
                .allSatisfy(pass -> assertThat(pass.uses())
                        .extracting(FramePlan.UsePlan::layout)
                        .containsOnly(TextureLayout.GENERAL));
    }
}
