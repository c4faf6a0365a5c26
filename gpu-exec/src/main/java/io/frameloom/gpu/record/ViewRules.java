package io.frameloom.gpu.record;

import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.ComponentSwizzle;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureViewKind;
import java.util.function.Function;

/** The checks that a texture has the range of a view, and that the view has a use. Stateless. */
public final class ViewRules {
    private ViewRules() {}

    /** Checks that a range, or the slices that it has as layers, are within a texture. */
    public static void within(
            String texture, TextureDescription description, SubresourceRange range, TextureViewKind kind) {
        if (kind.isOfSlices(description)) {
            slices(texture, description, range, kind);
            return;
        }
        SubresourceRange everything = SubresourceRange.all(description);
        if (!everything.contains(range)) {
            throw new IllegalArgumentException(
                    "view " + range + " is not within texture '" + texture + "' of " + everything);
        }
    }

    private static void slices(
            String texture, TextureDescription description, SubresourceRange range, TextureViewKind kind) {
        if (!description.usage().contains(TextureUsage.COLOR_ATTACHMENT)) {
            throw new IllegalArgumentException("texture '" + texture + "' is THREE_D and seen as " + kind
                    + ", but of its slices there are attachments alone; see it as THREE_D, or add COLOR_ATTACHMENT to its"
                    + " usage " + description.usage());
        }
        if (range.mipCount() != 1
                || range.baseMip() >= description.mips()
                || range.basePlane() + range.planeCount() > description.format().planes()) {
            throw new IllegalArgumentException("slices of THREE_D texture '" + texture + "' are seen by one mip of its "
                    + description.mips() + ", got " + range);
        }
        int depth = description.depth(range.baseMip());
        if (range.baseLayer() + range.layerCount() > depth) {
            throw new IllegalArgumentException("slices " + range.baseLayer() + "+" + range.layerCount()
                    + " are not within mip " + range.baseMip() + " of texture '" + texture + "', which has " + depth);
        }
    }

    /** Returns the subresources of a view's range: of slices, the mip that has them. */
    public static SubresourceRange subresources(
            TextureDescription description, SubresourceRange range, TextureViewKind kind) {
        return kind.isOfSlices(description) ? SubresourceRange.mip(range.baseMip()) : range;
    }

    /**
     * Checks a view.
     *
     * @param components mapping of its channels
     * @param formats the device's support of formats
     */
    public static void check(
            String texture,
            TextureDescription description,
            TextureViewKind kind,
            Format format,
            ComponentMapping components,
            Function<Format, FormatSupport> formats) {
        boolean slices = kind.isOfSlices(description);
        if (!components.isIdentity()) {
            mapped(texture, description, slices, components);
        }
        boolean seen = false;
        boolean usable = false;
        for (TextureUsage usage : description.usage()) {
            boolean ofViews = isOfViews(usage, slices, !components.isIdentity());
            seen |= ofViews;
            // A texture is made for what its own format can do, or imported.
            usable |= ofViews
                    && (format == description.format() || formats.apply(format).supports(usage));
        }
        if (!seen) {
            throw new IllegalArgumentException("texture '" + texture + "' of usage " + description.usage()
                    + " has no views; add SAMPLED, STORAGE or an attachment to its usage");
        }
        if (!usable) {
            throw new IllegalArgumentException("texture '" + texture + "' cannot be seen as " + format
                    + ", which the device can use for none of its usages " + description.usage()
                    + "; see it in another format");
        }
    }

    private static boolean isOfViews(TextureUsage usage, boolean slices, boolean mapped) {
        if (mapped) {
            return usage == TextureUsage.SAMPLED;
        }
        return slices
                ? usage == TextureUsage.COLOR_ATTACHMENT
                : usage != TextureUsage.COPY_SRC && usage != TextureUsage.COPY_DST;
    }

    private static void mapped(
            String texture, TextureDescription description, boolean slices, ComponentMapping components) {
        if (slices || !description.usage().contains(TextureUsage.SAMPLED)) {
            throw new IllegalArgumentException("texture '" + texture + "' of usage " + description.usage()
                    + " cannot be seen with channels " + components + (slices ? " by slices" : "")
                    + ": only what is SAMPLED can, others see channels as they are");
        }
        if (description.format().isDepth() && components.has(ComponentSwizzle.ONE)) {
            throw new IllegalArgumentException("texture '" + texture + "' of " + description.format()
                    + " cannot be seen with channels " + components
                    + ": what ONE is beside depth or stencil, no device promises; let the shader say it");
        }
    }
}
