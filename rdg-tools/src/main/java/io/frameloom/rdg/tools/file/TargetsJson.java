package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RenderTargets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says render targets in the form {@code rdg-case/1}. */
public final class TargetsJson {
    private final FramePlan plan;
    private final PlanNames names;

    public TargetsJson(FramePlan plan, PlanNames names) {
        this.plan = plan;
        this.names = names;
    }

    /** Returns the targets of a pass; one that continues a render pass finds there what it loads. */
    public Map<String, Object> of(RenderTargets targets, boolean continues) {
        Map<String, Object> all = new LinkedHashMap<>();
        if (isPartial(targets)) {
            all.put("area", List.of(targets.x(), targets.y(), targets.width(), targets.height()));
        }
        all.put(
                "color",
                targets.colors().stream().map(color -> color(color, continues)).toList());
        RenderTargets.Depth depth = targets.depth();
        if (depth != null) {
            Map<String, Object> row =
                    tested(depth.resource(), depth.readOnly(), continues ? LoadOp.LOAD : depth.load());
            row.put("sub", part(depth.range(), null));
            resolve(row, depth.resolve());
            row.put("clear", depth.clear());
            all.put("depth", row);
        }
        RenderTargets.Stencil stencil = targets.stencil();
        if (stencil != null) {
            Map<String, Object> row =
                    tested(stencil.resource(), stencil.readOnly(), continues ? LoadOp.LOAD : stencil.load());
            row.put("sub", part(stencil.range(), null));
            resolve(row, stencil.resolve());
            row.put("clear", stencil.clear());
            all.put("stencil", row);
        }
        return all;
    }

    /** Returns whether a pass renders to a part of its targets, which are all of one extent. */
    private boolean isPartial(RenderTargets targets) {
        RenderTargets.Depth depth = targets.depth();
        RenderTargets.Stencil stencil = targets.stencil();
        if (!targets.colors().isEmpty()) {
            RenderTargets.Color first = targets.colors().get(0);
            return isPartial(targets, first.resource(), first.range());
        }
        if (depth != null) {
            return isPartial(targets, depth.resource(), depth.range());
        }
        return stencil != null && isPartial(targets, stencil.resource(), stencil.range());
    }

    private boolean isPartial(RenderTargets targets, int resource, SubresourceRange range) {
        TextureDescription texture = plan.resources().get(resource).textureDescription();
        return texture != null
                && (targets.width() != texture.width(range.baseMip())
                        || targets.height() != texture.height(range.baseMip()));
    }

    private Map<String, Object> color(RenderTargets.Color color, boolean continues) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("r", names.resource(color.resource()));
        row.put("load", loadName(continues ? LoadOp.LOAD : color.load()));
        row.put("sub", part(color.range(), color.slices()));
        resolve(row, color.resolve());
        ClearColor clear = color.clear();
        row.put("clear", List.of(clear.channel(0), clear.channel(1), clear.channel(2), clear.channel(3)));
        return row;
    }

    private Map<String, Object> tested(int resource, boolean readOnly, LoadOp load) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("r", names.resource(resource));
        row.put("access", readOnly ? "r" : "w");
        row.put("load", loadName(load));
        return row;
    }

    private void resolve(Map<String, Object> target, RenderTargets.@Nullable Resolve resolve) {
        if (resolve != null) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("r", names.resource(resolve.resource()));
            if (resolve.mode() != null) {
                row.put("mode", JsonCursor.camelCase(resolve.mode().name()));
            }
            row.put("sub", part(resolve.range(), null));
            target.put("resolve", row);
        }
    }

    private static Map<String, Object> part(SubresourceRange range, RenderTargets.@Nullable Slices slices) {
        Map<String, Object> part = new LinkedHashMap<>();
        part.put("mip", range.baseMip());
        if (slices != null) {
            part.put("slice", List.of(slices.first(), slices.first() + slices.count()));
        }
        part.put(
                "layer",
                range.layerCount() == 1
                        ? range.baseLayer()
                        : List.of(range.baseLayer(), range.baseLayer() + range.layerCount()));
        return part;
    }

    private static String loadName(LoadOp load) {
        return load == LoadOp.DONT_CARE ? "dontcare" : load.name().toLowerCase(Locale.ROOT);
    }
}
