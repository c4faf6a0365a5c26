package io.frameloom.gpu.record;

import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The layouts of textures in the open pass of a command list, from its declaration; where it declares nothing, the
 * layout natural to the command. One thread at a time; allocates nothing but messages.
 */
public final class PassLayouts {
    private List<ResourceUse> uses = List.of();
    /** The answers, for the pass that executes the list; null if none does. */
    private final @Nullable AssumedLayouts assumed;

    /** The layouts of a primary list. */
    public PassLayouts() {
        this(false);
    }

    /**
     * The layouts of a list.
     *
     * @param secondary whether another list executes it, inside of a pass of which it need not know
     */
    public PassLayouts(boolean secondary) {
        assumed = secondary ? new AssumedLayouts() : null;
    }

    /** Takes the given uses of the pass that executes a list which begins. */
    public void begin(List<ResourceUse> inherited) {
        uses = inherited;
        if (assumed != null) {
            assumed.clear();
        }
    }

    /** Takes the declaration of another pass; nothing outside of passes. */
    public void take(List<ResourceUse> declared) {
        uses = declared;
    }

    /** Returns the declaration of the open pass; empty outside of passes. */
    List<ResourceUse> declared() {
        return uses;
    }

    /**
     * Returns whether all layouts are the natural ones, and no answer is kept: nothing is declared, so no caller has to
     * ask.
     */
    public boolean isEmpty() {
        return uses.isEmpty() && assumed == null;
    }

    /**
     * Throws unless a pass has everything in the layouts that were answered here.
     *
     * @param secondary rules of the list that was answered
     * @param primary rules of the list that executes it
     * @param executing layouts of that list
     */
    public void requireExecutable(RecordingRules secondary, RecordingRules primary, PassLayouts executing) {
        String other = assumed == null ? null : assumed.disagreement(executing.uses);
        if (other != null) {
            throw new IllegalArgumentException(
                    secondary.executed(primary) + "takes " + other + "; begin it with the uses of the pass");
        }
    }

    private @Nullable TextureLayout noted(Texture texture, SubresourceRange range, @Nullable TextureLayout answer) {
        if (assumed != null && answer != null) {
            assumed.add(
                    texture,
                    range.baseMip(),
                    range.mipCount(),
                    range.baseLayer(),
                    range.layerCount(),
                    range.basePlane(),
                    range.planeCount(),
                    answer);
        }
        return answer;
    }

    /** Returns the layout in which shaders sample a range, or null if the pass has it in one that cannot be sampled. */
    public @Nullable TextureLayout sampled(Texture texture, SubresourceRange seen) {
        return noted(texture, seen, sampledIn(texture, seen));
    }

    private @Nullable TextureLayout sampledIn(Texture texture, SubresourceRange seen) {
        TextureLayout natural = TextureLayout.SHADER_RO;
        for (int i = 0; i < uses.size(); i++) {
            TextureLayout layout = layoutOf(uses.get(i), texture, seen);
            if (layout != null) {
                natural = null;
            }
            if (layout == TextureLayout.SHADER_RO
                    || layout == TextureLayout.DEPTH_RO
                    || layout == TextureLayout.GENERAL) {
                return layout;
            }
        }
        return natural;
    }

    /** Returns the layout in which shaders have a range as storage, or null if the pass has it in another. */
    public @Nullable TextureLayout storage(Texture texture, SubresourceRange seen) {
        return noted(texture, seen, storageIn(texture, seen));
    }

    private @Nullable TextureLayout storageIn(Texture texture, SubresourceRange seen) {
        TextureLayout natural = TextureLayout.GENERAL;
        for (int i = 0; i < uses.size(); i++) {
            TextureLayout layout = layoutOf(uses.get(i), texture, seen);
            if (layout == TextureLayout.GENERAL) {
                return layout;
            }
            if (layout != null) {
                natural = null;
            }
        }
        return natural;
    }

    /** Returns the message for a binding for which {@link #sampled} or {@link #storage} is null. */
    public IllegalStateException refusal(
            String command, String list, Texture texture, SubresourceRange seen, boolean sampled) {
        return new IllegalStateException(command + " in command list '" + list + "': the pass has texture '"
                + texture.name() + "' in layout " + declared(texture, seen) + ", in which it "
                + (sampled ? "cannot be sampled" : "cannot be storage")
                + "; declare that use of it, or bind it in another pass");
    }

    /**
     * Returns the layout of the source or destination of a copy. Within one subresource both are the same.
     *
     * @param written whether to return that of the destination
     */
    public TextureLayout copied(
            RecordingRules rules,
            String command,
            Texture source,
            TextureRegion from,
            Texture destination,
            TextureRegion to,
            boolean written) {
        TextureLayout natural = within(source, from, destination, to)
                ? TextureLayout.GENERAL
                : written ? TextureLayout.TRANSFER_DST : TextureLayout.TRANSFER_SRC;
        return written
                ? copied(rules, command, destination, to, natural)
                : copied(rules, command, source, from, natural);
    }

    private static boolean within(Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        return source == destination
                && from.mip() == to.mip()
                && from.plane() == to.plane()
                && from.baseLayer() < to.baseLayer() + to.layers()
                && to.baseLayer() < from.baseLayer() + from.layers();
    }

    /** Returns the layout of a region for a command whose natural layout is given. */
    public TextureLayout copied(
            RecordingRules rules, String command, Texture texture, TextureRegion region, TextureLayout natural) {
        TextureLayout layout = copiedIn(rules, command, texture, region, natural);
        if (assumed != null) {
            assumed.add(texture, region.mip(), 1, region.baseLayer(), region.layers(), region.plane(), 1, layout);
        }
        return layout;
    }

    private TextureLayout copiedIn(
            RecordingRules rules, String command, Texture texture, TextureRegion region, TextureLayout natural) {
        TextureLayout other = null;
        for (int i = 0; i < uses.size(); i++) {
            if (uses.get(i) instanceof ResourceUse.OfTexture use
                    && use.resource() == texture
                    && use.range().overlaps(region)
                    && use.layout() != TextureLayout.UNDEFINED) {
                if (use.layout() == natural || use.layout() == TextureLayout.GENERAL) {
                    return use.layout();
                }
                other = use.layout();
            }
        }
        return known(rules, command, texture, other, natural);
    }

    /** Returns the layout of one mip of one layer, plane 0, for a command whose natural layout is given. */
    public TextureLayout copied(
            RecordingRules rules, String command, Texture texture, int mip, int layer, TextureLayout natural) {
        TextureLayout layout = copiedIn(rules, command, texture, mip, layer, natural);
        if (assumed != null) {
            assumed.add(texture, mip, 1, layer, 1, 0, 1, layout);
        }
        return layout;
    }

    private TextureLayout copiedIn(
            RecordingRules rules, String command, Texture texture, int mip, int layer, TextureLayout natural) {
        TextureLayout other = null;
        for (int i = 0; i < uses.size(); i++) {
            if (uses.get(i) instanceof ResourceUse.OfTexture use
                    && use.resource() == texture
                    && use.range().contains(mip, layer, 0)
                    && use.layout() != TextureLayout.UNDEFINED) {
                if (use.layout() == natural || use.layout() == TextureLayout.GENERAL) {
                    return use.layout();
                }
                other = use.layout();
            }
        }
        return known(rules, command, texture, other, natural);
    }

    public TextureLayout cleared(RecordingRules rules, String command, Texture texture, SubresourceRange range) {
        TextureLayout layout = clearedIn(rules, command, texture, range);
        noted(texture, range, layout);
        return layout;
    }

    private TextureLayout clearedIn(RecordingRules rules, String command, Texture texture, SubresourceRange range) {
        TextureLayout other = null;
        for (int i = 0; i < uses.size(); i++) {
            TextureLayout layout = layoutOf(uses.get(i), texture, range);
            if (layout == TextureLayout.TRANSFER_DST || layout == TextureLayout.GENERAL) {
                return layout;
            }
            other = layout != null ? layout : other;
        }
        return known(rules, command, texture, other, TextureLayout.TRANSFER_DST);
    }

    /**
     * Returns a layout of a plane of a range in the pass that differs from the one in which a render pass attaches it;
     * null if there is none.
     */
    @Nullable
    TextureLayout attachedOtherwise(Texture texture, SubresourceRange range, int plane, TextureLayout attached) {
        for (int i = 0; i < uses.size(); i++) {
            TextureLayout layout = layoutOf(uses.get(i), texture, range);
            if (layout != null
                    && layout != attached
                    && uses.get(i) instanceof ResourceUse.OfTexture use
                    && use.range().basePlane() <= plane
                    && plane < use.range().basePlane() + use.range().planeCount()) {
                return layout;
            }
        }
        if (assumed != null) {
            assumed.add(
                    texture,
                    range.baseMip(),
                    range.mipCount(),
                    range.baseLayer(),
                    range.layerCount(),
                    plane,
                    1,
                    attached);
        }
        return null;
    }

    /**
     * Returns the layout in which a plane of depth or stencil is attached that is tested and not written: that of
     * read-only attachments, unless the pass shares it with readers that need another.
     */
    public TextureLayout tested(Texture texture, SubresourceRange range, int plane) {
        for (int i = 0; i < uses.size(); i++) {
            if (layoutOf(uses.get(i), texture, range) == TextureLayout.GENERAL
                    && uses.get(i) instanceof ResourceUse.OfTexture use
                    && use.range().basePlane() <= plane
                    && plane < use.range().basePlane() + use.range().planeCount()) {
                return TextureLayout.GENERAL;
            }
        }
        return TextureLayout.DEPTH_RO;
    }

    private static TextureLayout known(
            RecordingRules rules,
            String command,
            Texture texture,
            @Nullable TextureLayout other,
            TextureLayout natural) {
        if (other == null) {
            return natural;
        }
        throw new IllegalStateException(rules.where(command) + ": the pass has texture '" + texture.name()
                + "' in layout " + other + ", the command needs "
                + (natural == TextureLayout.GENERAL ? "GENERAL" : natural + " or GENERAL")
                + "; declare that use of it, or record the command in another pass");
    }

    private @Nullable TextureLayout declared(Texture texture, SubresourceRange range) {
        for (int i = 0; i < uses.size(); i++) {
            TextureLayout layout = layoutOf(uses.get(i), texture, range);
            if (layout != null) {
                return layout;
            }
        }
        return null;
    }

    /** Returns the layout of a use if it is one of a range and has a layout, else null. */
    private static @Nullable TextureLayout layoutOf(ResourceUse use, Texture texture, SubresourceRange range) {
        return use instanceof ResourceUse.OfTexture declared
                        && declared.resource() == texture
                        && declared.range().overlaps(range)
                        && declared.layout() != TextureLayout.UNDEFINED
                ? declared.layout()
                : null;
    }
}
