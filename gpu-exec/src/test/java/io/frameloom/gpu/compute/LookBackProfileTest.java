package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts of looks agree with what looking back must at least do. */
@Timeout(60)
final class LookBackProfileTest {
    @ParameterizedTest
    @EnumSource
    void everyTileButTheFirstLooksAtTheOneBefore(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            for (ElementType type : new ElementType[] {ElementType.U32, ElementType.U64}) {
                for (boolean segmented : new boolean[] {false, true}) {
                    ScanShape shape = ScanShape.lookBack(
                            ScanOperator.sum(type),
                            segmented,
                            ScanOptions.of(ScanVariant.LOOK_BACK),
                            rig.device.capabilities().limits().compute());
                    int tiles = 40;
                    long length = (tiles - 1L) * shape.tile() + 1;
                    LookBackProfile profile = LookBackProfile.of(rig.device, type, segmented, length, 3);
                    assertThat(profile.tiles()).isEqualTo(tiles);
                    // What a tile does not pass by looking it has reduced itself.
                    assertThat(profile.passed() + profile.reduced()).isBetween(tiles - 1L, tiles * (tiles - 1L) / 2);
                    assertThat(profile.turns() + profile.reduced()).isGreaterThanOrEqualTo(tiles - 1L);
                    assertThat(profile.vain()).isBetween(0L, profile.turns());
                    assertThat(profile.mostTurns()).isBetween(profile.turns() / tiles, profile.turns());
                    assertThat(profile.passed()).isLessThanOrEqualTo(profile.turns() * shape.lanes());
                }
            }
        }
    }

    @Test
    void threadsAreNotCounted() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LookBackProfile.of(
                            rig.device,
                            ElementType.U32,
                            false,
                            ScanOptions.of(ScanVariant.LOOK_BACK).withoutSubgroups(),
                            1000,
                            1))
                    .withMessageContainingAll("irtual", "not counted");
        }
    }
}
