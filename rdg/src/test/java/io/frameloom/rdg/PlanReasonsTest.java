package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan.HeapPlan;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.PlanDerivation.DependencyKind;
import io.frameloom.testing.TestEffort;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What explains a plan is found when it is asked for, and is then what it would have been at once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlanReasonsTest {
    private static final int SEEDS = TestEffort.of(60, 600);

    /** Sizes of a device that is closed some day. */
    private static final class Closing implements MemorySizer {
        private boolean closed;

        private void requireOpen() {
            if (closed) {
                throw new IllegalStateException("the device is closed");
            }
        }

        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            requireOpen();
            return PlanCase.SIZER.requirements(description);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            requireOpen();
            return PlanCase.SIZER.requirements(description);
        }

        @Override
        public void requireSupported(TextureDescription description) {
            requireOpen();
        }

        @Override
        public void requireSupported(BufferDescription description) {
            requireOpen();
        }
    }

    /** The compiler's memory has had other graphs meanwhile, and the device is gone. */
    @Test
    void reasonsAreFoundLater() {
        for (long seed = 0; seed < SEEDS; seed++) {
            PlanCase random = RandomCases.judged(seed, 1 + (int) (seed % 5));
            RenderGraphCompiler compiler = new RenderGraphCompiler(random.options());
            Closing sizer = new Closing();
            FramePlan plan = compiler.compile(random.model().declare(), random.queues(), sizer);
            compiler.compile(SearchedFrame.random(seed), random.queues(), new SearchedFrame.Sizer());
            sizer.closed = true;
            FramePlan other = random.compile();
            assertThat(PlanWords.of(plan)).as("seed %d", seed).isEqualTo(PlanWords.of(other));
            assertThat(plan.heaps())
                    .as("seed %d", seed)
                    .extracting(HeapPlan::lowerBound)
                    .isEqualTo(other.heaps().stream().map(HeapPlan::lowerBound).toList());
        }
    }

    /** It is an output already, so extracting it would not help. */
    @Test
    void aPassWhoseOutputIsOverwrittenSaysSo() {
        RenderGraph graph = new RenderGraph("frame");
        RdgBuffer kept = graph.createBuffer("kept", BufferDescription.device(64));
        RdgBuffer unread = graph.createBuffer("unread", BufferDescription.device(64));
        graph.addPass("early", PassKind.COPY).overwrites(kept, Access.COPY_DST).record(context -> {});
        graph.addPass("both", PassKind.COPY)
                .overwrites(kept, Access.COPY_DST)
                .overwrites(unread, Access.COPY_DST)
                .record(context -> {});
        graph.addPass("late", PassKind.COPY).overwrites(kept, Access.COPY_DST).record(context -> {});
        graph.extract(kept);
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), PlanCase.SIZER);
        assertThat(plan.explain("early"))
                .containsExactly("pass 'early' is removed: no output of the frame needs what it writes: kept, since a"
                        + " later pass overwrites that; declare this one after it");
        assertThat(plan.explain("both"))
                .containsExactly("pass 'both' is removed: no output of the frame needs what it writes: kept, unread;"
                        + " extract that, or mark the pass NEVER_CULL");
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "0, -1", "0, 2", "2, 0"})
    void dependenciesOfOtherPlansAreRefused(int from, int to) {
        RenderGraph graph = new RenderGraph("frame");
        graph.addPass("first", PassKind.COMPUTE, context -> {});
        graph.addPass("second", PassKind.COMPUTE, context -> {});
        FramePlan plan =
                new RenderGraphCompiler(RdgOptions.defaults()).compile(graph, QueueTopology.single(), PlanCase.SIZER);
        Dependency foreign = new Dependency(from, to, -1, Set.of(DependencyKind.DECLARED), true, false);
        assertThatThrownBy(() -> plan.impliedBy(foreign))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "plan 'frame' has passes 0 to 1; a dependency from pass %d to pass %d is none of its"
                                + " dependencies()",
                        from, to);
    }
}
