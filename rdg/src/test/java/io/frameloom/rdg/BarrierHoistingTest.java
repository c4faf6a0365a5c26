package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Barriers go where others are issued anyway, and only where that is allowed; the judge proves the plans sound. */
class BarrierHoistingTest {
    private static final QueueTopology TWO = new QueueTopology(List.of(
            new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0),
            new QueueTopology.Queue("compute", QueueKind.COMPUTE, 1)));

    private final RenderGraph graph = new RenderGraph("hoisting");
    private final FilledBuffers buffers = new FilledBuffers(graph);

    private FramePlan compile(boolean hoist) {
        RdgOptions options = RdgOptions.defaults()
                .withAliasing(false)
                .withPolicy(PlanPolicy.defaults().withHoistBarriers(hoist));
        return new RenderGraphCompiler(options).compile(graph, TWO, PlanCase.SIZER);
    }

    /** Names of the passes before which there are barriers of a resource. */
    private static List<String> hosts(FramePlan plan, RdgBuffer buffer) {
        return plan.passes().stream()
                .filter(pass -> pass.before().stream()
                        .anyMatch(barrier ->
                                plan.resources().get(barrier.resource()).name().equals(buffer.name())))
                .map(FramePlan.PassPlan::name)
                .toList();
    }

    private static long points(FramePlan plan) {
        return plan.passes().stream().filter(pass -> !pass.before().isEmpty()).count()
                + plan.passes().stream().filter(pass -> !pass.after().isEmpty()).count();
    }

    /** What a pass does undeclared may be with the buffers of another queue: nothing of that goes across it. */
    @Test
    void noBarrierOfAnotherQueueGoesAcrossAnUntrackedPass() {
        RdgBuffer first = graph.createBuffer("first", FilledBuffers.DATA);
        RdgBuffer second = graph.createBuffer("second", FilledBuffers.DATA);
        graph.addPass("fill", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .overwrites(first, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(second, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        buffers.user("use second", second).flag(PassFlag.ASYNC_COMPUTE).record(context -> {});
        graph.addPass("untracked", PassKind.COMPUTE)
                .flag(PassFlag.UNTRACKED_ACCESS)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        buffers.user("use first", first).flag(PassFlag.ASYNC_COMPUTE).record(context -> {});
        FramePlan hoisted = compile(true);
        assertThat(hosts(hoisted, second)).containsExactly("use second");
        assertThat(hosts(hoisted, first)).containsExactly("use first");
    }

    @Test
    void aBarrierGoesToTheFirstOneBehindItsProducer() {
        RdgBuffer a = buffers.filled("a");
        RdgBuffer b = buffers.filled("b");
        RdgBuffer c = buffers.filled("c");
        buffers.user("use b", b).record(context -> {});
        buffers.user("use c", c).record(context -> {});
        buffers.user("use a", a).record(context -> {});
        FramePlan usual = compile(false);
        FramePlan hoisted = compile(true);
        assertThat(hosts(usual, a)).containsExactly("use a");
        assertThat(hosts(hoisted, a)).containsExactly("use b");
        assertThat(hosts(hoisted, c)).containsExactly("use b");
        assertThat(points(usual)).isEqualTo(3);
        assertThat(points(hoisted)).isEqualTo(1);
        assertThat(hoisted.barrierCount()).isEqualTo(usual.barrierCount());
    }

    @Test
    void notAcrossAPassWithUndeclaredAccesses() {
        RdgBuffer a = buffers.filled("a");
        RdgBuffer b = buffers.filled("b");
        buffers.user("use b", b).record(context -> {});
        graph.addPass("fence", PassKind.COMPUTE)
                .flag(PassFlag.UNTRACKED_ACCESS)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        RdgBuffer c = buffers.filled("c");
        buffers.user("use c", c).record(context -> {});
        buffers.user("use a", a).record(context -> {});
        assertThat(hosts(compile(true), a)).containsExactly("use c");
    }

    @Test
    void notOfWhatAnotherQueueUses() {
        RdgBuffer a = buffers.filled("a");
        RdgBuffer b = buffers.filled("b");
        buffers.user("use b", b).record(context -> {});
        buffers.user("beside", a).flag(PassFlag.ASYNC_COMPUTE).record(context -> {});
        buffers.user("use a", a).record(context -> {});
        assertThat(hosts(compile(true), a)).containsExactly("use a");
    }

    /** Points far behind the start of a long frame are found as well as those of a short one. */
    @Test
    void eachBarrierOfALongFrameGoesBehindItsProducer() {
        int groups = 2_000;
        Map<String, String> expected = new HashMap<>();
        for (int i = 0; i < groups; i++) {
            RdgBuffer own = buffers.filled("own" + i);
            RdgBuffer between = buffers.filled("between" + i);
            buffers.user("use between" + i, between).record(context -> {});
            buffers.user("use own" + i, own).record(context -> {});
            expected.put("own" + i, "use between" + i);
            expected.put("between" + i, "use between" + i);
        }
        Map<String, String> hosts = new HashMap<>();
        FramePlan plan = compile(true);
        for (FramePlan.PassPlan pass : plan.passes()) {
            pass.before()
                    .forEach(barrier ->
                            hosts.put(plan.resources().get(barrier.resource()).name(), pass.name()));
        }
        assertThat(hosts).isEqualTo(expected);
    }

    /** At random there are never more barriers or points, and often fewer points. */
    @Test
    void neverMoreBarriersOrPoints() {
        int fewer = 0;
        for (long seed = 0; seed < 600; seed++) {
            PlanCase random = RandomCases.judged(seed, 1 + (int) (seed % 4));
            PlanPolicy policy = random.options().policy().withSplitBarriers(false);
            FramePlan usual = random.with(random.options().withPolicy(policy.withHoistBarriers(false)))
                    .compile();
            FramePlan hoisted = random.with(random.options().withPolicy(policy.withHoistBarriers(true)))
                    .compile();
            assertThat(hoisted.barrierCount()).as("seed " + seed).isLessThanOrEqualTo(usual.barrierCount());
            assertThat(points(hoisted)).as("seed " + seed).isLessThanOrEqualTo(points(usual));
            fewer += points(hoisted) < points(usual) ? 1 : 0;
        }
        assertThat(fewer).isGreaterThan(20);
    }
}
