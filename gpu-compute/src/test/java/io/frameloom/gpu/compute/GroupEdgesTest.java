package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Matchings and clip boxes of as many workgroups as a row holds, one element less and one more, for each of their shaders.
 * Rows of 65,535 workgroups would take 67 million elements, so the device is said to have shorter ones.
 */
class GroupEdgesTest {
    private static final int ROW = 37;
    private static final int SECTION = BracketLayout.SECTION;
    private static final int LINKED = 128 * Integer.SIZE;
    private static final ClipBox VIEWPORT = new ClipBox(-100, -50.5f, 900, 700);

    private static StorageLimits limits(ComputeRig rig) {
        StorageLimits all = StorageLimits.of(rig.device.capabilities());
        return new StorageLimits(all.maxRange(), all.alignment(), ROW, 65_535);
    }

    @ParameterizedTest
    @EnumSource
    void matchings(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            for (boolean subgroups : new boolean[] {true, false}) {
                BracketMatch match =
                        rig.own(BracketMatch.create(rig.device, BracketInput.BITS, subgroups, limits(rig)));
                for (int edge : new int[] {ROW * SECTION, 2 * ROW * SECTION, ROW * LINKED}) {
                    for (int length = edge - 1; length <= edge + 1; length++) {
                        boolean[] opens = BracketCases.mixture(length, length);
                        assertThat(ScanCases.difference(
                                        BracketCases.run(rig, match, opens, 1, 2, 1), BracketCases.sequential(opens)))
                                .as("%d elements, subgroups %s", length, subgroups)
                                .isEmpty();
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clips(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            StorageLimits limits = limits(rig);
            ClipBoxes clips = rig.own(
                    ClipBoxes.create(rig.device, limits, BracketMatch.createForPairs(rig.device, true, limits)));
            for (int edge : new int[] {ROW * ClipBoxes.PARTITION, ROW * SECTION, ROW * LINKED / 2}) {
                for (int length = edge - 1; length <= edge + 1; length++) {
                    ClipEnd end = ClipEnd.values()[length % 3];
                    ClipCases row = ClipCases.nested(BracketCases.mixture(length, length), 0.3, length);
                    assertThat(ScanCases.difference(
                                    row.run(rig, clips, end, VIEWPORT, 1, 1), row.sequential(end, VIEWPORT)))
                            .as("%d elements, %s", length, end)
                            .isEmpty();
                }
            }
        }
    }
}
