package io.frameloom.rdg.execute.touch;

import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.rdg.FramePlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the textures of a plan that have memory of their own into boxes of mips, layers and planes. No range of the plan
 * overlaps a box without covering it. A texture in too many pieces stays in one.
 */
final class TouchPieces {
    /** Frames compare each piece with each that former ones left. */
    private static final int MOST = 64;

    private final @Nullable Resource[] resources;
    private final TextureCuts cuts;

    TouchPieces(FramePlan plan, @Nullable Resource[] resources) {
        this.resources = resources;
        cuts = new TextureCuts(resources.length);
        for (FramePlan.RecordingGroup group : plan.recordingGroups()) {
            for (int index : group.passes()) {
                FramePlan.PassPlan pass = plan.passes().get(index);
                pass.before().forEach(barrier -> note(barrier.resource(), barrier.range()));
                pass.uses().forEach(use -> note(use.resource(), use.range()));
                pass.after().forEach(barrier -> note(barrier.resource(), barrier.range()));
            }
        }
    }

    private void note(int index, @Nullable SubresourceRange range) {
        if (range != null && resources[index] instanceof Texture texture) {
            cuts.note(index, texture, range);
        }
    }

    /** Returns the pieces of a resource. */
    List<Piece> of(int index) {
        Resource resource = resources[index];
        Resource.Placement placement = resource == null ? null : resource.placement();
        if (placement != null) {
            return List.of(new Piece(placement.offset(), placement.offset() + placement.bytes(), null));
        }
        if (!(resource instanceof Texture texture)) {
            return List.of(Piece.ALL);
        }
        return cuts.boxes(index, texture, MOST).stream()
                .map(box -> new Piece(0, 1, box))
                .toList();
    }
}
