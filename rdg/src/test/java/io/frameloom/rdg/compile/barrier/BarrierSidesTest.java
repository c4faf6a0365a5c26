package io.frameloom.rdg.compile.barrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.compile.graph.ReadLayouts;
import org.junit.jupiter.api.Test;

/** All that a side of a barrier can say fits into one number and into its halves, and leaves the spare bit alone. */
final class BarrierSidesTest {
    private static final int STAGES = PipelineStage.mask(PipelineStage.values());

    @Test
    void aSideIsTakenApartAgain() {
        int accesses = 0;
        for (MemoryAccess access : MemoryAccess.values()) {
            accesses |= access.bit();
        }
        for (TextureLayout layout : TextureLayout.values()) {
            for (long spare : new long[] {0, Transitions.SPARE}) {
                long side = Transitions.side(STAGES, accesses, ReadLayouts.code(layout));
                assertThat(side & Transitions.SPARE).isZero();
                side |= spare;
                assertThat(Transitions.stages(side)).isEqualTo(STAGES);
                assertThat(Transitions.access(side)).isEqualTo(accesses);
                assertThat(Transitions.layout(side)).isEqualTo(ReadLayouts.code(layout));
                long other = Transitions.side(1, 1, 3);
                assertThat(Transitions.src((int) side, Transitions.upper(side, other)))
                        .isEqualTo(side);
                assertThat(Transitions.dst((int) side, Transitions.upper(other, side)))
                        .isEqualTo(side);
            }
        }
    }

    @Test
    void nothingIsHeldForSomething() {
        assertThat(Transitions.stages(Transitions.side(0, MemoryAccess.HOST_READ.bit(), 0)))
                .isZero();
        assertThat(Transitions.access(Transitions.side(STAGES, 0, 3))).isZero();
        assertThat(Transitions.layout(Transitions.side(STAGES, 0, 0))).isZero();
    }
}
