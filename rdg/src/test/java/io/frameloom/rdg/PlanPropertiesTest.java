package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.fail;

import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.MemoryRequirements;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.rdg.compile.PlanStructure;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/** Random graphs against a reference that judges plans by their meaning; a counter-example is shrunk and named. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlanPropertiesTest {
    private static final int GRAPHS = 700;

    static final MemorySizer SIZER = new MemorySizer() {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return new MemoryRequirements(256L * description.mips() * description.layers() * 3, 256, 0b11);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(description.bytes() + 192, 64, 0b10);
        }
    };

    @Test
    void plansOfOneQueueAreSound(TestReporter reporter) {
        fresh(1, GRAPHS / 2, reporter);
    }

    @Test
    void plansOfTwoQueuesAreSoundAndMinimal(TestReporter reporter) {
        fresh(2, 2 * GRAPHS, reporter);
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
            check(model, 2, seed);
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
        for (long seed = 0; seed < 60; seed++) {
            GraphModel model = RandomGraphs.graph(seed);
            FramePlan plan = compile(model, 2);
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
                                        barrier.why()));
                        noticed += isSound(model, narrow) ? 0 : 1;
                    }
                }
            }
        }
        assertThat(noticed).isGreaterThan(20);
    }

    /** Returns a plan with another barrier in the place of one, or without it. */
    private static FramePlan with(FramePlan plan, int pass, int barrier, FramePlan.@Nullable PlanBarrier replacement) {
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
        PlanStructure.Parts parts = plan.structure().parts();
        return new FramePlan(
                plan.structure()
                        .with(new PlanStructure.Parts(
                                passes,
                                parts.resources(),
                                parts.batches(),
                                parts.recordingGroups(),
                                parts.heaps(),
                                parts.renderPasses(),
                                parts.physicalPasses(),
                                parts.scopes(),
                                parts.transientBytesWithoutAliasing())),
                plan.bindings());
    }

    private static void fresh(int queues, int graphs, TestReporter reporter) {
        long first = RandomGenerator.getDefault().nextLong();
        reporter.publishEntry("firstSeed", Long.toString(first));
        for (int i = 0; i < graphs; i++) {
            check(RandomGraphs.graph(first + i), queues, first + i);
        }
    }

    private static void check(GraphModel model, int queues, long seed) {
        if (failure(model, queues) == null) {
            return;
        }
        GraphModel smallest = model;
        boolean shrunk = true;
        while (shrunk) {
            shrunk = false;
            for (int p = 0; p < smallest.passes().size() && !shrunk; p++) {
                GraphModel candidate = smallest.without(p);
                if (failure(candidate, queues) != null) {
                    smallest = candidate;
                    shrunk = true;
                }
            }
        }
        fail("seed " + seed + ", " + queues + " queues: " + failure(smallest, queues) + "\n" + smallest);
    }

    private static @Nullable Throwable failure(GraphModel model, int queues) {
        try {
            FramePlan plan = compile(model, queues);
            new PlanJudge(model, plan).judge();
            assertThat(json(plan)).isEqualTo(json(compile(model, queues)));
            return null;
        } catch (RdgValidationException notAGraph) {
            return null;
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
        List<QueueTopology.Queue> all = List.of(
                new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0),
                new QueueTopology.Queue("compute", QueueKind.COMPUTE, 1),
                new QueueTopology.Queue("copy", QueueKind.COPY, 2));
        RdgOptions options = RdgOptions.defaults().withPassLimits(1, 3);
        return new RenderGraphCompiler(options)
                .compile(model.declare(), new QueueTopology(all.subList(0, queues)), SIZER);
    }

    private static String json(FramePlan plan) {
        StringWriter writer = new StringWriter();
        try {
            plan.writeJson(writer);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return writer.toString();
    }
}
