package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is longer than a storage binding or a row of workgroups of the device itself; others have small bindings made. */
@Tag("thorough")
class LargeLengthsIT {
    /** The most words that a binding of lavapipe holds, and one. */
    private static final int MORE = (1 << 25) + 1;

    private static final int ROW = 65_535;

    private static ComputeRig small(int bytesOfElement) {
        ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN);
        if (rig.device.capabilities().maxStorageRange() >= (long) MORE * bytesOfElement) {
            rig.close();
            assumeTrue(false, "bindings of this device hold more");
        }
        return rig;
    }

    @ParameterizedTest
    @EnumSource(names = {"REDUCE_THEN_SCAN", "LOOK_BACK"})
    void scansOfMoreThanABinding(ScanVariant variant) {
        try (ComputeRig rig = small(Integer.BYTES)) {
            PrefixScan scan =
                    rig.own(PrefixScan.create(rig.device, ScanOperator.sum(ElementType.U32), ScanOptions.of(variant)));
            int[] input = new int[MORE];
            Arrays.setAll(input, i -> i * 0x9E37_79B1);
            int[] output = ScanCases.Run.of(ScanKind.INCLUSIVE, input).on(rig, scan);
            Arrays.parallelPrefix(input, Integer::sum);
            assertThat(ScanCases.difference(output, input)).isEmpty();
        }
    }

    @Test
    void matchingsOfMoreThanABinding() {
        try (ComputeRig rig = small(Integer.BYTES)) {
            BracketMatch match = rig.own(BracketMatch.create(rig.device, BracketInput.WORDS));
            boolean[] opens = BracketCases.mixture(MORE, 5);
            int[] links = BracketCases.run(rig, match, opens, 0, 0, 1);
            assertThat(ScanCases.difference(links, BracketCases.previousSmaller(opens)))
                    .isEmpty();
        }
    }

    /** {@code ClipBoxesIT} has bindings made small; here what its sequential model takes is most of the time. */
    @Test
    void clipBoxesOfMoreThanABinding() {
        int bytes = 16;
        int more = MORE / 4 + 1;
        try (ComputeRig rig = small(Integer.BYTES)) {
            ClipBoxes clips = rig.own(ClipBoxes.create(rig.device));
            assertThat(rig.device.capabilities().maxStorageRange()).isLessThan((long) more * bytes);
            ClipCases row = ClipCases.nested(BracketCases.of(more, i -> i < more / 2), 0.1, 8);
            ClipBox viewport = new ClipBox(-100, -50.5f, 900, 700);
            assertThat(ScanCases.difference(
                            row.run(rig, clips, ClipEnd.AFTER_POP, viewport, 1, 1),
                            row.sequential(ClipEnd.AFTER_POP, viewport)))
                    .isEmpty();
        }
    }

    /** Tiles of 128 elements, one to a workgroup, in one row of them and a little more. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void scansOfARowOfWorkgroups(int more) {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            assumeTrue(
                    rig.device.capabilities().limits().compute().maxGroups().x() == ROW,
                    "rows of this device have other lengths");
            int length = ROW * 128 + more;
            int[] input = new int[length];
            Arrays.setAll(input, i -> i * 0x9E37_79B1);
            int[] expected = input.clone();
            Arrays.parallelPrefix(expected, Integer::sum);
            for (ScanVariant variant : new ScanVariant[] {ScanVariant.REDUCE_THEN_SCAN, ScanVariant.LOOK_BACK}) {
                ScanOptions options = ScanOptions.of(variant).withTile(32, 4);
                PrefixScan scan = rig.own(PrefixScan.create(rig.device, ScanOperator.sum(ElementType.U32), options));
                assertThat(ScanCases.difference(
                                ScanCases.Run.of(ScanKind.INCLUSIVE, input).on(rig, scan), expected))
                        .as("%d elements, %s", length, variant)
                        .isEmpty();
            }
        }
    }
}
