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
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgResource;
import io.frameloom.rdg.RdgTexture;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one graph has declared until now: the {@link DeclaredGraph}, what its frame binds, and the handles by which both
 * are declared. It checks where each resource comes from and what becomes of it after the frame. One thread at a time.
 */
public final class GraphDeclaration {
    /** Runs each pass of a graph as soon as it is declared. */
    public interface Immediate {
        void run(DeclaredGraph graph, BoundFrame bound);
    }

    private static final String NOT_PRESENTABLE =
            "cannot be left ready for PRESENT: it is no image of a swapchain and not"
                    + " imported; register a SwapchainImage, or name another access";

    private final boolean keepSites;
    private final @Nullable Immediate immediate;
    private final DeclaredGraph graph;
    private final BoundFrame bound = new BoundFrame();
    private final RedeclaredList<PassDeclaration> passes = new RedeclaredList<>(16);
    private final RedeclaredList<RdgResource> handles = new RedeclaredList<>(16);
    private final RegisteredResources externals = new RegisteredResources();
    /** Resources that are not tracked; each stays in the layout in which it comes. */
    private final BitSet passthrough = new BitSet(0);

    private final ScopeStack scopes = new ScopeStack(this);
    /** Width and height that textures can be sized after, by name. */
    private final Map<String, int[]> extents = new HashMap<>(4);

    /** Whether any pass has a condition or a table. */
    private boolean given;

    /** Changes with each reset. */
    private long frame;

    private long begunNanos = System.nanoTime();

    /**
     * An empty graph.
     *
     * @param keepSites whether the lines are kept that declare something
     * @param immediate runs the passes while they are declared, or null
     */
    public GraphDeclaration(String name, boolean keepSites, @Nullable Immediate immediate) {
        this.graph = new DeclaredGraph(name);
        this.keepSites = keepSites;
        this.immediate = immediate;
    }

    public String name() {
        return graph.name();
    }

    /** Refuses an argument that is missing, before anything is declared by it. */
    public void require(@Nullable Object argument, String parameter) {
        if (argument == null) {
            throw new NullPointerException("graph '" + name() + "': " + parameter + " must not be null");
        }
    }

    public void reset(String newName) {
        frame++;
        begunNanos = System.nanoTime();
        bound.clear(graph.passes());
        graph.clear(newName);
        if (given) {
            passes.forEach(PassDeclaration::letGo);
            given = false;
        }
        passes.clear();
        handles.clear();
        externals.clear();
        passthrough.clear();
        extents.clear();
        scopes.clear();
    }

    /** Returns what stands for the frame that is declared: another number after each reset. */
    public long frame() {
        return frame;
    }

    public long begunNanos() {
        return begunNanos;
    }

    /** Returns what was declared until now, which goes on with the declaration; all scopes must be closed. */
    public DeclaredGraph declared() {
        scopes.requireClosed();
        return graph;
    }

    /** Returns where those that declare put it. */
    DeclaredGraph graph() {
        return graph;
    }

    public BoundFrame bound() {
        return bound;
    }

    public ScopeStack scopes() {
        return scopes;
    }

    /** Returns the line of the application that calls, null unless lines are kept. */
    public @Nullable String site() {
        return keepSites ? DeclarationSite.ofCaller() : null;
    }

    /** Returns what runs the passes while they are declared, or null. */
    public @Nullable Immediate immediate() {
        return immediate;
    }

    // Passes.

    /** Adds a pass: that of the former frame if that had one of this name and kind at this place. */
    public PassDeclaration addPass(String passName, PassKind kind) {
        int index = passes.size();
        PassDeclaration former = passes.former();
        PassDeclaration pass =
                former != null && former.is(passName, kind) ? former : new PassDeclaration(this, index, passName, kind);
        passes.add(pass);
        pass.begin(scopes.innermost());
        return pass;
    }

    /** Returns whether a pass was declared at a place of this frame. */
    boolean has(PassDeclaration pass, int at) {
        return passes.has(at, pass);
    }

    /** Takes notice of a condition or table, which a pass without a body keeps. */
    void givenForBody() {
        given = true;
    }

    /** Notes a pass whose declaration has ended. */
    void recorded(int pass, PassBody body) {
        bound.setBody(pass, body);
        if (immediate == null) {
            return;
        }
        if (pass != graph.passes() - 1) {
            throw new RdgException("graph '" + name() + "' runs in immediate mode: end the declaration of pass '"
                    + graph.names().pass(pass) + "' before that of '"
                    + graph.names().pass(pass + 1) + "' begins");
        }
        immediate.run(graph, bound);
    }

    // Extents.

    /** Names an extent that textures can be sized after. */
    public void setExtent(String extent, int width, int height) {
        if (width < 1 || height < 1) {
            throw new RdgException(
                    "graph '" + name() + "': extent '" + extent + "' is at least 1x1, got " + width + "x" + height);
        }
        extents.put(extent, new int[] {width, height});
    }

    /** Returns the width and height of an extent that a texture is sized after. */
    public int[] extent(String texture, String extent) {
        int[] known = extents.get(extent);
        if (known == null) {
            throw new RdgException("graph '" + name() + "': texture '" + texture
                    + "' is to be sized after the extent '" + extent + "', but there are only "
                    + new TreeSet<>(extents.keySet()) + "; call setExtent before");
        }
        return known;
    }

    /** Refuses a texture to be sized after that is none of the frame that is declared. */
    public void requireReference(String texture, RdgTexture reference) {
        GraphDeclaration of = Handle.of(reference).graph();
        if (of != this) {
            throw new RdgException("graph '" + name() + "': texture '" + texture
                    + "' is to be sized after '" + reference.name() + "' of graph '" + of.name()
                    + "'; name a texture of this graph");
        }
        if (!has(reference)) {
            throw new RdgException("graph '" + name() + "': texture '" + texture
                    + "' is to be sized after '" + reference.name()
                    + "' of a former frame of the graph, which was reset; name a texture of this frame");
        }
    }

    // Resources.

    boolean has(RdgResource resource) {
        return handles.has(resource.index(), resource);
    }

    /** Returns whether any resource is not tracked. */
    boolean anyPassthrough() {
        return !passthrough.isEmpty();
    }

    boolean isPassthrough(int resource) {
        return passthrough.get(resource);
    }

    public RdgTexture transientTexture(String name, TextureDescription description) {
        RdgTexture texture = texture(name, description);
        add(texture, texture.description(), Lifetime.TRANSIENT, TextureLayout.UNDEFINED, null);
        return texture;
    }

    public RdgBuffer transientBuffer(String name, BufferDescription description) {
        RdgBuffer buffer = buffer(name, description);
        add(buffer, buffer.description(), Lifetime.TRANSIENT, TextureLayout.UNDEFINED, null);
        return buffer;
    }

    /** Returns the handle for the next resource: that of the former frame if it says the same. */
    private RdgTexture texture(String name, TextureDescription description) {
        return handles.former() instanceof DeclaredTexture former && former.isAgain(name, description)
                ? former
                : new DeclaredTexture(this, handles.size(), name, description);
    }

    private RdgBuffer buffer(String name, BufferDescription description) {
        return handles.former() instanceof DeclaredBuffer former && former.isAgain(name, description)
                ? former
                : new DeclaredBuffer(this, handles.size(), name, description);
    }

    private void add(
            RdgResource handle, Object shape, Lifetime lifetime, TextureLayout initial, @Nullable Sharing sharing) {
        handles.add(handle);
        graph.addResource(handle.name(), shape, lifetime, initial, sharing, site());
    }

    public RdgTexture external(Texture texture, TextureLayout current, boolean untracked) {
        int known = externals.find(texture);
        if (known >= 0) {
            requireSame(known, texture, current, untracked);
            return (RdgTexture) handles.get(known);
        }
        if (current == TextureLayout.PRESENT && !isPresentable(texture)) {
            throw new RdgException("graph '" + name() + "': texture '" + texture.name()
                    + "' is registered in layout PRESENT,"
                    + " but is no image of a swapchain and not imported; name the layout of its last use");
        }
        RdgTexture handle = texture(texture.name(), texture.description());
        passthrough.set(handle.index(), untracked);
        register(handle, handle.description(), Lifetime.EXTERNAL, texture, current, null);
        return handle;
    }

    public RdgBuffer external(Buffer buffer, boolean untracked) {
        int known = externals.find(buffer);
        if (known >= 0) {
            requireSame(known, buffer, TextureLayout.UNDEFINED, untracked);
            return (RdgBuffer) handles.get(known);
        }
        RdgBuffer handle = buffer(buffer.name(), buffer.description());
        passthrough.set(handle.index(), untracked);
        register(handle, handle.description(), Lifetime.EXTERNAL, buffer, TextureLayout.UNDEFINED, null);
        return handle;
    }

    /**
     * Registers one half of a history under a name of its own; what the former frame left has contents.
     *
     * @param replaced whether no later frame needs what this one leaves in it: the former half of a history without
     *     contents, since the next frame finds what this one writes, or else clears it again
     */
    public RdgTexture history(
            String name,
            Texture texture,
            Lifetime lifetime,
            TextureLayout current,
            Access rest,
            Extraction use,
            boolean replaced) {
        requireUnregistered(texture);
        RdgTexture handle = texture(name, texture.description());
        register(handle, handle.description(), lifetime, texture, current, use);
        leave(handle, rest, replaced);
        return handle;
    }

    /** As for textures, of a buffer. */
    public RdgBuffer history(
            String name, Buffer buffer, Lifetime lifetime, Access rest, Extraction use, boolean replaced) {
        requireUnregistered(buffer);
        RdgBuffer handle = buffer(name, buffer.description());
        register(handle, handle.description(), lifetime, buffer, TextureLayout.UNDEFINED, use);
        leave(handle, rest, replaced);
        return handle;
    }

    private void leave(RdgResource handle, Access rest, boolean replaced) {
        graph.setFinalAccess(handle.index(), rest);
        if (replaced) {
            graph.discardAfter(handle.index());
        }
    }

    private void requireUnregistered(Resource resource) {
        int known = externals.find(resource);
        if (known >= 0) {
            throw new RdgException("graph '" + name() + "': history '" + resource.name()
                    + "' is in the graph already"
                    + DeclarationSite.suffix(graph.resourceSite(known))
                    + "; ask for a history once per graph");
        }
    }

    private void register(
            RdgResource handle,
            Object shape,
            Lifetime lifetime,
            Resource external,
            TextureLayout initial,
            @Nullable Extraction extraction) {
        add(handle, shape, lifetime, initial, Sharing.of(external));
        bound.setOutside(handle.index(), external, extraction);
        externals.put(external, handle.index());
    }

    private void requireSame(int known, Resource again, TextureLayout current, boolean untracked) {
        TextureLayout initial = graph.initialLayout(known);
        if (initial != current) {
            throw refused(
                    known,
                    "was registered in layout " + initial + " and is registered again"
                            + (again == bound.external(known) ? "" : " as '" + again.name() + "'")
                            + " in layout " + current + "; a texture has one layout when the frame starts");
        }
        if (graph.lifetime(known) != Lifetime.EXTERNAL || isPassthrough(known) != untracked) {
            throw refused(known, "was registered in another way before; register it once as what it is");
        }
    }

    /** Returns the handle of an external that was registered, or null. */
    public @Nullable RdgResource findExternal(Resource resource) {
        int known = externals.find(resource);
        return known < 0 || graph.lifetime(known) != Lifetime.EXTERNAL ? null : handles.get(known);
    }

    public void finalAccess(RdgResource resource, Access access) {
        int index = index(resource);
        Resource external = bound.external(index);
        if (graph.lifetime(index) == Lifetime.TRANSIENT) {
            throw refused(
                    index, "is transient, nothing is left of it after the frame; extract it or register an external");
        }
        if (isPassthrough(index)) {
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
        graph.setFinalAccess(index, access);
    }

    /** An engine's own images may be those of its own swapchain. */
    private static boolean isPresentable(Texture texture) {
        return texture.isSwapchainImage() || texture.imported() != null;
    }

    public void present(RdgTexture image) {
        graph.setFinalAccess(index(image), Access.PRESENT);
    }

    public void extract(RdgResource resource, Extraction extraction, @Nullable Access finalAccess) {
        int index = index(resource);
        Lifetime lifetime = graph.lifetime(index);
        if (lifetime != Lifetime.TRANSIENT) {
            throw refused(
                    index,
                    (lifetime == Lifetime.EXTRACTED
                                    ? "is extracted twice"
                                    : "is external and outlives the frame anyway")
                            + "; extract a transient once");
        }
        if (finalAccess == Access.PRESENT) {
            throw refused(index, NOT_PRESENTABLE);
        }
        graph.setLifetime(index, Lifetime.EXTRACTED);
        graph.setFinalAccess(index, finalAccess);
        bound.setOutside(index, null, extraction);
    }

    public void neverAlias(RdgResource resource) {
        int index = index(resource);
        if (graph.isExternal(index)) {
            throw refused(index, "is not of the frame and shares memory with nothing anyway; name a transient");
        }
        graph.keepApart(index);
    }

    public RdgResource handle(int index) {
        return handles.get(index);
    }

    /** Returns the textures that were declared until now and are tracked, in order. */
    public List<RdgTexture> textures() {
        List<RdgTexture> textures = new ArrayList<>();
        for (RdgResource handle : handles) {
            if (handle instanceof RdgTexture texture && !isPassthrough(texture.index())) {
                textures.add(texture);
            }
        }
        return textures;
    }

    public void mayStayUnused(RdgResource resource) {
        bound.mayStayUnused(index(resource));
    }

    /** Returns where a resource was declared, as the end of a message. */
    public String siteSuffix(RdgResource resource) {
        return DeclarationSite.suffix(graph.resourceSite(index(resource)));
    }

    private RdgException refused(int index, String why) {
        return new RdgException("graph '" + name() + "': '" + handles.get(index).name() + "'"
                + DeclarationSite.suffix(graph.resourceSite(index)) + " " + why);
    }

    private int index(RdgResource resource) {
        GraphDeclaration of = Handle.of(resource).graph();
        if (of != this) {
            throw new RdgException("graph '" + name() + "': '" + resource.name() + "' belongs to graph '" + of.name()
                    + "'; declare it in this graph or register it as an external");
        }
        if (!has(resource)) {
            throw new RdgException("graph '" + name() + "': '" + resource.name()
                    + "' belongs to a former frame of the graph, which was reset; declare it again and take the handle"
                    + " that this gives");
        }
        return resource.index();
    }
}
