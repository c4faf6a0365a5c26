package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryUsage;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wait of a queue makes memory visible to the device alone: what the host reads takes a barrier on the writer's queue. */
@Timeout(60)
class HostReadTest {
    private static final long HALF = 256;

    private final RenderGraph graph = new RenderGraph("frame");
    private final RdgBuffer result = graph.createBuffer("result", BufferDescription.readback(2 * HALF));

    private FramePlan plan() {
        return new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), PlanCase.SIZER);
    }

    private static Stream<FramePlan.PlanBarrier> toHost(FramePlan.PassPlan pass) {
        return pass.after().stream()
                .filter(barrier -> PipelineStage.covers(barrier.scope().dstStages(), PipelineStage.HOST.bit())
                        && MemoryAccess.covers(barrier.scope().dstAccess(), MemoryAccess.HOST_READ.bit()));
    }

    @Test
    void whatAnotherQueueWroteIsShownToTheHost() {
        graph.addPass("write", PassKind.COPY)
                .overwrites(result, Access.COPY_DST)
                .flag(PassFlag.ASYNC_COMPUTE)
                .record(context -> {});
        graph.addPass("read", PassKind.COPY)
                .reads(result, Access.HOST_READ)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        FramePlan plan = plan();
        assertThat(plan.passes().get(0).queue()).isEqualTo(1);
        assertThat(toHost(plan.passes().get(0))).singleElement().satisfies(barrier -> {
            assertThat(barrier.scope().srcStages()).isEqualTo(PipelineStage.COPY.bit());
            assertThat(barrier.scope().srcAccess()).isEqualTo(MemoryAccess.COPY_WRITE.bit());
            assertThat(barrier.reason()).isEqualTo("read after write: write wrote, read read");
        });
    }

    /** The half that a pass reads and the half that is left for later share one barrier. */
    @Test
    void whatIsLeftForLaterIsShownWithIt() {
        graph.extract(result);
        graph.addPass("write", PassKind.COPY)
                .overwrites(result, Access.COPY_DST)
                .record(context -> {});
        graph.addPass("read", PassKind.COPY)
                .reads(result, HALF, HALF, Access.HOST_READ)
                .flag(PassFlag.ASYNC_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        FramePlan plan = plan();
        assertThat(plan.passes().get(1).queue()).isEqualTo(1);
        assertThat(toHost(plan.passes().get(0))).singleElement().satisfies(barrier -> {
            assertThat(barrier.offset()).isZero();
            assertThat(barrier.bytes()).isEqualTo(2 * HALF);
            assertThat(barrier.reason()).isEqualTo("read after write: write wrote, read read");
        });
    }

    /** Two reads that are states of their own, since the buffer changes its owner in between, hide no write. */
    @Test
    void whatWasReadByTwoOwnersIsShownToTheHost() {
        RenderGraph owned = new RenderGraph("owned");
        RdgBuffer outside = owned.registerExternal(FakeResources.exclusive(
                "outside",
                new BufferDescription(
                        2 * HALF, EnumSet.of(BufferUsage.COPY_SRC, BufferUsage.COPY_DST), MemoryUsage.READBACK)));
        owned.addPass("write", PassKind.COPY)
                .overwrites(outside, Access.COPY_DST)
                .record(context -> {});
        for (String reader : List.of("one", "two")) {
            RdgBuffer copy = owned.createBuffer(
                    "copy " + reader, BufferDescription.device(2 * HALF, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
            owned.extract(copy, Access.COPY_SRC);
            PassBuilder pass = owned.addPass(reader, PassKind.COPY)
                    .reads(outside, Access.COPY_SRC)
                    .overwrites(copy, Access.COPY_DST);
            if (reader.equals("one")) {
                pass.flag(PassFlag.ASYNC_COMPUTE);
            }
            pass.record(context -> {});
        }
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                .compile(owned, QueueTopology.graphicsAndCompute(), PlanCase.SIZER);
        assertThat(plan.passes().stream()
                        .filter(pass -> pass.name().equals("write"))
                        .flatMap(HostReadTest::toHost))
                .hasSize(1);
    }
}
