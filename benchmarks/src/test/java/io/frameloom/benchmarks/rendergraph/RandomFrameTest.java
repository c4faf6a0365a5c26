package io.frameloom.benchmarks.rendergraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraphCompiler;
import org.junit.jupiter.api.Test;

/** Frames are what the targets are for: 3.8 uses a pass, three passes in ten off the graphics queue. */
final class RandomFrameTest {
    private static final int PASSES = 2_000;

    @Test
    void aPassUsesAsMuchAsTheTargetsSay() {
        RdgOptions options = RdgOptions.defaults();
        FramePlan plan = new RenderGraphCompiler(options)
                .compile(
                        new RandomFrame(1, PASSES).declare(options),
                        QueueTopology.graphicsAndCompute(),
                        RandomFrame.SIZER);
        assertThat(plan.passes()).hasSize(PASSES).noneMatch(FramePlan.PassPlan::culled);
        double uses =
                plan.passes().stream().mapToInt(pass -> pass.uses().size()).sum();
        assertThat(uses / PASSES).isBetween(3.7, 3.9);
        double beside = plan.passes().stream().filter(pass -> pass.queue() != 0).count();
        assertThat(beside / PASSES).isBetween(0.28, 0.32);
    }
}
