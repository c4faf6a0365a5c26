package io.frameloom.rdg.compile.validate;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.DeclaredGraph.Aspect;
import io.frameloom.rdg.declare.DeclaredGraph.Attachment;
import io.frameloom.rdg.declare.DeclaredGraph.Use;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The part of validation that holds the render targets of one pass at a time against each other. */
final class TargetCheck {
    private final DeclaredGraph graph;
    private final Errors errors;
    private final int mostColors;
    private DeclaredGraph.@Nullable Pass current;
    private @Nullable Use first;
    private int firstLayers;
    private @Nullable Use depth;
    private @Nullable Use stencil;

    /** Takes what is wrong. */
    @FunctionalInterface
    interface Errors {
        /** Takes one error of a pass; the use is null if it is of the pass as a whole. */
        void add(DeclaredGraph.Pass pass, @Nullable Use use, Code code, String message, String fix);
    }

    TargetCheck(DeclaredGraph graph, int mostColors, Errors errors) {
        this.graph = graph;
        this.mostColors = mostColors;
        this.errors = errors;
    }

    /** Checks the next pass. */
    void run(DeclaredGraph.Pass pass) {
        current = pass;
        first = null;
        firstLayers = 0;
        depth = null;
        stencil = null;
        List<Attachment> attachments = pass.attachments();
        if (attachments.size() == 1 && isSoundAlone(pass, attachments.get(0))) {
            return;
        }
        for (int a = 0, n = attachments.size(); a < n; a++) {
            Attachment attachment = attachments.get(a);
            Use use = pass.uses().get(attachment.use());
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
                distinct(attachments, a);
                aspect(use, texture, attachment.aspect());
                alike(attachment, use, texture);
                area(use, texture);
            }
            if (attachment.resolve() >= 0) {
                resolve(attachment, use, texture);
            }
        }
        together();
        if (attachments.size() > mostColors) {
            count(attachments);
        }
    }

    /** Reports the first colour target that the device does not have. */
    private void count(List<Attachment> attachments) {
        List<Attachment> colors = attachments.stream()
                .filter(attachment -> attachment.aspect() == Aspect.COLOR)
                .toList();
        if (colors.size() > mostColors) {
            errors.add(
                    pass(),
                    pass().uses().get(colors.get(mostColors).use()),
                    Code.UNSUPPORTED,
                    "pass '" + pass().name() + "' has " + colors.size() + " colour targets, but the device renders to "
                            + mostColors + " at once (maxColorAttachments)",
                    "render to the others in another pass, or to storage textures");
        }
    }

    /**
     * Returns whether nothing is wrong with a colour target that is the only one; false also for what takes a closer
     * look.
     */
    private boolean isSoundAlone(DeclaredGraph.Pass pass, Attachment attachment) {
        if (attachment.aspect() != Aspect.COLOR
                || attachment.resolve() >= 0
                || attachment.slices() != null
                || pass.area() != null) {
            return false;
        }
        Use use = pass.uses().get(attachment.use());
        TextureDescription texture = shape(use);
        return texture != null
                && texture.kind() != TextureKind.THREE_D
                && range(use).mipCount() == 1;
    }

    private DeclaredGraph.Pass pass() {
        return Objects.requireNonNull(current);
    }

    private Use once(@Nullable Use earlier, Use use, String what) {
        if (earlier != null) {
            errors.add(
                    pass(),
                    null,
                    Code.CONFLICTING_USES,
                    "pass '" + pass().name() + "' has 2 " + what + " attachments, '" + earlier.resourceName()
                            + "' and '" + use.resourceName() + "'",
                    "keep one");
        }
        return use;
    }

    /** What one colour output writes no other one may. */
    private void distinct(List<Attachment> attachments, int index) {
        Attachment attachment = attachments.get(index);
        Use use = pass().uses().get(attachment.use());
        for (int a = 0; attachment.aspect() == Aspect.COLOR && a < index; a++) {
            Attachment earlier = attachments.get(a);
            Use other = pass().uses().get(earlier.use());
            if (earlier.aspect() == Aspect.COLOR
                    && other.resource() == use.resource()
                    && other.range() != null
                    && range(other).overlaps(range(use))
                    && overlap(earlier.slices(), attachment.slices())) {
                errors.add(
                        pass(),
                        use,
                        Code.CONFLICTING_USES,
                        "pass '" + pass().name() + "' has '" + use.resourceName() + "' as 2 colour attachments",
                        "attach each layer or slice once");
                return;
            }
        }
    }

    private static boolean overlap(RenderTargets.@Nullable Slices a, RenderTargets.@Nullable Slices b) {
        return a == null || b == null || (a.first() < b.first() + b.count() && b.first() < a.first() + a.count());
    }

    /** Returns the texture of a use whose mip it has, or null. */
    private @Nullable TextureDescription shape(Use use) {
        SubresourceRange range = use.range();
        TextureDescription texture = use.resource() < 0
                ? null
                : graph.resources().get(use.resource()).texture();
        return texture == null || range == null || range.baseMip() >= texture.mips() ? null : texture;
    }

    private boolean attachable(Use use, TextureDescription texture, RenderTargets.@Nullable Slices slices) {
        SubresourceRange range = range(use);
        if ((texture.kind() == TextureKind.THREE_D) != (slices != null)) {
            errors.add(
                    pass(),
                    use,
                    Code.USAGE,
                    "pass '" + pass().name() + "' attaches " + (slices == null ? "'" : "slices of '")
                            + use.resourceName() + "', which is " + texture.kind(),
                    slices == null ? "attach slices of it by colorSlices" : "attach layers of it");
            return false;
        }
        if (slices != null && !contains(texture.depth(range.baseMip()), slices)) {
            errors.add(
                    pass(),
                    use,
                    Code.RANGE,
                    "pass '" + pass().name() + "' attaches " + Plural.of(slices.count(), "slice") + " from "
                            + slices.first()
                            + " on of mip " + range.baseMip() + " of '" + use.resourceName() + "', which has "
                            + texture.depth(range.baseMip()),
                    "name slices of the mip");
            return false;
        }
        if (range.mipCount() != 1) {
            errors.add(
                    pass(),
                    use,
                    Code.USAGE,
                    "pass '" + pass().name() + "' attaches " + range.mipCount() + " mips of '" + use.resourceName()
                            + "'",
                    "attach a view of one mip");
            return false;
        }
        return true;
    }

    private static boolean contains(int depth, RenderTargets.Slices slices) {
        return slices.first() >= 0 && slices.count() >= 1 && slices.count() <= depth - slices.first();
    }

    private void area(Use use, TextureDescription texture) {
        DeclaredGraph.Area area = pass().area();
        int mip = range(use).baseMip();
        if (area != null && !area.isWithin(texture, mip)) {
            errors.add(
                    pass(),
                    use,
                    Code.RANGE,
                    "pass '" + pass().name() + "' renders to " + area.width() + "x" + area.height() + " texels at "
                            + area.x() + "," + area.y() + ", but '" + use.resourceName() + "' is "
                            + texture.width(mip) + "x" + texture.height(mip),
                    "name a render area within its targets");
        }
    }

    /** A format without depth or without stencil is reported with its access. */
    private void aspect(Use use, TextureDescription texture, Aspect aspect) {
        Format format = texture.format();
        boolean lacks = aspect == Aspect.DEPTH
                ? !format.hasDepth()
                : aspect == Aspect.STENCIL && format.aspect(format.planes() - 1) != Format.Aspect.STENCIL;
        if (format.isDepth() && lacks) {
            String what = aspect == Aspect.DEPTH ? "depth" : "stencil";
            errors.add(
                    pass(),
                    use,
                    Code.USAGE,
                    "pass '" + pass().name() + "' attaches '" + use.resourceName() + "' of " + format + " as " + what
                            + ", which it has not",
                    "use a texture of a format with " + what);
        }
    }

    private void alike(Attachment attachment, Use use, TextureDescription texture) {
        Use other = first;
        int layers = attachment.slices() == null
                ? range(use).layerCount()
                : attachment.slices().count();
        if (other == null) {
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
        String differ = "the render targets of pass '" + pass().name() + "' differ in ";
        extent(other, known, use, texture, differ);
        layers(other, firstLayers, use, layers, differ);
        if (known.samples() != texture.samples()) {
            errors.add(
                    pass(),
                    use,
                    Code.USAGE,
                    "the render targets of pass '" + pass().name() + "' differ in samples: '" + other.resourceName()
                            + "' has " + known.samples() + ", '" + use.resourceName() + "' has " + texture.samples(),
                    "use targets of as many samples");
        }
    }

    private void extent(Use a, TextureDescription first, Use b, TextureDescription second, String differ) {
        int mip = range(a).baseMip();
        int other = range(b).baseMip();
        if (!sameExtent(a, first, b, second)) {
            errors.add(
                    pass(),
                    b,
                    Code.TARGET_EXTENT,
                    differ + "extent: '" + a.resourceName() + "' is " + first.width(mip) + "x" + first.height(mip)
                            + ", '" + b.resourceName() + "' is " + second.width(other) + "x" + second.height(other),
                    "use targets of one extent");
        }
    }

    private static boolean sameExtent(Use a, TextureDescription first, Use b, TextureDescription second) {
        int mip = range(a).baseMip();
        int other = range(b).baseMip();
        return first.width(mip) == second.width(other) && first.height(mip) == second.height(other);
    }

    private void layers(Use a, int first, Use b, int second, String differ) {
        if (first != second) {
            errors.add(
                    pass(),
                    b,
                    Code.TARGET_EXTENT,
                    differ + "layers: '" + a.resourceName() + "' is attached with " + first + ", '" + b.resourceName()
                            + "' with " + second,
                    "attach as many layers of each");
        }
    }

    private void resolve(Attachment attachment, Use use, TextureDescription texture) {
        Use target = pass().uses().get(attachment.resolve());
        TextureDescription one = shape(target);
        if (one == null || !attachable(target, one, null) || isSound(use, texture, target, one)) {
            return;
        }
        String subject =
                "pass '" + pass().name() + "' resolves '" + use.resourceName() + "' to '" + target.resourceName() + "'";
        if (texture.samples() == 1 || one.samples() != 1) {
            errors.add(
                    pass(),
                    target,
                    Code.USAGE,
                    subject + ", from " + texture.samples() + " to " + Plural.of(one.samples(), "sample"),
                    "resolve a texture of several samples to one of a single sample");
        }
        if (texture.format() != one.format()) {
            errors.add(
                    pass(),
                    target,
                    Code.USAGE,
                    subject + ", from " + texture.format() + " to " + one.format(),
                    "give both the same format");
        }
        String differ = subject + ", which differ in ";
        extent(use, texture, target, one, differ);
        layers(use, range(use).layerCount(), target, range(target).layerCount(), differ);
    }

    private static boolean isSound(Use use, TextureDescription texture, Use target, TextureDescription one) {
        return texture.samples() != 1
                && one.samples() == 1
                && texture.format() == one.format()
                && sameExtent(use, texture, target, one)
                && range(use).layerCount() == range(target).layerCount();
    }

    private void together() {
        Use ofDepth = depth;
        Use ofStencil = stencil;
        if (ofDepth != null && ofStencil != null && ofDepth.resource() != ofStencil.resource()) {
            errors.add(
                    pass(),
                    ofStencil,
                    Code.CONFLICTING_USES,
                    "pass '" + pass().name() + "' has depth '" + ofDepth.resourceName() + "' and stencil '"
                            + ofStencil.resourceName() + "', two textures",
                    "attach the planes of one texture with both");
        } else if (ofDepth != null
                && ofStencil != null
                && !range(ofDepth).plane(0).equals(range(ofStencil).plane(0))) {
            errors.add(
                    pass(),
                    ofStencil,
                    Code.CONFLICTING_USES,
                    "pass '" + pass().name() + "' attaches depth and stencil of '" + ofDepth.resourceName()
                            + "' from different mips or layers",
                    "attach both from the same");
        }
    }

    private static SubresourceRange range(Use use) {
        SubresourceRange range = use.range();
        if (range == null) {
            throw new IllegalStateException("attachment '" + use.resourceName() + "' names no range");
        }
        return range;
    }
}
