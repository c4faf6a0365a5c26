package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.GpuDevice;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is done in subgroups of 32, several sections to a workgroup, on a driver that has none of that size. */
@Timeout(120)
class WideSubgroupsTest {
    private static final int SECTION = 1024;
    private static final ClipBox VIEWPORT = new ClipBox(0, 0, 1000, 1000);

    private static GpuDevice wide(ComputeRig rig) {
        assumeTrue(rig.device.capabilities().name().contains("llvmpipe"), "made for lavapipe");
        WideSubgroups wide = new WideSubgroups(rig.device);
        rig.lists = wide::list;
        return wide.device();
    }

    @ParameterizedTest
    @EnumSource
    void brackets(BracketInput input) {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            StorageLimits limits = StorageLimits.of(rig.device.capabilities());
            BracketMatch match = rig.own(BracketMatch.create(wide(rig), input, true, limits));
            assertThat(match.sectionDefines())
                    .containsEntry("BRACKET_LANES", "32")
                    .containsEntry("GROUP_SECTIONS", "4");
            for (int size : new int[] {1, 33, SECTION, SECTION + 1, 3 * SECTION + 7, 5 * SECTION, 40 * SECTION + 1}) {
                boolean[] opens = BracketCases.mixture(size, size);
                assertThat(ScanCases.difference(
                                BracketCases.run(rig, match, opens, size % 3, size % 5, 2),
                                BracketCases.sequential(opens)))
                        .as("%d elements", size)
                        .isEmpty();
            }
            for (Map.Entry<String, boolean[]> one :
                    BracketCases.adversarial(20_003, SECTION).entrySet()) {
                assertThat(ScanCases.difference(
                                BracketCases.run(rig, match, one.getValue(), 0, 0, 1),
                                BracketCases.sequential(one.getValue())))
                        .as(one.getKey())
                        .isEmpty();
            }
        }
    }

    @Test
    void clips() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            ClipBoxes clips = rig.own(ClipBoxes.create(wide(rig)));
            for (int size : new int[] {1, 512, 513, 7_001, 40_000}) {
                ClipEnd end = ClipEnd.values()[size % 3];
                ClipCases row = ClipCases.nested(BracketCases.mixture(size, size), 0.3, size);
                assertThat(ScanCases.difference(
                                row.run(rig, clips, end, VIEWPORT, size % 5, 2), row.sequential(end, VIEWPORT)))
                        .as("%d elements, %s", size, end)
                        .isEmpty();
            }
        }
    }
}
