package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans with look-back where each tile takes another random time before it publishes anything. */
class DelayedTilesTest {
    /** Far fewer turns than the 65,535 of all loops of an invocation after which lavapipe cuts it. */
    private static final int MOST_TURNS = 10_000;

    /** Never true, which no compiler knows: these random numbers never become 0. */
    private static final String DELAY = """
            bool isSlow(uint tile, uint seed) {
                uint state = (tile + 1u) * 0x9E3779B9u ^ seed * 0x85EBCA6Bu;
                state = (state ^ state >> 15) * 0x2C1B3C6Du;
                state = state ^ state >> 12 | 1u;
                uint turns = state / 2u %% %du;
                for (uint turn = 0u; turn < turns; turn++) {
                    state ^= state << 13;
                    state ^= state >> 17;
                    state ^= state << 5;
                }
                return state == 0u;
            }
            """.formatted(MOST_TURNS);

    private static final ScanOperator DELAYED = ScanOperator.of(
            "delayed",
            ElementType.U32X2,
            new int[2],
            ScanCases.BICYCLIC.glsl() + "\n" + DELAY,
            ScanCases.BICYCLIC.cpu());

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tilesPublishInAnyOrder(boolean subgroups) {
        ScanOptions tiles = ScanOptions.of(ScanVariant.LOOK_BACK).withTile(128, 4);
        ScanOptions options = subgroups ? tiles : tiles.withoutSubgroups();
        int size = 60 * 1024 + 5;
        int[] input = ScanCases.random(ScanCases.BICYCLIC, size, 6);
        int[] heads = ScanCases.heads(size, 30_000, 7);
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            StorageLimits limits = StorageLimits.of(rig.device.capabilities());
            for (LookBackTrial trial : List.of(
                    new LookBackTrial("isSlow(tile, 1u)", false, 16), new LookBackTrial("isSlow(tile, 2u)", true, 1))) {
                int mark = rig.mark();
                PrefixScan scan = rig.own(PrefixScan.create(rig.device, DELAYED, true, options, limits, trial));
                ScanCases.Run run = new ScanCases.Run(ScanKind.EXCLUSIVE, input, heads, 1, 2, 1);
                assertThat(run.difference(rig, scan))
                        .as("%s, %s", options, trial)
                        .isEmpty();
                rig.release(mark);
            }
        }
    }
}
