package io.frameloom.rdg.tools.file;

import com.fasterxml.jackson.core.JsonGenerator;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RenderTargets;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes render targets as JSON in the form {@code rdg-case/1}. */
public final class TargetsJson {
    private final FramePlan plan;
    private final PlanNames names;

    public TargetsJson(FramePlan plan, PlanNames names) {
        this.plan = plan;
        this.names = names;
    }

    /** Writes the targets of a pass; one that continues a render pass finds there what it loads. */
    public void write(JsonGenerator json, RenderTargets targets, boolean continues) throws IOException {
        json.writeObjectFieldStart("rt");
        if (isPartial(targets)) {
            json.writeArrayFieldStart("area");
            json.writeNumber(targets.x());
            json.writeNumber(targets.y());
            json.writeNumber(targets.width());
            json.writeNumber(targets.height());
            json.writeEndArray();
        }
        json.writeArrayFieldStart("color");
        for (RenderTargets.Color color : targets.colors()) {
            json.writeStartObject();
            json.writeStringField("r", names.resource(color.resource()));
            json.writeStringField("load", loadName(continues ? LoadOp.LOAD : color.load()));
            part(json, color.range(), color.slices());
            resolve(json, color.resolve());
            json.writeArrayFieldStart("clear");
            for (int channel = 0; channel < 4; channel++) {
                json.writeNumber(color.clear().channel(channel));
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        RenderTargets.Depth depth = targets.depth();
        if (depth != null) {
            json.writeObjectFieldStart("depth");
            tested(json, depth.resource(), depth.readOnly(), continues ? LoadOp.LOAD : depth.load());
            part(json, depth.range());
            resolve(json, depth.resolve());
            json.writeNumberField("clear", depth.clear());
            json.writeEndObject();
        }
        RenderTargets.Stencil stencil = targets.stencil();
        if (stencil != null) {
            json.writeObjectFieldStart("stencil");
            tested(json, stencil.resource(), stencil.readOnly(), continues ? LoadOp.LOAD : stencil.load());
            part(json, stencil.range());
            resolve(json, stencil.resolve());
            json.writeNumberField("clear", stencil.clear());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** Returns whether a pass renders to a part of its targets, which are all of one extent. */
    private boolean isPartial(RenderTargets targets) {
        RenderTargets.Depth depth = targets.depth();
        RenderTargets.Stencil stencil = targets.stencil();
        int resource;
        SubresourceRange range;
        if (!targets.colors().isEmpty()) {
            resource = targets.colors().get(0).resource();
            range = targets.colors().get(0).range();
        } else if (depth != null) {
            resource = depth.resource();
            range = depth.range();
        } else if (stencil != null) {
            resource = stencil.resource();
            range = stencil.range();
        } else {
            return false;
        }
        TextureDescription texture = plan.resources().get(resource).textureDescription();
        return texture != null
                && (targets.width() != texture.width(range.baseMip())
                        || targets.height() != texture.height(range.baseMip()));
    }

    private void tested(JsonGenerator json, int resource, boolean readOnly, LoadOp load) throws IOException {
        json.writeStringField("r", names.resource(resource));
        json.writeStringField("access", readOnly ? "r" : "w");
        json.writeStringField("load", loadName(load));
    }

    private void resolve(JsonGenerator json, RenderTargets.@Nullable Resolve resolve) throws IOException {
        if (resolve == null) {
            return;
        }
        json.writeObjectFieldStart("resolve");
        json.writeStringField("r", names.resource(resolve.resource()));
        if (resolve.mode() != null) {
            json.writeStringField("mode", camelCase(resolve.mode().name()));
        }
        part(json, resolve.range());
        json.writeEndObject();
    }

    private static void part(JsonGenerator json, SubresourceRange range) throws IOException {
        part(json, range, null);
    }

    private static void part(JsonGenerator json, SubresourceRange range, RenderTargets.@Nullable Slices slices)
            throws IOException {
        json.writeObjectFieldStart("sub");
        json.writeNumberField("mip", range.baseMip());
        if (slices != null) {
            interval(json, "slice", slices.first(), slices.count());
        }
        if (range.layerCount() == 1) {
            json.writeNumberField("layer", range.baseLayer());
        } else {
            interval(json, "layer", range.baseLayer(), range.layerCount());
        }
        json.writeEndObject();
    }

    public static void interval(JsonGenerator json, String name, long from, long count) throws IOException {
        json.writeArrayFieldStart(name);
        json.writeNumber(from);
        json.writeNumber(from + count);
        json.writeEndArray();
    }

    private static String camelCase(String constant) {
        StringBuilder text = new StringBuilder();
        boolean upper = false;
        for (int i = 0; i < constant.length(); i++) {
            char c = constant.charAt(i);
            if (c == '_') {
                upper = true;
            } else {
                text.append(upper ? c : Character.toLowerCase(c));
                upper = false;
            }
        }
        return text.toString();
    }

    private static String loadName(LoadOp load) {
        return load == LoadOp.DONT_CARE ? "dontcare" : load.name().toLowerCase(Locale.ROOT);
    }
}
