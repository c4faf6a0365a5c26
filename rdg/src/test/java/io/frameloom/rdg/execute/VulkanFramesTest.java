package io.frameloom.rdg.execute;

import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.PlanPolicy;
import io.frameloom.rdg.RdgOptions;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames on a Vulkan driver with validation and synchronization validation; skipped where there is no driver. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VulkanFramesTest {
    private static final RdgOptions COMPILE = RdgOptions.defaults().withPassLimits(1, 2);

    private static void run(Consumer<DeviceRig> scenario) {
        run(COMPILE, scenario);
    }

    private static void run(RdgOptions compile, Consumer<DeviceRig> scenario) {
        String reason = VulkanDevices.unavailableReason();
        Assumptions.assumeTrue(reason.isEmpty(), reason);
        try (DeviceRig rig = new DeviceRig(
                2, FrameExecutorOptions.defaults(), compile, true, options -> VulkanDevices.open("", options))) {
            scenario.accept(rig);
            rig.assertClean();
        }
    }

    private static void raster(DeviceRig rig, Consumer<RasterFrames> scenario) {
        try (RasterFrames frames = new RasterFrames(rig)) {
            scenario.accept(frames);
        }
    }

    @Test
    void randomFramesEqualTheSerialModel() {
        for (long seed = 0; seed < 3; seed++) {
            long current = seed;
            run(rig -> new RandomFrames(rig, current, 14).run(6));
        }
    }

    @Test
    void framesWithSplitBarriers() {
        RdgOptions split = COMPILE.withPolicy(PlanPolicy.defaults().withSplitBarriers(true));
        for (long seed = 0; seed < 4; seed++) {
            long current = seed;
            run(split, rig -> new RandomFrames(rig, current, 14).run(6));
            run(
                    split,
                    rig -> new RandomSequences(rig.device, rig.executor, split, current, RandomSequences.Kind.DECLARED)
                            .run(12));
        }
        run(split, rig -> SplitFrames.changesWhatFormerFramesRead(rig, false));
        run(split, rig -> raster(rig, RasterFrames::computeRasterCopy));
        run(split, rig -> raster(rig, frames -> frames.historyPingPong(20)));
        run(split, rig -> raster(rig, RasterFrames::failureInBetween));
        run(split, rig -> raster(rig, RasterFrames::extraction));
    }

    @Test
    void randomSequencesEqualSerialExecution() {
        for (long seed = 0; seed < 4; seed++) {
            long current = seed;
            RandomSequences.Kind kind = seed == 3 ? RandomSequences.Kind.FAILING : RandomSequences.Kind.DECLARED;
            run(rig -> new RandomSequences(rig.device, rig.executor, COMPILE, current, kind).run(12));
        }
    }

    @Test
    void computeRasterCopy() {
        run(rig -> raster(rig, RasterFrames::computeRasterCopy));
    }

    @Test
    void historyOverTwentyFrames() {
        run(rig -> raster(rig, frames -> frames.historyPingPong(20)));
    }

    @Test
    void frameAfterAFailedOneFindsItsLayouts() {
        run(rig -> raster(rig, RasterFrames::failureInBetween));
    }

    @Test
    void extraction() {
        run(rig -> raster(rig, RasterFrames::extraction));
    }

    @Test
    void mappedTransients() {
        run(MappedTransientFrames::everyFrameUploadsItsOwnValue);
    }

    @Test
    void memoryThatWasWrittenLastIsTakenOver() {
        run(TakeOverFrames::transientsThatNobodyReads);
    }

    @Test
    void uploadsThatFramesName() {
        run(UploadedFrames::everyFrameReadsTheUploadThatItNames);
    }

    @Test
    void writesOfOneGroupOverlap() {
        run(OverlapFrames::twoPassesFillOneBuffer);
    }
}
