package io.frameloom.rdg.execute.touch;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cuts textures into boxes of mips, layers and planes so that no noted range overlaps a box without covering it. */
public final class TextureCuts {
    private static final int AXES = 3;

    /** By resource and axis where ranges begin and end; nothing as long as all are of the whole. */
    private final @Nullable BitSet[] cuts;

    /** No cuts, for a number of resources. */
    public TextureCuts(int resources) {
        cuts = new BitSet[AXES * resources];
    }

    public void note(int index, Texture texture, SubresourceRange range) {
        if (range.contains(SubresourceRange.all(texture.description()))) {
            return;
        }
        cut(AXES * index, range.baseMip(), range.mipCount());
        cut(AXES * index + 1, range.baseLayer(), range.layerCount());
        cut(AXES * index + 2, range.basePlane(), range.planeCount());
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

    /** Returns the boxes of a texture; one of everything if they are more than {@code most}. */
    public List<SubresourceRange> boxes(int index, Texture texture, int most) {
        SubresourceRange all = SubresourceRange.all(texture.description());
        int[] mips = ends(AXES * index, all.mipCount());
        int[] layers = ends(AXES * index + 1, all.layerCount());
        int[] planes = ends(AXES * index + 2, all.planeCount());
        int count = (mips.length - 1) * (layers.length - 1) * (planes.length - 1);
        if (count == 1 || count > most) {
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
