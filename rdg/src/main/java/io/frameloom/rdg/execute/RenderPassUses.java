package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects what the passes of a render pass use: of one range, what all of them do with it. One thread at a time. */
final class RenderPassUses {
    private final List<ResourceUse> uses = new ArrayList<>();
    private final Set<ResourceUse> known = new HashSet<>();
    private final Set<Target> targets = new HashSet<>();

    /**
     * A target that the first pass clears or discards is not loaded for the later ones: they see what is in the render
     * pass.
     */
    private record Target(Texture texture, SubresourceRange range, TextureLayout layout) {}

    void add(List<ResourceUse> more) {
        int before = uses.size();
        for (int i = 0; i < more.size(); i++) {
            ResourceUse use = more.get(i);
            if (!known.contains(use) && !(isTarget(use) && targets.contains(target(use)))) {
                uses.add(use);
            }
        }
        // What a pass uses covers nothing of the same pass.
        for (int i = before; i < uses.size(); i++) {
            known.add(uses.get(i));
            if (isTarget(uses.get(i))) {
                targets.add(target(uses.get(i)));
            }
        }
    }

    private static boolean isTarget(ResourceUse use) {
        return use instanceof ResourceUse.OfTexture of
                && switch (of.access().layout()) {
                    case COLOR, DEPTH -> true;
                    // Tested where a former pass has drawn: only a target that is read in the same render pass is.
                    case DEPTH_RO -> of.layout() == TextureLayout.LOCAL_READ;
                    default -> false;
                };
    }

    private static Target target(ResourceUse use) {
        ResourceUse.OfTexture of = (ResourceUse.OfTexture) use;
        TextureLayout layout = of.access().layout();
        return new Target(of.resource(), of.range(), layout == TextureLayout.DEPTH_RO ? TextureLayout.DEPTH : layout);
    }

    /** Returns all uses, in the order of the passes; valid until {@link #clear}. */
    List<ResourceUse> all() {
        return Collections.unmodifiableList(uses);
    }

    void clear() {
        uses.clear();
        known.clear();
        targets.clear();
    }
}
