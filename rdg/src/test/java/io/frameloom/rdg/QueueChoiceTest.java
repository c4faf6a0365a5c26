package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.compile.PlanCompiler;
import io.frameloom.rdg.declare.BoundFrame;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.Mode;
import io.frameloom.rdg.declare.Sharing;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which queue passes execute on, and what that asks for. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QueueChoiceTest {
    private final RenderGraph graph = new RenderGraph("frame");
    private final RdgBuffer data = graph.registerExternal(FakeResources.buffer("data", 1024));

    private FramePlan compile(RdgOptions options) {
        return new RenderGraphCompiler(options)
                .compile(graph, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
    }

    private PassBuilder compute(String name) {
        return graph.addPass(name, PassKind.COMPUTE)
                .writes(data, Access.STORAGE_READ_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL);
    }

    private static List<String> order(FramePlan plan) {
        List<String> names = new ArrayList<>();
        plan.batches()
                .forEach(batch -> batch.passes()
                        .forEach(pass -> names.add(plan.passes().get(pass).name())));
        return names;
    }

    @Test
    void everyComputePassButThoseWithUnknownAccessesLeavesGraphics() {
        compute("known").record(context -> {});
        graph.addPass("lambda", PassKind.COMPUTE, context -> {});
        compute("untracked").flag(PassFlag.UNTRACKED_ACCESS).record(context -> {});
        FramePlan plan = compile(RdgOptions.defaults().withAsync(AsyncCompute.ALL));
        assertThat(plan.passes()).extracting(FramePlan.PassPlan::queue).containsExactly(1, 0, 0);
    }

    /** Neither queue runs past a pass that uses what nobody declares. */
    @Test
    void otherQueuesWaitForAPassWithUnknownAccessesAndItForThem() {
        compute("before").record(context -> {});
        RdgBuffer other = graph.registerExternal(FakeResources.buffer("other", 1024));
        graph.addPass("untracked", PassKind.COMPUTE)
                .overwrites(other, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.UNTRACKED_ACCESS)
                .record(context -> {});
        RdgBuffer third = graph.registerExternal(FakeResources.buffer("third", 1024));
        graph.addPass("after", PassKind.COMPUTE)
                .overwrites(third, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        FramePlan plan = compile(RdgOptions.defaults().withAsync(AsyncCompute.ALL));
        assertThat(plan.passes()).extracting(FramePlan.PassPlan::queue).containsExactly(1, 0, 1);
        assertThat(order(plan)).containsExactly("before", "untracked", "after");
        assertThat(plan.waitCount()).isEqualTo(2);
    }

    /** The reader would have to move behind the pass in between, so it reads what nobody has written. */
    @Test
    void sortingMovesNothingAcrossAPassWithUnknownAccesses() {
        RdgBuffer made =
                graph.createBuffer("made", FakeResources.buffer("shape", 64).description());
        graph.addPass("reads", PassKind.COMPUTE)
                .reads(made, Access.STORAGE_READ_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        graph.addPass("untracked", PassKind.COMPUTE)
                .flag(PassFlag.UNTRACKED_ACCESS, PassFlag.NEVER_CULL)
                .record(context -> {});
        graph.addPass("writes", PassKind.COMPUTE)
                .overwrites(made, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        assertThatThrownBy(() -> compile(RdgOptions.defaults().withOrder(PassOrder.UNORDERED)))
                .isInstanceOf(RdgValidationException.class)
                .hasMessageContaining("READ_UNWRITTEN: pass 'reads'");
    }

    /** What it writes is not known, so that somebody may need it; what it declares is kept with it. */
    @Test
    void aPassWithUnknownAccessesIsKept() {
        RdgBuffer made =
                graph.createBuffer("made", FakeResources.buffer("shape", 64).description());
        graph.addPass("writes", PassKind.COMPUTE)
                .overwrites(made, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("untracked", PassKind.COMPUTE)
                .reads(made, Access.STORAGE_READ_COMPUTE)
                .flag(PassFlag.UNTRACKED_ACCESS)
                .record(context -> {});
        graph.addPass("nothing", PassKind.COMPUTE)
                .reads(made, Access.STORAGE_READ_COMPUTE)
                .record(context -> {});
        assertThat(compile(RdgOptions.defaults()).passes())
                .extracting(FramePlan.PassPlan::culled)
                .containsExactly(false, false, true);
    }

    @Test
    void theHostSeesWhatEveryQueueOfAGroupHasWritten() {
        BufferDescription shape = new BufferDescription(1024, EnumSet.of(BufferUsage.STORAGE), MemoryUsage.READBACK);
        RdgBuffer back = graph.registerExternal(FakeResources.buffer("back", shape));
        OverlapGroup group = graph.overlapGroup("parts");
        graph.addPass("left", PassKind.COMPUTE)
                .writes(back, Access.STORAGE_WRITE_COMPUTE, group)
                .record(context -> {});
        graph.addPass("right", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .writes(back, Access.STORAGE_WRITE_COMPUTE, group)
                .record(context -> {});
        FramePlan plan = compile(RdgOptions.defaults());
        assertThat(plan.passes()).extracting(FramePlan.PassPlan::queue).containsExactly(0, 1);
        assertThat(plan.passes())
                .allSatisfy(pass -> assertThat(pass.after()).singleElement().satisfies(barrier -> {
                    assertThat(barrier.scope().dstStages()).isEqualTo(PipelineStage.HOST.bit());
                    assertThat(barrier.scope().srcAccess()).isEqualTo(MemoryAccess.STORAGE_WRITE.bit());
                }));
    }

    /** The compute queue has most of the passes, but only the graphics queue has some on both sides. */
    @Test
    void aNodeIsWhereItTakesTheFewestWaits() {
        List<QueueTopology.Queue> queues = List.of(
                new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0),
                new QueueTopology.Queue("compute", QueueKind.COMPUTE, 1),
                new QueueTopology.Queue("compute 2", QueueKind.COMPUTE, 1));
        TextureDescription shape = new TextureDescription(
                64,
                64,
                1,
                1,
                Format.R8G8B8A8_UNORM,
                EnumSet.complementOf(EnumSet.of(TextureUsage.TRANSIENT_ATTACHMENT)));
        DeclaredGraph graph = new DeclaredGraph("frame");
        int picture = graph.addResource(
                "picture", shape, Lifetime.EXTERNAL, TextureLayout.SHADER_RO, Sharing.CONCURRENT, null);
        BoundFrame bound = new BoundFrame();
        int[] on = {0, 1, 1, 1, 0, 2};
        for (int p = 0; p < on.length; p++) {
            boolean reads = p < 4;
            int pass = graph.addPass("p" + p, PassKind.COMPUTE, -1, null);
            graph.flag(pass, PassFlag.NEVER_CULL);
            graph.setQueue(pass, on[p] == 0 ? -1 : on[p]);
            graph.addUse(
                    pass,
                    picture,
                    null,
                    reads ? Access.SAMPLED_COMPUTE : Access.STORAGE_READ_WRITE_COMPUTE,
                    reads ? Mode.READ : Mode.WRITE,
                    reads ? DeclaredGraph.NO_GROUP : 0,
                    null);
            graph.setBody(pass);
            bound.setBody(pass, context -> {});
        }
        FramePlan plan = PlanCompiler.compile(
                graph, bound, RdgOptions.defaults(), new QueueTopology(queues), PlanPropertiesTest.SIZER);
        assertThat(plan.passes()).hasSize(7);
        assertThat(plan.passes().get(6).queue()).isZero();
        assertThat(plan.waitCount()).isEqualTo(2);
    }
}
