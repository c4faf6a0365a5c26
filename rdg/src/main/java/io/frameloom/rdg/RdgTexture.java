package io.frameloom.rdg;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureViewKind;
import io.frameloom.rdg.declare.GraphDeclaration;
import io.frameloom.rdg.declare.Handle;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A handle of a texture of one graph. */
public abstract class RdgTexture extends RdgResource {
    /** An application that asks for other ranges in every frame gets new views, so that their number stays bounded. */
    private static final int MOST_VIEWS = 64;

    private final TextureDescription description;
    private @Nullable Map<ViewKey, RdgTextureView> views;

    private record ViewKey(SubresourceRange range, TextureViewKind kind, Format format) {}

    /** For graphs alone, which make the handles of their resources. */
    protected RdgTexture(int index, String name, TextureDescription description) {
        super(index, name);
        this.description = description;
    }

    /** Drops the views if they are many: the next frame may ask for others. */
    protected final void dropManyViews() {
        if (views != null && views.size() > MOST_VIEWS) {
            views = null;
        }
    }

    /** Returns the shape as declared; the usage of a transient is completed by the compiler. */
    public final TextureDescription description() {
        return description;
    }

    /** Returns the view of everything. */
    public final RdgTextureView view() {
        return view(SubresourceRange.all(description));
    }

    /** Returns the view of one mip, all layers and planes. */
    public final RdgTextureView mip(int mip) {
        return view(new SubresourceRange(
                mip, 1, 0, description.layers(), 0, description.format().planes()));
    }

    /** Returns the view of one layer, all mips and planes. */
    public final RdgTextureView layer(int layer) {
        return view(new SubresourceRange(
                0, description.mips(), layer, 1, 0, description.format().planes()));
    }

    /** Returns the view of one plane, all mips and layers: depth is 0, stencil 1. */
    public final RdgTextureView plane(int plane) {
        return view(new SubresourceRange(0, description.mips(), 0, description.layers(), plane, 1));
    }

    /**
     * Returns the view of a range as its natural kind and in the texture's format; equal ranges give the same object.
     * The thread that declares the graph.
     *
     * @throws RdgException if the range is not within the texture
     */
    public final RdgTextureView view(SubresourceRange range) {
        return view(range, TextureViewKind.natural(description, range), description.format());
    }

    /**
     * Returns the view of a range as a kind and in a format, for reading or storage. Equal arguments give the same
     * object. (It is Unreal's FRDGTextureSRV and FRDGTextureUAV in one.) The thread that declares the graph.
     *
     * @throws RdgException if the range is not within the texture or cannot be seen so
     */
    public final RdgTextureView view(SubresourceRange range, TextureViewKind kind, Format format) {
        Map<ViewKey, RdgTextureView> kept = views;
        if (kept == null) {
            kept = new HashMap<>(4);
            views = kept;
        }
        ViewKey key = new ViewKey(range, kind, format);
        RdgTextureView known = kept.get(key);
        if (known != null) {
            return known;
        }
        if (!SubresourceRange.all(description).contains(range)) {
            throw new RdgException(subject("texture") + " has " + Plural.of(description.mips(), "mip") + ", "
                    + Plural.of(description.layers(), "layer") + " and "
                    + Plural.of(description.format().planes(), "plane") + ", but a view of " + range
                    + " is asked for; name a range within the texture");
        }
        if (kind.isOfSlices(description)) {
            throw new RdgException(subject("texture") + " is THREE_D and cannot be read as " + kind
                    + "; its slices are attachments alone, see it as THREE_D");
        }
        try {
            kind.require(name(), description, range, format);
        } catch (IllegalArgumentException unfit) {
            GraphDeclaration graph = Handle.of(this).graph();
            throw new RdgException(
                    "graph '" + graph.name() + "': " + unfit.getMessage() + graph.siteSuffix(this), unfit);
        }
        RdgTextureView view = new RdgTextureView(this, range, kind, format);
        kept.put(key, view);
        return view;
    }
}
