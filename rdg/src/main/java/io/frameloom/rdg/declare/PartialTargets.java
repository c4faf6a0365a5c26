package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.declare.DeclaredGraph.Area;
import io.frameloom.rdg.declare.DeclaredGraph.Attachment;
import io.frameloom.rdg.declare.DeclaredGraph.Mode;
import io.frameloom.rdg.declare.DeclaredGraph.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Render targets of which a pass writes a part: a render area smaller than they are, or some slices of a mip. Load
 * operations touch that part alone. So a pass that clears or discards it keeps the rest and overwrites nothing whole.
 */
public final class PartialTargets {
    private PartialTargets() {}

    /**
     * Returns the uses of a pass with its partial targets as writes that keep what is there.
     *
     * @param area render area, or null for all of the targets
     * @param shapes gives the shape of a texture by its index, null for other resources
     */
    public static List<Use> keeping(
            List<Use> uses,
            List<Attachment> attachments,
            @Nullable Area area,
            IntFunction<@Nullable TextureDescription> shapes) {
        if (area == null && !anySlices(attachments)) {
            return uses;
        }
        List<Use> result = uses;
        for (Attachment attachment : attachments) {
            result = kept(result, uses, attachment.use(), attachment, area, shapes);
            if (attachment.resolve() >= 0) {
                result = kept(result, uses, attachment.resolve(), attachment, area, shapes);
            }
        }
        return result;
    }

    private static boolean anySlices(List<Attachment> attachments) {
        for (int a = 0, n = attachments.size(); a < n; a++) {
            if (attachments.get(a).slices() != null) {
                return true;
            }
        }
        return false;
    }

    private static List<Use> kept(
            List<Use> result,
            List<Use> declared,
            int at,
            Attachment attachment,
            @Nullable Area area,
            IntFunction<@Nullable TextureDescription> shapes) {
        Use use = result.get(at);
        TextureDescription shape = use.resource() < 0 ? null : shapes.apply(use.resource());
        SubresourceRange range = use.range();
        boolean partial = shape != null
                && range != null
                && range.baseMip() < shape.mips()
                && ((area != null && !area.covers(shape, range.baseMip()))
                        || (attachment.slices() != null && attachment.slices().count() < shape.depth(range.baseMip())));
        if (!partial || use.mode() != Mode.OVERWRITE) {
            return result;
        }
        List<Use> changed = result == declared ? new ArrayList<>(declared) : result;
        changed.set(at, use.with(use.access(), Mode.WRITE));
        return changed;
    }
}
