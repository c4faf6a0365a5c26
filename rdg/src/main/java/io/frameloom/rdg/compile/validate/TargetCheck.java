package io.frameloom.rdg.compile.validate;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.declare.Area;
import io.frameloom.rdg.declare.Aspect;
import io.frameloom.rdg.declare.Attachment;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of validation that holds the render targets of one pass at a time against each other. */
final class TargetCheck {
    private final DeclaredGraph graph;
    private final Errors errors;
    private final int mostColors;
    private int pass;
    private int first;
    private int firstLayers;
    private int depth;
    private int stencil;

    /** In place of a use: the error is of the pass as a whole. */
    static final int NO_USE = -1;

    /** Takes what is wrong. */
    @FunctionalInterface
    interface Errors {
        /** Takes one error of a pass and a use of it, or {@link #NO_USE}. */
        void add(int pass, int use, Code code, String message, String fix);
    }

    TargetCheck(DeclaredGraph graph, int mostColors, Errors errors) {
        this.graph = graph;
        this.mostColors = mostColors;
        this.errors = errors;
    }

    void run(int checked) {
        pass = checked;
        first = NO_USE;
        firstLayers = 0;
        depth = NO_USE;
        stencil = NO_USE;
        int begin = graph.firstAttachment(pass);
        int end = graph.firstAttachment(pass + 1);
        for (int a = begin; a < end; a++) {
            Attachment attachment = graph.attachment(a);
            int use = graph.useOf(pass, attachment);
            if (attachment.aspect() == Aspect.DEPTH) {
                depth = once(depth, use, "depth");
            } else if (attachment.aspect() == Aspect.STENCIL) {
                stencil = once(stencil, use, "stencil");
            }
            TextureDescription texture = shape(use);
            if (texture == null) {
                continue;
            }
            if (attachable(use, texture, attachment.slices())) {
                distinct(a);
                aspect(use, texture, attachment.aspect());
                alike(attachment, use, texture);
                area(use, texture);
            }
            if (attachment.resolve() >= 0) {
                resolve(attachment, use, texture);
            }
        }
        together();
        if (end - begin > mostColors) {
            count();
        }
    }

    /** Reports the first colour target that the device does not have. */
    private void count() {
        List<Attachment> colors = graph.attachments(pass).stream()
                .filter(attachment -> attachment.aspect() == Aspect.COLOR)
                .toList();
        if (colors.size() > mostColors) {
            errors.add(
                    pass,
                    graph.useOf(pass, colors.get(mostColors)),
                    Code.UNSUPPORTED,
                    "pass '" + name() + "' has " + colors.size() + " colour targets, but the device renders to "
                            + mostColors + " at once (maxColorAttachments)",
                    "render to the others in another pass, or to storage textures");
        }
    }

    private String name() {
        return graph.names().pass(pass);
    }

    private int once(int earlier, int use, String what) {
        if (earlier >= 0) {
            errors.add(
                    pass,
                    NO_USE,
                    Code.CONFLICTING_USES,
                    "pass '" + name() + "' has 2 " + what + " attachments, '" + graph.resourceName(earlier) + "' and '"
                            + graph.resourceName(use) + "'",
                    "keep one");
        }
        return use;
    }

    /** What one colour output writes no other one may. */
    private void distinct(int index) {
        Attachment attachment = graph.attachment(index);
        int use = graph.useOf(pass, attachment);
        for (int a = graph.firstAttachment(pass); attachment.aspect() == Aspect.COLOR && a < index; a++) {
            Attachment earlier = graph.attachment(a);
            int other = graph.useOf(pass, earlier);
            if (earlier.aspect() == Aspect.COLOR
                    && graph.resource(other) == graph.resource(use)
                    && graph.range(other) != null
                    && range(other).overlaps(range(use))
                    && overlap(earlier.slices(), attachment.slices())) {
                errors.add(
                        pass,
                        use,
                        Code.CONFLICTING_USES,
                        "pass '" + name() + "' has '" + graph.resourceName(use) + "' as 2 colour attachments",
                        "attach each layer or slice once");
                return;
            }
        }
    }

    private static boolean overlap(RenderTargets.@Nullable Slices a, RenderTargets.@Nullable Slices b) {
        return a == null || b == null || (a.first() < b.first() + b.count() && b.first() < a.first() + a.count());
    }

    /** Returns the texture of a use whose mip it has, or null. */
    private @Nullable TextureDescription shape(int use) {
        SubresourceRange range = graph.range(use);
        TextureDescription texture = graph.resource(use) < 0 ? null : graph.texture(graph.resource(use));
        return texture == null || range == null || range.baseMip() >= texture.mips() ? null : texture;
    }

    private boolean attachable(int use, TextureDescription texture, RenderTargets.@Nullable Slices slices) {
        SubresourceRange range = range(use);
        if ((texture.kind() == TextureKind.THREE_D) != (slices != null)) {
            errors.add(
                    pass,
                    use,
                    Code.USAGE,
                    "pass '" + name() + "' attaches " + (slices == null ? "'" : "slices of '") + graph.resourceName(use)
                            + "', which is " + texture.kind(),
                    slices == null ? "attach slices of it by colorSlices" : "attach layers of it");
            return false;
        }
        if (slices != null && !contains(texture.depth(range.baseMip()), slices)) {
            errors.add(
                    pass,
                    use,
                    Code.RANGE,
                    "pass '" + name() + "' attaches " + Plural.of(slices.count(), "slice") + " from "
                            + slices.first()
                            + " on of mip " + range.baseMip() + " of '" + graph.resourceName(use) + "', which has "
                            + texture.depth(range.baseMip()),
                    "name slices of the mip");
            return false;
        }
        if (range.mipCount() != 1) {
            errors.add(
                    pass,
                    use,
                    Code.USAGE,
                    "pass '" + name() + "' attaches " + range.mipCount() + " mips of '" + graph.resourceName(use) + "'",
                    "attach a view of one mip");
            return false;
        }
        return true;
    }

    private static boolean contains(int depth, RenderTargets.Slices slices) {
        return slices.first() >= 0 && slices.count() >= 1 && slices.count() <= depth - slices.first();
    }

    private void area(int use, TextureDescription texture) {
        Area area = graph.area(pass);
        int mip = range(use).baseMip();
        if (area != null && !area.isWithin(texture, mip)) {
            errors.add(
                    pass,
                    use,
                    Code.RANGE,
                    "pass '" + name() + "' renders to " + area.width() + "x" + area.height() + " texels at "
                            + area.x() + "," + area.y() + ", but '" + graph.resourceName(use) + "' is "
                            + texture.width(mip) + "x" + texture.height(mip),
                    "name a render area within its targets");
        }
    }

    /** A format without depth or without stencil is reported with its access. */
    private void aspect(int use, TextureDescription texture, Aspect aspect) {
        Format format = texture.format();
        boolean lacks = aspect == Aspect.DEPTH
                ? !format.hasDepth()
                : aspect == Aspect.STENCIL && format.aspect(format.planes() - 1) != Format.Aspect.STENCIL;
        if (format.isDepth() && lacks) {
            String what = aspect == Aspect.DEPTH ? "depth" : "stencil";
            errors.add(
                    pass,
                    use,
                    Code.USAGE,
                    "pass '" + name() + "' attaches '" + graph.resourceName(use) + "' of " + format + " as " + what
                            + ", which it has not",
                    "use a texture of a format with " + what);
        }
    }

    private void alike(Attachment attachment, int use, TextureDescription texture) {
        int other = first;
        int layers = attachment.slices() == null
                ? range(use).layerCount()
                : attachment.slices().count();
        if (other < 0) {
            first = use;
            firstLayers = layers;
            return;
        }
        TextureDescription known = shape(other);
        if (known == null) {
            return;
        }
        if (layers == firstLayers && sameExtent(other, known, use, texture) && known.samples() == texture.samples()) {
            return;
        }
        String differ = "the render targets of pass '" + name() + "' differ in ";
        extent(other, known, use, texture, differ);
        layers(other, firstLayers, use, layers, differ);
        if (known.samples() != texture.samples()) {
            errors.add(
                    pass,
                    use,
                    Code.USAGE,
                    "the render targets of pass '" + name() + "' differ in samples: '" + graph.resourceName(other)
                            + "' has " + known.samples() + ", '" + graph.resourceName(use) + "' has "
                            + texture.samples(),
                    "use targets of as many samples");
        }
    }

    private void extent(int a, TextureDescription first, int b, TextureDescription second, String differ) {
        int mip = range(a).baseMip();
        int other = range(b).baseMip();
        if (!sameExtent(a, first, b, second)) {
            errors.add(
                    pass,
                    b,
                    Code.TARGET_EXTENT,
                    differ + "extent: '" + graph.resourceName(a) + "' is " + first.width(mip) + "x" + first.height(mip)
                            + ", '" + graph.resourceName(b) + "' is " + second.width(other) + "x"
                            + second.height(other),
                    "use targets of one extent");
        }
    }

    private boolean sameExtent(int a, TextureDescription first, int b, TextureDescription second) {
        int mip = range(a).baseMip();
        int other = range(b).baseMip();
        return first.width(mip) == second.width(other) && first.height(mip) == second.height(other);
    }

    private void layers(int a, int first, int b, int second, String differ) {
        if (first != second) {
            errors.add(
                    pass,
                    b,
                    Code.TARGET_EXTENT,
                    differ + "layers: '" + graph.resourceName(a) + "' is attached with " + first + ", '"
                            + graph.resourceName(b) + "' with " + second,
                    "attach as many layers of each");
        }
    }

    private void resolve(Attachment attachment, int use, TextureDescription texture) {
        int target = graph.firstUse(pass) + attachment.resolve();
        TextureDescription one = shape(target);
        if (one == null || !attachable(target, one, null) || isSound(use, texture, target, one)) {
            return;
        }
        String subject = "pass '" + name() + "' resolves '" + graph.resourceName(use) + "' to '"
                + graph.resourceName(target) + "'";
        if (texture.samples() == 1 || one.samples() != 1) {
            errors.add(
                    pass,
                    target,
                    Code.USAGE,
                    subject + ", from " + texture.samples() + " to " + Plural.of(one.samples(), "sample"),
                    "resolve a texture of several samples to one of a single sample");
        }
        if (texture.format() != one.format()) {
            errors.add(
                    pass,
                    target,
                    Code.USAGE,
                    subject + ", from " + texture.format() + " to " + one.format(),
                    "give both the same format");
        }
        String differ = subject + ", which differ in ";
        extent(use, texture, target, one, differ);
        layers(use, range(use).layerCount(), target, range(target).layerCount(), differ);
    }

    private boolean isSound(int use, TextureDescription texture, int target, TextureDescription one) {
        return texture.samples() != 1
                && one.samples() == 1
                && texture.format() == one.format()
                && sameExtent(use, texture, target, one)
                && range(use).layerCount() == range(target).layerCount();
    }

    private void together() {
        int ofDepth = depth;
        int ofStencil = stencil;
        if (ofDepth < 0 || ofStencil < 0) {
            return;
        }
        if (graph.resource(ofDepth) != graph.resource(ofStencil)) {
            errors.add(
                    pass,
                    ofStencil,
                    Code.CONFLICTING_USES,
                    "pass '" + name() + "' has depth '" + graph.resourceName(ofDepth) + "' and stencil '"
                            + graph.resourceName(ofStencil) + "', two textures",
                    "attach the planes of one texture with both");
        } else if (!range(ofDepth).plane(0).equals(range(ofStencil).plane(0))) {
            errors.add(
                    pass,
                    ofStencil,
                    Code.CONFLICTING_USES,
                    "pass '" + name() + "' attaches depth and stencil of '" + graph.resourceName(ofDepth)
                            + "' from different mips or layers",
                    "attach both from the same");
        }
    }

    private SubresourceRange range(int use) {
        SubresourceRange range = graph.range(use);
        if (range == null) {
            throw new IllegalStateException("attachment '" + graph.resourceName(use) + "' names no range");
        }
        return range;
    }
}
