package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import org.jspecify.annotations.Nullable;

/**
 * Render targets of which a pass writes a part: a render area smaller than they are, or some slices of a mip. Load
 * operations touch that part alone. So a pass that clears or discards it keeps the rest and overwrites nothing whole.
 */
public final class PartialTargets {
    private PartialTargets() {}

    /** Makes of the partial targets of a pass writes that keep what is there. */
    public static void keep(DeclaredGraph graph, int pass) {
        Area area = graph.area(pass);
        for (int a = graph.firstAttachment(pass), end = graph.firstAttachment(pass + 1); a < end; a++) {
            Attachment attachment = graph.attachment(a);
            if (area != null || attachment.slices() != null) {
                keep(graph, graph.firstUse(pass) + attachment.use(), attachment, area);
                if (attachment.resolve() >= 0) {
                    keep(graph, graph.firstUse(pass) + attachment.resolve(), attachment, area);
                }
            }
        }
    }

    private static void keep(DeclaredGraph graph, int use, Attachment attachment, @Nullable Area area) {
        TextureDescription shape = graph.resource(use) < 0 ? null : graph.texture(graph.resource(use));
        SubresourceRange range = graph.range(use);
        boolean partial = shape != null
                && range != null
                && range.baseMip() < shape.mips()
                && ((area != null && !area.covers(shape, range.baseMip()))
                        || (attachment.slices() != null && attachment.slices().count() < shape.depth(range.baseMip())));
        if (partial && graph.mode(use) == Mode.OVERWRITE) {
            graph.setAccess(use, graph.access(use), Mode.WRITE);
        }
    }
}
