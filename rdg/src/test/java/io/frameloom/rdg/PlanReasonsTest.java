package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan.HeapPlan;
import io.frameloom.testing.TestEffort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
}
