package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Declared orders hold whatever is culled in between. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OrdersThroughCulledPassesTest {
    private static final RdgOptions OPTIONS = RdgOptions.defaults();

    private final RenderGraph graph = new RenderGraph("frame", OPTIONS);

    private PassBuilder external(RenderGraph of, String name) {
        RdgBuffer out = of.registerExternal(FakeResources.buffer("out of " + name, 64));
        return of.addPass(name, PassKind.COMPUTE).overwrites(out, Access.STORAGE_WRITE_COMPUTE);
    }

    private PassBuilder culled(RenderGraph of, String name) {
        RdgBuffer unread = of.createBuffer("of " + name, BufferDescription.device(64, BufferUsage.STORAGE));
        return of.addPass(name, PassKind.COMPUTE).overwrites(unread, Access.STORAGE_WRITE_COMPUTE);
    }

    private FramePlan compile(RdgOptions options) {
        return RenderGraphCompiler.compile(
                graph.declared(), options, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
    }

    @Test
    void aPassWaitsForTheOneBeforeACulledPass() {
        PassBuilder a = external(graph, "A").flag(PassFlag.ASYNC_COMPUTE);
        a.record(context -> {});
        PassBuilder b = culled(graph, "B").after(a);
        b.record(context -> {});
        PassBuilder c = culled(graph, "C").after(b);
        c.record(context -> {});
        external(graph, "D").after(c).record(context -> {});

        for (WaitStageScope scope : WaitStageScope.values()) {
            FramePlan plan = compile(OPTIONS.withPolicy(OPTIONS.policy().withWaitStageScope(scope)));

            assertThat(plan.passes()).extracting(FramePlan.PassPlan::culled).containsExactly(false, true, true, false);
            assertThat(plan.dependencies()).singleElement().satisfies(dependency -> {
                assertThat(dependency.from()).isZero();
                assertThat(dependency.to()).isEqualTo(3);
                assertThat(dependency.kinds()).containsExactly(PlanDerivation.DependencyKind.DECLARED);
                assertThat(dependency.waited()).isTrue();
            });
            assertThat(plan.waitCount()).isOne();
        }
    }

    /** What a removed pass would have read or overwritten orders nothing. */
    @Test
    void dataOfACulledPassOrdersNothing() {
        RdgBuffer data = graph.registerExternal(FakeResources.buffer("data", 64));
        graph.addPass("A", PassKind.COMPUTE)
                .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        PassBuilder b = culled(graph, "B").reads(data, Access.STORAGE_READ_COMPUTE);
        b.record(context -> {});
        external(graph, "C").after(b).record(context -> {});

        assertThat(compile(OPTIONS).dependencies()).isEmpty();
    }

    @Test
    void randomOrdersHoldForAllThatIsLeft() {
        int through = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            RenderGraph frame = new RenderGraph("seed " + seed, OPTIONS);
            int passes = 2 + random.nextInt(20);
            List<PassBuilder> all = new ArrayList<>();
            boolean[][] before = new boolean[passes][passes];
            boolean[] live = new boolean[passes];
            for (int p = 0; p < passes; p++) {
                live[p] = random.nextInt(3) == 0;
                PassBuilder pass = live[p] ? external(frame, "P" + p) : culled(frame, "P" + p);
                if (live[p] && random.nextBoolean()) {
                    pass.flag(PassFlag.ASYNC_COMPUTE);
                }
                for (int n = random.nextInt(3); n > 0 && p > 0; n--) {
                    int earlier = random.nextInt(p);
                    pass.after(all.get(earlier));
                    before[earlier][p] = true;
                    for (int k = 0; k < earlier; k++) {
                        before[k][p] |= before[k][earlier];
                    }
                    through += live[earlier] ? 0 : 1;
                }
                pass.record(context -> {});
                all.add(pass);
            }
            FramePlan plan = RenderGraphCompiler.compile(
                    frame.declared(), OPTIONS, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
            PlanOrder order = new PlanOrder(plan);
            for (int a = 0; a < passes; a++) {
                for (int b = a + 1; b < passes; b++) {
                    if (before[a][b] && live[a] && live[b]) {
                        assertThat(order.before(a, b))
                                .as("seed %d: P%d before P%d", seed, a, b)
                                .isTrue();
                    }
                }
            }
        }
        assertThat(through).isGreaterThan(100);
    }
}
