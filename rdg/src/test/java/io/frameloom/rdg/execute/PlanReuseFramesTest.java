package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.PlanReuse;
import io.frameloom.rdg.RdgOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that get the plan of an earlier one submit and compute what they would with a plan of their own. */
class PlanReuseFramesTest {
    private static final int SEEDS = 8;
    private static final int FRAMES = 9;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void reusedPlansSubmitWhatFreshOnesSubmit(int queues) {
        for (long seed = 0; seed < SEEDS; seed++) {
            RdgOptions options = RdgOptions.defaults().withPassLimits(1, 1 + (int) (seed % 4));
            RepeatedFrames frames = new RepeatedFrames(seed);
            RepeatedFrames.Outcome reusing = frames.run(FRAMES, queues, options);
            RepeatedFrames.Outcome fresh = frames.run(FRAMES, queues, options.withReusePlans(false));
            assertThat(reusing.submissions()).as("seed %d", seed).isEqualTo(fresh.submissions());
            // The first frame clears, so two shapes are compiled.
            assertThat(reusing.reuse()).as("seed %d", seed).isEqualTo(new PlanReuse(FRAMES - 2, 2, 2, 0));
            assertThat(fresh.reuse()).isEqualTo(new PlanReuse(0, 0, 0, 0));
        }
    }

    /** A graph is reset while its former frames are recorded and executed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void framesOfOneGraphSubmitWhatThoseOfTheirOwnGraphsSubmit(int queues) {
        for (long seed = 0; seed < SEEDS; seed++) {
            RdgOptions options = RdgOptions.defaults().withPassLimits(1, 1 + (int) (seed % 4));
            RepeatedFrames.Outcome own = new RepeatedFrames(seed).run(FRAMES, queues, options);
            RepeatedFrames one = new RepeatedFrames(seed, true);
            assertThat(one.run(FRAMES, queues, options)).as("seed %d", seed).isEqualTo(own);
            assertThat(one.run(FRAMES, queues, options.withReusePlans(false)).submissions())
                    .as("seed %d", seed)
                    .isEqualTo(own.submissions());
        }
    }
}
