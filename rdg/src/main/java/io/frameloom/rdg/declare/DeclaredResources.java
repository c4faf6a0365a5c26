package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.Extraction;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgResource;
import io.frameloom.rdg.RdgTexture;
import org.jspecify.annotations.Nullable;

/**
 * By what the resources of one graph are declared: their handles, and the checks of where each comes from and what
 * becomes of it after the frame.
 */
public final class DeclaredResources {
    private static final String NOT_PRESENTABLE =
            "cannot be left ready for PRESENT: it is no image of a swapchain and not"
                    + " imported; register a SwapchainImage, or name another access";

    private final GraphDeclaration graph;
    private final RedeclaredList<RdgResource> handles = new RedeclaredList<>(16);
    private final RegisteredResources externals = new RegisteredResources();
    private boolean anyPassthrough;

    DeclaredResources(GraphDeclaration graph) {
        this.graph = graph;
    }

    /** Returns whether a handle of this graph is one of this frame. */
    boolean has(RdgResource resource) {
        return handles.has(resource.index(), resource);
    }

    /** Forgets the resources. */
    void clear() {
        handles.clear();
        externals.clear();
        anyPassthrough = false;
    }

    /** Returns whether any resource is not tracked. */
    boolean anyPassthrough() {
        return anyPassthrough;
    }

    private DeclaredGraph declared() {
        return graph.graph();
    }

    public RdgTexture transientTexture(String name, TextureDescription description) {
        RdgTexture texture = texture(name, description, null);
        add(
                texture,
                texture.description(),
                Lifetime.TRANSIENT,
                TextureLayout.UNDEFINED,
                Sharing.of(description.sharing()));
        return texture;
    }

    public RdgBuffer transientBuffer(String name, BufferDescription description) {
        RdgBuffer buffer = buffer(name, description, null);
        add(
                buffer,
                buffer.description(),
                Lifetime.TRANSIENT,
                TextureLayout.UNDEFINED,
                Sharing.of(description.sharing()));
        return buffer;
    }

    /** Returns the handle for the next resource: that of the former frame if it says the same. */
    private RdgTexture texture(String name, TextureDescription description, @Nullable TextureLayout passthrough) {
        return handles.former() instanceof DeclaredTexture former && former.isAgain(name, description, passthrough)
                ? former
                : new DeclaredTexture(graph, handles.size(), name, description, passthrough);
    }

    private RdgBuffer buffer(String name, BufferDescription description, @Nullable TextureLayout passthrough) {
        return handles.former() instanceof DeclaredBuffer former && former.isAgain(name, description, passthrough)
                ? former
                : new DeclaredBuffer(graph, handles.size(), name, description, passthrough);
    }

    private void add(RdgResource handle, Object shape, Lifetime lifetime, TextureLayout initial, Sharing sharing) {
        handles.add(handle);
        declared().addResource(handle.name(), shape, lifetime, initial, sharing, graph.site());
    }

    public RdgTexture external(Texture texture, TextureLayout current, boolean passthrough) {
        int known = externals.find(texture);
        if (known >= 0) {
            requireSame(known, texture, current, passthrough);
            return (RdgTexture) handles.get(known);
        }
        if (current == TextureLayout.PRESENT && !isPresentable(texture)) {
            throw new RdgException(
                    "graph '" + graph.name() + "': texture '" + texture.name() + "' is registered in layout PRESENT,"
                            + " but is no image of a swapchain and"
                            + " not imported; name the layout of"
                            + " its last use");
        }
        anyPassthrough |= passthrough;
        RdgTexture handle = texture(texture.name(), texture.description(), passthrough ? current : null);
        register(handle, handle.description(), Lifetime.EXTERNAL, texture, current, null);
        return handle;
    }

    public RdgBuffer external(Buffer buffer, boolean passthrough) {
        int known = externals.find(buffer);
        if (known >= 0) {
            requireSame(known, buffer, TextureLayout.UNDEFINED, passthrough);
            return (RdgBuffer) handles.get(known);
        }
        anyPassthrough |= passthrough;
        RdgBuffer handle = buffer(buffer.name(), buffer.description(), passthrough ? TextureLayout.UNDEFINED : null);
        register(handle, handle.description(), Lifetime.EXTERNAL, buffer, TextureLayout.UNDEFINED, null);
        return handle;
    }

    /** Registers one half of a history under a name of its own; what the former frame left has contents. */
    RdgTexture history(
            String name, Texture texture, Lifetime lifetime, TextureLayout current, Access rest, HistoryUse use) {
        requireUnregistered(texture);
        RdgTexture handle = texture(name, texture.description(), null);
        register(handle, handle.description(), lifetime, texture, current, use);
        leave(handle, rest, use);
        return handle;
    }

    RdgBuffer history(String name, Buffer buffer, Lifetime lifetime, Access rest, HistoryUse use) {
        requireUnregistered(buffer);
        RdgBuffer handle = buffer(name, buffer.description(), null);
        register(handle, handle.description(), lifetime, buffer, TextureLayout.UNDEFINED, use);
        leave(handle, rest, use);
        return handle;
    }

    private void leave(RdgResource handle, Access rest, HistoryUse use) {
        declared().setFinalAccess(handle.index(), rest);
        if (use.isReplaced()) {
            declared().discardAfter(handle.index());
        }
    }

    private void requireUnregistered(Resource resource) {
        int known = externals.find(resource);
        if (known >= 0) {
            throw new RdgException("graph '" + graph.name() + "': history '" + resource.name()
                    + "' is in the graph already"
                    + DeclarationSite.suffix(declared().resourceSite(known))
                    + "; ask for a history once per graph");
        }
    }

    /** Returns the handle of an external that was registered, or null. */
    public @Nullable RdgResource findExternal(Resource resource) {
        int known = externals.find(resource);
        return known < 0 || declared().lifetime(known) != Lifetime.EXTERNAL ? null : handles.get(known);
    }

    public void finalAccess(RdgResource resource, Access access) {
        int index = index(resource);
        Resource external = graph.bound().external(index);
        if (declared().lifetime(index) == Lifetime.TRANSIENT) {
            throw refused(
                    index, "is transient, nothing is left of it after the frame; extract it or register an external");
        }
        if (Handle.of(resource).passthrough() != null) {
            throw refused(
                    index, "is a passthrough resource, whose state is the application's; register it as external");
        }
        if (external instanceof Texture texture && texture.isSwapchainImage()) {
            throw refused(
                    index,
                    "is an image of a swapchain, which is always left ready for PRESENT; do not ask for " + access);
        }
        if (access == Access.PRESENT && !(external instanceof Texture texture && isPresentable(texture))) {
            throw refused(index, NOT_PRESENTABLE);
        }
        declared().setFinalAccess(index, access);
    }

    /** An engine's own images may be those of its own swapchain. */
    private static boolean isPresentable(Texture texture) {
        return texture.isSwapchainImage() || texture.imported() != null;
    }

    /** Leaves an image of a swapchain as presentation takes it. */
    public void present(RdgTexture image) {
        declared().setFinalAccess(index(image), Access.PRESENT);
    }

    public void extract(RdgResource resource, Extraction extraction, @Nullable Access finalAccess) {
        int index = index(resource);
        Lifetime lifetime = declared().lifetime(index);
        if (lifetime != Lifetime.TRANSIENT) {
            throw refused(
                    index,
                    (lifetime == Lifetime.EXTRACTED
                                    ? "is extracted twice"
                                    : graph.bound().extraction(index) instanceof Preallocation
                                            ? "is preallocated and goes back when the frame is done"
                                            : "is external and outlives the frame anyway")
                            + "; extract a transient once");
        }
        if (finalAccess == Access.PRESENT) {
            throw refused(index, NOT_PRESENTABLE);
        }
        declared().setLifetime(index, Lifetime.EXTRACTED);
        declared().setFinalAccess(index, finalAccess);
        graph.bound().setOutside(index, null, extraction);
    }

    /**
     * Returns what was made for a transient before, or null.
     *
     * @throws RdgException if it can have no memory before the frame
     */
    public @Nullable Resource preallocated(RdgResource resource) {
        int index = index(resource);
        if (graph.bound().extraction(index) instanceof Preallocation known) {
            known.requireKept();
            return known.resource();
        }
        Lifetime lifetime = declared().lifetime(index);
        if (lifetime != Lifetime.TRANSIENT) {
            throw refused(
                    index,
                    lifetime == Lifetime.EXTRACTED
                            ? "is extracted and cannot be preallocated; register a resource of the application's"
                            : "is not of the frame, so there is nothing to preallocate; take the resource itself");
        }
        GraphDeclaration.Immediate immediate = graph.immediate();
        if (immediate != null && immediate.hasMade(index)) {
            throw refused(
                    index,
                    "is preallocated after passes that use it, which have run already in immediate mode; preallocate"
                            + " it before the first of them");
        }
        return null;
    }

    /** Makes a transient an external that the executor takes back. */
    public void preallocate(RdgResource resource, Preallocation made) {
        int index = index(resource);
        declared().setLifetime(index, Lifetime.EXTERNAL);
        declared().setSharing(index, Sharing.of(made.resource()));
        graph.bound().setOutside(index, made.resource(), made);
        externals.put(made.resource(), index);
    }

    public void neverAlias(RdgResource resource) {
        int index = index(resource);
        if (declared().isExternal(index)) {
            throw refused(index, "is not of the frame and shares memory with nothing anyway; name a transient");
        }
        declared().keepApart(index);
    }

    public RdgResource handle(int index) {
        return handles.get(index);
    }

    public void mayStayUnused(RdgResource resource) {
        graph.bound().mayStayUnused(index(resource));
    }

    /** Returns where a resource was declared, as the end of a message. */
    public String siteSuffix(RdgResource resource) {
        return DeclarationSite.suffix(declared().resourceSite(index(resource)));
    }

    private void register(
            RdgResource handle,
            Object shape,
            Lifetime lifetime,
            Resource external,
            TextureLayout initial,
            @Nullable Extraction extraction) {
        add(handle, shape, lifetime, initial, Sharing.of(external));
        graph.bound().setOutside(handle.index(), external, extraction);
        externals.put(external, handle.index());
    }

    private void requireSame(int known, Resource again, TextureLayout current, boolean passthrough) {
        TextureLayout initial = declared().initialLayout(known);
        if (initial != current) {
            throw refused(
                    known,
                    "was registered in layout " + initial + " and is registered again"
                            + (again == graph.bound().external(known) ? "" : " as '" + again.name() + "'")
                            + " in layout " + current + "; a texture has one layout when the frame starts");
        }
        if (declared().lifetime(known) != Lifetime.EXTERNAL
                || (Handle.of(handles.get(known)).passthrough() != null) != passthrough) {
            throw refused(known, "was registered in another way before; register it once as what it is");
        }
    }

    private RdgException refused(int index, String why) {
        return new RdgException(
                "graph '" + graph.name() + "': '" + handles.get(index).name() + "'"
                        + DeclarationSite.suffix(declared().resourceSite(index)) + " " + why);
    }

    private int index(RdgResource resource) {
        GraphDeclaration of = Handle.of(resource).graph();
        if (of != graph) {
            throw new RdgException("graph '" + graph.name() + "': '" + resource.name() + "' belongs to graph '"
                    + of.name() + "'; declare it in this graph or register it as an external");
        }
        if (!has(resource)) {
            throw new RdgException("graph '" + graph.name() + "': '" + resource.name()
                    + "' belongs to a former frame of the graph, which was reset; declare it again and take the handle"
                    + " that this gives");
        }
        return resource.index();
    }
}
