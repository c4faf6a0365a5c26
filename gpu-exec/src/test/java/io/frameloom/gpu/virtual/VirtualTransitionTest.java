package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A change of layout reads and writes the texture, so one that does not wait for a write spoils it. */
@Timeout(60)
class VirtualTransitionTest {
    private static final int SEEDS = 100;
    private static final int GREEN = 0xFF00FF00;
    private static final TextureDescription SHAPE =
            TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);
    private static final SubresourceRange ALL = SubresourceRange.all(SHAPE);

    private static BarrierBatch transition(
            Texture texture, int stages, int access, TextureLayout from, TextureLayout to) {
        BarrierBatch.Scope scope = new BarrierBatch.Scope(
                stages, access, PipelineStage.COPY.bit(), MemoryAccess.COPY_WRITE.bit() | MemoryAccess.COPY_READ.bit());
        return new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(texture, ALL, scope, from, to, null)), List.of(), List.of());
    }

    /** Clears a texture, transitions it behind some stages of the clear, and returns a texel of it. */
    private static int texel(long seed, int stages, int access) {
        try (VirtualRig rig = new VirtualRig(1, seed, null)) {
            Texture texture = rig.keep(rig.device.createTexture("texture", SHAPE));
            Buffer readback = rig.readback("readback", 64);
            rig.await(rig.submit(rig.queue(0), List.of(), list -> {
                list.barrier(transition(texture, 0, 0, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
                list.beginPass(
                        "clear",
                        List.of(new ResourceUse.OfTexture(
                                texture, ALL, Access.COPY_DST, true, TextureLayout.TRANSFER_DST)));
                list.clearTexture(texture, ALL, new RenderingInfo.ClearColor(0, 1, 0, 1));
                list.endPass();
                list.barrier(
                        transition(texture, stages, access, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC));
                list.barrier(VirtualRig.full());
                list.beginPass(
                        "read",
                        List.of(
                                new ResourceUse.OfTexture(
                                        texture, ALL, Access.COPY_SRC, false, TextureLayout.TRANSFER_SRC),
                                VirtualRig.use(readback, Access.COPY_DST, true)));
                list.copyTextureToBuffer(texture, 0, 0, readback, 0);
                list.endPass();
            }));
            return rig.words(readback)[0];
        }
    }

    @Test
    void thatWaitsForTheWriteKeepsWhatWasWritten() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertThat(texel(seed, PipelineStage.COPY.bit(), MemoryAccess.COPY_WRITE.bit()))
                    .as("seed %d", seed)
                    .isEqualTo(GREEN);
        }
    }

    @Test
    void thatWaitsForNothingSpoilsItUnderSomeSeed() {
        List<Long> spoilt = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            if (texel(seed, 0, 0) != GREEN) {
                spoilt.add(seed);
            }
        }
        assertThat(spoilt).isNotEmpty();
    }
}
