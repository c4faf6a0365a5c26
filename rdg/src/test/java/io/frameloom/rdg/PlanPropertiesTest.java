package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.fail;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random graphs against a reference that judges plans by their meaning; a counter-example is shrunk and named. */
class PlanPropertiesTest {
    private static final int GRAPHS = TestEffort.of(350, 700);

    static final MemorySizer SIZER = PlanCase.SIZER;

    /** Graphs of each number of queues. */
    private static final int FRESH = TestEffort.of(100, 2_500);

    /** Graphs with everything that can be declared, all options, one to five queues of any kind. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void plansAreSoundAndMinimal(int queues, TestReporter reporter) {
        long first = RandomGenerator.getDefault().nextLong();
        reporter.publishEntry("firstSeed", Long.toString(first));
        for (int i = 0; i < FRESH; i++) {
            check(RandomCases.judged(first + i, queues), first + i);
        }
    }

    /** A case that is refused would pass otherwise without having been judged. */
    @Test
    void fixedCasesHaveEverything() {
        Map<String, Integer> seen = new TreeMap<>();
        for (long seed = 0; seed < 400; seed++) {
            PlanCase random = RandomCases.judged(seed, 1 + (int) (seed % 5));
            check(random, seed);
            CaseFeatures.count(random, random.compile(), seen);
        }
        assertThat(seen.keySet()).containsAll(CaseFeatures.ALL);
        assertThat(seen).allSatisfy((feature, count) -> assertThat(count).isGreaterThan(3));
    }

    /** What is smaller fails in the same way, and nothing can be taken away from it. */
    @Test
    void aFailingCaseIsShrunk() {
        PlanCase large = RandomCases.judged(1, 3);
        PlanCase smallest = CaseShrinking.smallest(
                large,
                candidate -> candidate.model().passes().stream()
                        .anyMatch(pass -> !pass.builtin()
                                && pass.uses().stream()
                                        .anyMatch(use -> use.access().writes())));
        assertThat(smallest.model().passes()).hasSize(1);
        assertThat(smallest.model().passes().get(0).uses()).hasSize(1);
        assertThat(smallest.model().passes().get(0).flags()).isEmpty();
        assertThat(smallest.model().resources()).hasSize(1);
        assertThat(smallest.queues().queues()).hasSize(1);
    }

    /** The fixed seeds also prove that the graphs reach what is hard: waits, added nodes, shared memory and render passes, culled passes, overlapping writes. */
    @Test
    void fixedSeedsAreSoundAndReachTheHardCases() {
        int waits = 0;
        int added = 0;
        int shared = 0;
        int culled = 0;
        int merged = 0;
        int overlapping = 0;
        for (long seed = 0; seed < GRAPHS; seed++) {
            GraphModel model = RandomGraphs.graph(seed);
            check(plain(model, 2), seed);
            FramePlan plan = compile(model, 2);
            waits += plan.waitCount();
            added += plan.passes().size() - model.passes().size();
            shared += plan.heapBytes() < plan.transientBytesWithoutAliasing() ? 1 : 0;
            culled += plan.culledCount();
            merged += plan.renderPasses().stream()
                            .anyMatch(renderPass -> renderPass.passes().size() > 1)
                    ? 1
                    : 0;
            overlapping += plan.epochs().stream()
                            .anyMatch(epoch -> epoch.write() && epoch.passes().size() > 1)
                    ? 1
                    : 0;
        }
        assertThat(List.of(waits, added, shared, culled, merged, overlapping))
                .allSatisfy(count -> assertThat(count).isGreaterThan(20));
    }

    /** The judge is not blind: without any one change of layout a plan is refused. */
    @Test
    void aMissingChangeOfLayoutIsNoticed() {
        int removed = 0;
        for (long seed = 0; seed < 120; seed++) {
            PlanCase random =
                    seed % 2 == 0 ? plain(RandomGraphs.graph(seed), 2) : RandomCases.judged(seed, 1 + (int) (seed % 5));
            GraphModel model = random.model();
            FramePlan plan = random.compile();
            for (FramePlan.PassPlan pass : plan.passes()) {
                for (int i = 0; i < pass.before().size(); i++) {
                    FramePlan.PlanBarrier barrier = pass.before().get(i);
                    if (barrier.oldLayout() != barrier.newLayout()) {
                        FramePlan broken = with(plan, pass.index(), i, null);
                        assertThatThrownBy(() -> new PlanJudge(model, broken).judge())
                                .as("seed " + seed + " without " + barrier)
                                .isInstanceOf(AssertionError.class);
                        removed++;
                    }
                }
            }
        }
        assertThat(removed).isGreaterThan(100);
    }

    @Test
    void aTakeOverByABarrierOfOneResourceIsNoticed() {
        int noticed = 0;
        for (long seed = 0; seed < GRAPHS; seed++) {
            GraphModel model = RandomGraphs.graph(seed);
            FramePlan plan = compile(model, 2);
            for (FramePlan.PassPlan pass : plan.passes()) {
                for (int i = 0; i < pass.before().size(); i++) {
                    FramePlan.PlanBarrier barrier = pass.before().get(i);
                    if (barrier.allMemory()) {
                        FramePlan narrow = with(
                                plan,
                                pass.index(),
                                i,
                                new FramePlan.PlanBarrier(
                                        barrier.resource(),
                                        barrier.range(),
                                        barrier.offset(),
                                        barrier.bytes(),
                                        barrier.scope(),
                                        barrier.oldLayout(),
                                        barrier.newLayout(),
                                        barrier.ownership(),
                                        false,
                                        barrier.split(),
                                        barrier.why()));
                        noticed += isSound(model, narrow) ? 0 : 1;
                    }
                }
            }
        }
        assertThat(noticed).isGreaterThan(20);
    }

    /** Returns a plan with another barrier in the place of one, or without it. */
    static FramePlan with(FramePlan plan, int pass, int barrier, FramePlan.@Nullable PlanBarrier replacement) {
        List<FramePlan.PassPlan> passes = new ArrayList<>(plan.passes());
        FramePlan.PassPlan old = passes.get(pass);
        List<FramePlan.PlanBarrier> before = new ArrayList<>(old.before());
        if (replacement == null) {
            before.remove(barrier);
        } else {
            before.set(barrier, replacement);
        }
        passes.set(
                pass,
                new FramePlan.PassPlan(
                        old.index(),
                        old.name(),
                        old.kind(),
                        old.flags(),
                        old.queue(),
                        old.level(),
                        old.culled(),
                        old.cullReason(),
                        old.uses(),
                        old.targets(),
                        before,
                        old.after(),
                        old.scope()));
        return new CompiledPlan(CompiledPlan.of(plan)) {
            @Override
            public List<FramePlan.PassPlan> passes() {
                return List.copyOf(passes);
            }
        };
    }

    private static void check(PlanCase random, long seed) {
        Throwable defect = failure(random, false);
        if (defect == null) {
            return;
        }
        PlanCase smallest = defect instanceof RdgValidationException
                ? random
                : CaseShrinking.smallest(random, candidate -> failure(candidate, true) != null);
        fail(
                "seed " + seed + ", " + random.queues().queues().size() + " queues: " + failure(smallest, false)
                        + smallest,
                defect);
    }

    /** What is made is sound, so that a refusal is a failure; what was shrunk may be refused. */
    private static @Nullable Throwable failure(PlanCase random, boolean shrunk) {
        try {
            FramePlan plan = random.compile();
            new PlanJudge(random.model(), plan).judge();
            new LayoutJudge(random.model(), plan).judge();
            assertThat(PlanWords.data(random.compile())).isEqualTo(PlanWords.data(plan));
            return null;
        } catch (RdgValidationException refusal) {
            return shrunk ? null : refusal;
        } catch (AssertionError | RuntimeException defect) {
            return defect;
        }
    }

    private static boolean isSound(GraphModel model, FramePlan plan) {
        try {
            new PlanJudge(model, plan).judge();
            return true;
        } catch (AssertionError defect) {
            return false;
        }
    }

    private static FramePlan compile(GraphModel model, int queues) {
        return plain(model, queues).compile();
    }

    private static PlanCase plain(GraphModel model, int queues) {
        List<QueueTopology.Queue> all = List.of(
                new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0),
                new QueueTopology.Queue("compute", QueueKind.COMPUTE, 1),
                new QueueTopology.Queue("copy", QueueKind.COPY, 2));
        RdgOptions options = RdgOptions.defaults().withPassLimits(1, 3);
        return new PlanCase(model, new QueueTopology(all.subList(0, queues)), options);
    }
}
