package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.virtual.memory.Pattern;
import io.frameloom.gpu.virtual.memory.VirtualMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * The change of a texture's layout. It reads and writes the texture: nothing is left of contents that change meanwhile,
 * or that come from no layout. Confined to the thread of the virtual GPU.
 */
final class Transition {
    private final VirtualTexture texture;
    private final SubresourceRange range;
    private final boolean discards;
    /** What a change in two halves has hidden. */
    private final List<Piece> hidden = new ArrayList<>(0);

    private long before;

    private record Piece(long offset, VirtualMemory contents) {}

    Transition(BarrierBatch.TextureBarrier barrier) {
        this.texture = (VirtualTexture) barrier.texture();
        this.range = barrier.range();
        this.discards = barrier.oldLayout() == TextureLayout.UNDEFINED;
    }

    void begin() {
        if (!discards) {
            before = Contents.hash(texture, range);
        }
    }

    /** As {@link #begin}, but accesses before the {@link #end} find garbage. */
    void hide() {
        if (!discards && texture.device().resources().clobbers()) {
            texture.pieces(range, (offset, bytes) -> {
                VirtualMemory contents =
                        VirtualMemory.device(texture.name(), bytes, Pattern.ofStamp(texture.clobberStamp(), 0));
                contents.copyFrom(texture.memory(), offset, 0, bytes);
                hidden.add(new Piece(offset, contents));
            });
            Contents.clobber(texture, range);
        }
        begin();
    }

    void end() {
        if (discards || Contents.hash(texture, range) != before) {
            Contents.clobber(texture, range);
            return;
        }
        for (Piece piece : hidden) {
            texture.memory().copyFrom(piece.contents, 0, piece.offset, piece.contents.bytes());
        }
    }
}
