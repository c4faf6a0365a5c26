package io.frameloom.gpu.record;

import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.ShaderBinding;
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
    private static final int GENERAL = mask(TextureLayout.GENERAL);
    private static final int SAMPLED = GENERAL | mask(TextureLayout.SHADER_RO) | mask(TextureLayout.DEPTH_RO);

    /** Only in this layout a barrier inside of the render pass orders reads of an attachment. */
    private static final int LOCAL = mask(TextureLayout.LOCAL_READ);

    private final int[] part = new int[AssumedLayouts.PART];

    private List<ResourceUse> uses = List.of();
    /** The answers, for the pass that executes the list; null if none does. */
    private final @Nullable AssumedLayouts assumed;

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

    private static int mask(TextureLayout layout) {
        return 1 << layout.ordinal();
    }

    private void ask(int mip, int mips, int layer, int layers, int plane, int planes) {
        part[0] = mip;
        part[1] = mips;
        part[2] = layer;
        part[3] = layers;
        part[4] = plane;
        part[5] = planes;
    }

    private void ask(SubresourceRange range) {
        ask(
                range.baseMip(),
                range.mipCount(),
                range.baseLayer(),
                range.layerCount(),
                range.basePlane(),
                range.planeCount());
    }

    private void ask(SubresourceRange range, int plane) {
        ask(range);
        part[4] = plane;
        part[5] = 1;
    }

    /** Returns the layout of a use if it is one of the part that is asked for and has a layout, else null. */
    private @Nullable TextureLayout layoutOf(ResourceUse use, Texture texture) {
        return use instanceof ResourceUse.OfTexture declared
                        && declared.resource() == texture
                        && declared.layout() != TextureLayout.UNDEFINED
                        && AssumedLayouts.overlap(part, 0, declared.range())
                ? declared.layout()
                : null;
    }

    /**
     * Returns the first declared layout of the part that is one of some, or the natural one if none is declared; null
     * if there are others alone. Notes the answer.
     */
    private @Nullable TextureLayout find(Texture texture, @Nullable TextureLayout natural, int accepted) {
        TextureLayout found = natural;
        boolean accepts = false;
        for (int i = 0; i < uses.size() && !accepts; i++) {
            TextureLayout layout = layoutOf(uses.get(i), texture);
            if (layout != null) {
                accepts = (accepted & mask(layout)) != 0;
                found = accepts ? layout : null;
            }
        }
        if (assumed != null && found != null) {
            assumed.add(texture, part, found);
        }
        return found;
    }

    /** Returns the layout in which shaders sample a range, or null if the pass has it in one that cannot be sampled. */
    public @Nullable TextureLayout sampled(Texture texture, SubresourceRange seen) {
        ask(seen);
        return find(texture, TextureLayout.SHADER_RO, SAMPLED);
    }

    /** Returns the layout in which shaders have a range as storage, or null if the pass has it in another. */
    public @Nullable TextureLayout storage(Texture texture, SubresourceRange seen) {
        ask(seen);
        return find(texture, TextureLayout.GENERAL, GENERAL);
    }

    /** Returns the layout in which shaders read an attachment, or null if the pass declares none that is for that. */
    public @Nullable TextureLayout input(Texture texture, SubresourceRange seen) {
        ask(seen);
        return find(texture, null, LOCAL);
    }

    /** Returns the message for a binding for which {@link #sampled}, {@link #storage} or {@link #input} is null. */
    public IllegalStateException refusal(
            String command, String list, Texture texture, SubresourceRange seen, ShaderBinding.Kind kind) {
        ask(seen);
        TextureLayout layout = declared(texture);
        return new IllegalStateException(command + " in command list '" + list + "': the pass has texture '"
                + texture.name() + "' in " + (layout == null ? "no layout" : "layout " + layout) + ", in which it "
                + switch (kind) {
                    case STORAGE_TEXTURE -> "cannot be storage";
                    case INPUT_ATTACHMENT -> "is no input attachment";
                    default -> "cannot be sampled";
                }
                + "; declare that use of it, or bind it in another pass");
    }

    /** Returns the layout of the source or destination of a copy. Within one subresource both are the same. */
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
        ask(region.mip(), 1, region.baseLayer(), region.layers(), region.plane(), 1);
        return known(rules, command, texture, natural);
    }

    /** Returns the layout of one mip of one layer, plane 0, for a command whose natural layout is given. */
    public TextureLayout copied(
            RecordingRules rules, String command, Texture texture, int mip, int layer, TextureLayout natural) {
        ask(mip, 1, layer, 1, 0, 1);
        return known(rules, command, texture, natural);
    }

    public TextureLayout cleared(RecordingRules rules, String command, Texture texture, SubresourceRange range) {
        ask(range);
        return known(rules, command, texture, TextureLayout.TRANSFER_DST);
    }

    private TextureLayout known(RecordingRules rules, String command, Texture texture, TextureLayout natural) {
        TextureLayout layout = find(texture, natural, GENERAL | mask(natural));
        if (layout != null) {
            return layout;
        }
        throw new IllegalStateException(rules.where(command) + ": the pass has texture '" + texture.name()
                + "' in layout " + declared(texture) + ", the command needs "
                + (natural == TextureLayout.GENERAL ? "GENERAL" : natural + " or GENERAL")
                + "; declare that use of it, or record the command in another pass");
    }

    private @Nullable TextureLayout declared(Texture texture) {
        TextureLayout first = null;
        for (int i = 0; i < uses.size() && first == null; i++) {
            first = layoutOf(uses.get(i), texture);
        }
        return first;
    }

    /**
     * Returns the layout in which a plane is attached that is written: the one that is given, unless the render pass
     * reads it too.
     */
    public TextureLayout written(Texture texture, SubresourceRange range, int plane, TextureLayout natural) {
        ask(range, plane);
        for (int i = 0; i < uses.size(); i++) {
            if (layoutOf(uses.get(i), texture) == TextureLayout.LOCAL_READ) {
                return TextureLayout.LOCAL_READ;
            }
        }
        return natural;
    }

    /**
     * Returns a layout of a plane of a range in the pass that differs from the one in which a render pass attaches it;
     * null if there is none.
     */
    @Nullable
    TextureLayout attachedOtherwise(Texture texture, SubresourceRange range, int plane, TextureLayout attached) {
        ask(range, plane);
        for (int i = 0; i < uses.size(); i++) {
            TextureLayout layout = layoutOf(uses.get(i), texture);
            if (layout != null && layout != attached) {
                return layout;
            }
        }
        if (assumed != null) {
            assumed.add(texture, part, attached);
        }
        return null;
    }

    /**
     * Returns the layout in which a plane of depth or stencil is attached that is tested and not written: that of
     * read-only attachments, unless the pass shares it with readers that need another, or its shaders read it.
     */
    public TextureLayout tested(Texture texture, SubresourceRange range, int plane) {
        ask(range, plane);
        for (int i = 0; i < uses.size(); i++) {
            TextureLayout layout = layoutOf(uses.get(i), texture);
            if (layout == TextureLayout.GENERAL || layout == TextureLayout.LOCAL_READ) {
                return layout;
            }
        }
        return TextureLayout.DEPTH_RO;
    }
}
