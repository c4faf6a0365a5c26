package io.frameloom.rdg;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.SwapchainImage;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.compile.DeclaredGraph;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One frame's passes and resources, in the order in which the application declares them. That order gives the meaning
 * of the frame; the compiler removes what no output needs, overlaps what is independent and places the barriers.
 *
 * <p>One thread at a time (the render thread). A graph describes one frame; the idea of declaring a frame and compiling
 * it is that of "FrameGraph: Extensible Rendering Architecture in Frostbite" (Y. O'Donnell, GDC 2017).
 */
public final class RenderGraph {
    private final String name;
    private final boolean keepSites;
    private final List<PassBuilder> passes = new ArrayList<>();
    private final List<Entry> resources = new ArrayList<>();
    private final IdentityHashMap<Resource, RdgResource> externals = new IdentityHashMap<>();
    private int overlapGroups;

    /** Creates an empty graph; declaration sites are kept if the system property {@code frameloom.rdg.debug} says so. */
    public RenderGraph(String name) {
        this(name, RdgOptions.defaults().withSystemProperties());
    }

    /** Creates an empty graph; declaration sites are kept if {@link RdgOptions#debug} says so. */
    public RenderGraph(String name, RdgOptions options) {
        this.name = name;
        this.keepSites = options.debug();
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Declares a texture that exists only inside this frame; its usage is completed from the declared accesses. */
    public RdgTexture createTexture(String name, TextureDescription description) {
        RdgTexture texture = new RdgTexture(this, resources.size(), name, description);
        resources.add(new Entry(texture, Lifetime.TRANSIENT, null, TextureLayout.UNDEFINED, site()));
        return texture;
    }

    /** Declares a buffer that exists only inside this frame; its usage is completed from the declared accesses. */
    public RdgBuffer createBuffer(String name, BufferDescription description) {
        RdgBuffer buffer = new RdgBuffer(this, resources.size(), name, description);
        resources.add(new Entry(buffer, Lifetime.TRANSIENT, null, TextureLayout.UNDEFINED, site()));
        return buffer;
    }

    /**
     * Registers a texture of the application; its contents survive the frame. The same texture registered again gives
     * the same handle.
     *
     * @param current layout in which the texture is when the frame starts
     * @throws RdgException if the texture was registered before with another layout, or is an image of a swapchain
     */
    public RdgTexture registerExternal(Texture texture, TextureLayout current) {
        if (texture.isSwapchainImage()) {
            throw new RdgException("graph '" + name + "': texture '" + texture.name()
                    + "' is an image of a swapchain, whose layout and contents are undefined; register the acquired"
                    + " SwapchainImage");
        }
        return registerTexture(texture, current);
    }

    /**
     * Registers an acquired image of a swapchain. Its contents are undefined at first, and it is left in
     * {@link Access#PRESENT}; the frame waits for its acquisition and presents it
     * ({@link FrameExecutor#execute(FramePlan, java.util.List)}). Registered again, the same handle. The compiled plan
     * is good for every later acquisition of the same image.
     */
    public RdgTexture registerExternal(SwapchainImage image) {
        RdgTexture handle = registerTexture(image.texture(), TextureLayout.UNDEFINED);
        entry(handle).finalAccess = Access.PRESENT;
        return handle;
    }

    private RdgTexture registerTexture(Texture texture, TextureLayout current) {
        RdgResource known = externals.get(texture);
        if (known != null) {
            Entry entry = resources.get(known.index());
            if (entry.initialLayout != current) {
                throw new RdgException(
                        "graph '" + name + "': texture '" + texture.name() + "' was registered in layout "
                                + entry.initialLayout + " and is registered again in layout " + current
                                + "; a texture has one layout when the frame starts");
            }
            return (RdgTexture) known;
        }
        RdgTexture handle = new RdgTexture(this, resources.size(), texture.name(), texture.description());
        resources.add(new Entry(handle, Lifetime.EXTERNAL, texture, current, site()));
        externals.put(texture, handle);
        return handle;
    }

    /** Registers a buffer of the application; its contents survive the frame. Registered again, the same handle. */
    public RdgBuffer registerExternal(Buffer buffer) {
        RdgResource known = externals.get(buffer);
        if (known != null) {
            return (RdgBuffer) known;
        }
        RdgBuffer handle = new RdgBuffer(this, resources.size(), buffer.name(), buffer.description());
        resources.add(new Entry(handle, Lifetime.EXTERNAL, buffer, TextureLayout.UNDEFINED, site()));
        externals.put(buffer, handle);
        return handle;
    }

    /**
     * Asks that an external texture is left ready for an access; without it the plan decides
     * ({@link FramePlan#finalLayout}).
     *
     * @throws RdgException if the texture is of another graph, transient, or an image of a swapchain
     */
    public void finalAccess(RdgTexture texture, Access access) {
        Entry entry = entry(texture);
        if (entry.lifetime == Lifetime.TRANSIENT) {
            throw new RdgException("graph '" + name + "': texture '" + texture.name()
                    + "' is transient, nothing is left of it after the frame; extract it or register an external");
        }
        if (entry.external instanceof Texture external && external.isSwapchainImage()) {
            throw new RdgException("graph '" + name + "': texture '" + texture.name()
                    + "' is an image of a swapchain, which is always left ready for PRESENT; do not ask for " + access);
        }
        entry.finalAccess = access;
    }

    /**
     * Makes a transient texture outlive the frame, ready for an access. It gets memory of its own.
     *
     * @throws RdgException if the texture is of another graph, external, or extracted before
     */
    public TextureExtraction extract(RdgTexture texture, Access finalAccess) {
        TextureExtraction extraction = new TextureExtraction(texture.name());
        markExtracted(texture, extraction).finalAccess = finalAccess;
        return extraction;
    }

    /**
     * Makes a transient buffer outlive the frame. It gets memory of its own.
     *
     * @throws RdgException if the buffer is of another graph, external, or extracted before
     */
    public BufferExtraction extract(RdgBuffer buffer) {
        BufferExtraction extraction = new BufferExtraction(buffer.name());
        markExtracted(buffer, extraction);
        return extraction;
    }

    /** Makes a group of storage writes that may overlap. */
    public OverlapGroup overlapGroup(String name) {
        return new OverlapGroup(this, overlapGroups++, name);
    }

    /** Begins the declaration of a pass, which {@link PassBuilder#record} ends. */
    public PassBuilder addPass(String name, PassKind kind) {
        PassBuilder pass = new PassBuilder(this, passes.size(), name, kind, site());
        passes.add(pass);
        return pass;
    }

    DeclaredGraph declared() {
        List<DeclaredGraph.Pass> declaredPasses = new ArrayList<>(passes.size());
        for (PassBuilder pass : passes) {
            declaredPasses.add(pass.declared());
        }
        List<DeclaredGraph.Declared> declaredResources = new ArrayList<>(resources.size());
        for (Entry entry : resources) {
            declaredResources.add(entry.declared());
        }
        return new DeclaredGraph(name, declaredPasses, declaredResources);
    }

    @Nullable
    String site() {
        return keepSites ? DeclarationSite.ofCaller() : null;
    }

    private Entry markExtracted(RdgResource resource, Extraction extraction) {
        Entry entry = entry(resource);
        if (entry.lifetime != Lifetime.TRANSIENT) {
            throw new RdgException("graph '" + name + "': '" + resource.name() + "' is "
                    + (entry.lifetime == Lifetime.EXTERNAL
                            ? "external and outlives the frame anyway"
                            : "extracted twice")
                    + "; extract a transient once");
        }
        entry.lifetime = Lifetime.EXTRACTED;
        entry.extraction = extraction;
        return entry;
    }

    private Entry entry(RdgResource resource) {
        if (resource.graph() != this) {
            throw new RdgException("graph '" + name + "': '" + resource.name() + "' belongs to graph '"
                    + resource.graph().name + "'; declare it in this graph or register it as an external");
        }
        return resources.get(resource.index());
    }

    private static final class Entry {
        private final RdgResource handle;
        private final @Nullable Resource external;
        private final TextureLayout initialLayout;
        private final @Nullable String site;
        private Lifetime lifetime;
        private @Nullable Access finalAccess;
        private @Nullable Extraction extraction;

        Entry(
                RdgResource handle,
                Lifetime lifetime,
                @Nullable Resource external,
                TextureLayout initialLayout,
                @Nullable String site) {
            this.handle = handle;
            this.lifetime = lifetime;
            this.external = external;
            this.initialLayout = initialLayout;
            this.site = site;
        }

        DeclaredGraph.Declared declared() {
            TextureDescription texture = handle instanceof RdgTexture t ? t.description() : null;
            BufferDescription buffer = handle instanceof RdgBuffer b ? b.description() : null;
            return new DeclaredGraph.Declared(
                    handle.index(),
                    handle.name(),
                    texture,
                    buffer,
                    lifetime,
                    external,
                    initialLayout,
                    finalAccess,
                    extraction,
                    null,
                    true,
                    site);
        }
    }
}
