package io.frameloom.rdg.execute.touch;

import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.rdg.FramePlan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the textures of a plan that have memory of their own into boxes of mips, layers and planes. No range of the plan
 * overlaps a box without covering it. A texture in too many pieces stays in one.
 */
final class TouchPieces {
    /** Frames compare each piece with each that former ones left. */
    private static final int MOST = 64;

    private static final int AXES = 3;

    private final @Nullable Resource[] resources;
    /** By resource and axis where ranges begin and end; nothing as long as all are of the whole. */
    private final @Nullable BitSet[] cuts;

    TouchPieces(FramePlan plan, @Nullable Resource[] resources) {
        this.resources = resources;
        cuts = new BitSet[AXES * resources.length];
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
        if (range == null
                || !(resources[index] instanceof Texture texture)
                || range.contains(SubresourceRange.all(texture.description()))) {
            return;
        }
        cut(AXES * index, range.baseMip(), range.mipCount());
        cut(AXES * index + 1, range.baseLayer(), range.layerCount());
        cut(AXES * index + 2, range.basePlane(), range.planeCount());
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
        return boxes(index, texture).stream()
                .map(box -> new Piece(0, 1, box))
                .toList();
    }

    private void cut(int axis, int from, int count) {
        BitSet known = cuts[axis];
        if (known == null) {
            known = new BitSet();
            cuts[axis] = known;
        }
        known.set(from);
        known.set(from + count);
    }

    /** Returns the boxes of a texture; one of everything if they are too many. */
    private List<SubresourceRange> boxes(int index, Texture texture) {
        SubresourceRange all = SubresourceRange.all(texture.description());
        int[] mips = ends(AXES * index, all.mipCount());
        int[] layers = ends(AXES * index + 1, all.layerCount());
        int[] planes = ends(AXES * index + 2, all.planeCount());
        int count = (mips.length - 1) * (layers.length - 1) * (planes.length - 1);
        if (count == 1 || count > MOST) {
            return List.of(all);
        }
        List<SubresourceRange> boxes = new ArrayList<>(count);
        for (int m = 1; m < mips.length; m++) {
            for (int l = 1; l < layers.length; l++) {
                for (int p = 1; p < planes.length; p++) {
                    boxes.add(new SubresourceRange(
                            mips[m - 1],
                            mips[m] - mips[m - 1],
                            layers[l - 1],
                            layers[l] - layers[l - 1],
                            planes[p - 1],
                            planes[p] - planes[p - 1]));
                }
            }
        }
        return boxes;
    }

    /** Returns where the boxes of an axis begin, and the end of the last. */
    private int[] ends(int axis, int end) {
        BitSet known = cuts[axis];
        if (known == null) {
            return new int[] {0, end};
        }
        known.set(0);
        known.set(end);
        return known.stream().toArray();
    }
}
