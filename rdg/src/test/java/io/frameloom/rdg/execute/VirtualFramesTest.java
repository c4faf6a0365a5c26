package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.PassSchedule;
import io.frameloom.rdg.PlanPolicy;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.WaitStageScope;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames on the virtual GPU: whatever order it picks within the emitted waits and barriers, the results are serial. */
class VirtualFramesTest {
    private static final int SEEDS = 8;

    private static void run(int queues, long seed, RdgOptions compile, Consumer<DeviceRig> scenario) {
        try (DeviceRig rig = new DeviceRig(
                2,
                FrameExecutorOptions.defaults(),
                compile,
                false,
                options -> VirtualDevices.open(new VirtualGpuOptions(queues, seed), options))) {
            scenario.accept(rig);
            rig.assertClean();
        }
    }

    private static void raster(DeviceRig rig, Consumer<RasterFrames> scenario) {
        try (RasterFrames frames = new RasterFrames(rig)) {
            scenario.accept(frames);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void randomFramesEqualTheSerialModel(int queues) {
        for (long seed = 0; seed < SEEDS; seed++) {
            long current = seed;
            RdgOptions compile = RdgOptions.defaults().withPassLimits(1, 1 + (int) (seed % 4));
            run(queues, seed, compile, rig -> new RandomFrames(rig, current, 14).run(6));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void randomFramesWithWaitsOfExactStages(int queues) {
        PlanPolicy exact = PlanPolicy.defaults().withWaitStageScope(WaitStageScope.EXACT);
        for (long seed = 200; seed < 200 + SEEDS; seed++) {
            long current = seed;
            RdgOptions compile = RdgOptions.defaults()
                    .withPassLimits(1, 1 + (int) (seed % 4))
                    .withPolicy(exact);
            run(queues, seed, compile, rig -> new RandomFrames(rig, current, 14).run(6));
        }
        run(queues, 1, RdgOptions.defaults().withPolicy(exact), rig -> raster(rig, RasterFrames::computeRasterCopy));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void randomFramesWithSplitBarriers(int queues) {
        for (long seed = 400; seed < 400 + SEEDS; seed++) {
            long current = seed;
            RdgOptions compile = RdgOptions.defaults()
                    .withPassLimits(1, 1 + (int) (seed % 4))
                    .withPolicy(PlanPolicy.defaults().withSplitBarriers(true).withHoistBarriers(seed % 3 == 0));
            run(queues, seed, compile, rig -> new RandomFrames(rig, current, 14).run(6));
        }
        RdgOptions split =
                RdgOptions.defaults().withPolicy(PlanPolicy.defaults().withSplitBarriers(true));
        run(queues, 1, split, rig -> raster(rig, RasterFrames::computeRasterCopy));
        run(queues, 1, split, rig -> raster(rig, frames -> frames.historyPingPong(8)));
        run(queues, 1, split.withPassLimits(1, 1), rig -> raster(rig, RasterFrames::failureInBetween));
    }

    /** The first half comes behind former frames, also where they are on another queue. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void splitBarriersComeBehindFormerFrames(boolean beside) {
        for (int passMax : new int[] {1, 8}) {
            RdgOptions split = RdgOptions.defaults()
                    .withPassLimits(1, passMax)
                    .withPolicy(PlanPolicy.defaults().withSplitBarriers(true));
            for (long seed = 0; seed < SEEDS; seed++) {
                run(2, seed, split, rig -> SplitFrames.changesWhatFormerFramesRead(rig, beside));
            }
        }
    }

    /** Another order means the same: the serial model is that of the order of declaration. */
    @ParameterizedTest
    @EnumSource(PassSchedule.Policy.class)
    void randomFramesInAnotherOrder(PassSchedule.Policy policy) {
        for (long seed = 300; seed < 306; seed++) {
            long current = seed;
            PassSchedule schedule =
                    policy == PassSchedule.Policy.RANDOM ? PassSchedule.random(seed) : PassSchedule.of(policy);
            RdgOptions compile = RdgOptions.defaults()
                    .withPolicy(PlanPolicy.defaults()
                            .withSchedule(schedule)
                            .withHoistBarriers(seed % 3 != 0)
                            .withWaitStageScope(WaitStageScope.values()[(int) (seed % 2)]));
            run(2 + (int) (seed % 2), seed, compile, rig -> new RandomFrames(rig, current, 14).run(4));
            run(2, seed, compile, rig -> raster(rig, RasterFrames::computeRasterCopy));
        }
    }

    @Test
    void randomFramesWithEveryComputePassAsync() {
        for (long seed = 100; seed < 100 + SEEDS; seed++) {
            long current = seed;
            RdgOptions compile = RdgOptions.defaults().withAsync(AsyncCompute.ALL);
            run(2, seed, compile, rig -> new RandomFrames(rig, current, 10).run(5));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void computeRasterCopy(int queues) {
        run(queues, 1, RdgOptions.defaults(), rig -> raster(rig, RasterFrames::computeRasterCopy));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void historyOverTwentyFrames(int queues) {
        run(queues, 1, RdgOptions.defaults(), rig -> raster(rig, frames -> frames.historyPingPong(20)));
    }

    @Test
    void frameAfterAFailedOneFindsItsLayouts() {
        run(2, 1, RdgOptions.defaults().withPassLimits(1, 1), rig -> raster(rig, RasterFrames::failureInBetween));
    }

    @Test
    void extraction() {
        run(2, 1, RdgOptions.defaults(), rig -> raster(rig, RasterFrames::extraction));
    }

    @Test
    void mappedTransients() {
        run(2, 1, RdgOptions.defaults(), MappedTransientFrames::everyFrameUploadsItsOwnValue);
        run(2, 1, RdgOptions.defaults(), MappedTransientFrames::everyGraphOfAFrameUploadsItsOwnValue);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void memoryThatWasWrittenLastIsTakenOver(int queues) {
        run(queues, 1, RdgOptions.defaults(), TakeOverFrames::transientsThatNobodyReads);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void uploadsThatFramesName(int queues) {
        run(queues, 1, RdgOptions.defaults(), UploadedFrames::everyFrameReadsTheUploadThatItNames);
    }

    @Test
    void anUploadThatAFrameShouldHaveNamedIsAHazard() {
        assertThatThrownBy(() -> run(3, 1, RdgOptions.defaults(), UploadedFrames::framesReadUploadsThatTheyDoNotName))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("READ_AFTER_WRITE")
                .hasMessageContaining("source");
    }

    @Test
    void writesOfOneGroupOverlap() {
        run(2, 1, RdgOptions.defaults(), OverlapFrames::twoPassesFillOneBuffer);
    }
}
