package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.QueueSharing;
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
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The resources of one graph: where each comes from, and what becomes of it after the frame. */
public final class DeclaredResources {
    private static final String NOT_PRESENTABLE =
            "cannot be left ready for PRESENT: it is no image of a swapchain and not"
                    + " imported; register a SwapchainImage, or name another access";

    /** Sites of the resources of a graph that keeps none. */
    private static final @Nullable String[] NO_SITES = {};

    /** What the application has to do with one resource; one of the two may be null. */
    public record Outside(
            int resource,
            @Nullable Resource external,
            @Nullable Extraction extraction) {}

    /** One resource as declared until now. Used again for another one in the next frame. */
    private static final class Entry {
        private RdgResource handle;
        private TextureLayout initialLayout = TextureLayout.UNDEFINED;
        private @Nullable String site;

        private @Nullable Resource external;
        private Lifetime lifetime = Lifetime.TRANSIENT;
        private @Nullable Access finalAccess;
        private @Nullable Extraction extraction;
        private boolean discardedAfter;
        private boolean sharesMemory = true;

        private Entry(RdgResource handle) {
            this.handle = handle;
        }

        /** Becomes a resource of which nothing more is declared. */
        private void begin(
                RdgResource by,
                Lifetime life,
                @Nullable Resource from,
                TextureLayout initial,
                @Nullable String declaredAt) {
            handle = by;
            initialLayout = initial;
            site = declaredAt;
            external = from;
            lifetime = life;
            finalAccess = null;
            extraction = null;
            discardedAfter = false;
            sharesMemory = true;
        }

        /** Keeps no object of the application any longer. */
        private void letGo() {
            external = null;
            extraction = null;
        }

        /** Returns the description of the texture or buffer. */
        private Object shape() {
            return handle instanceof RdgTexture texture ? texture.description() : ((RdgBuffer) handle).description();
        }

        /** Returns how queue families share it. */
        private DeclaredGraph.Sharing sharing() {
            Resource known = external;
            if (known != null) {
                return DeclaredGraph.Sharing.of(known);
            }
            QueueSharing described = handle instanceof RdgTexture texture
                    ? texture.description().sharing()
                    : ((RdgBuffer) handle).description().sharing();
            return DeclaredGraph.Sharing.of(described);
        }

        private DeclaredGraph.Declared declared() {
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
                    sharesMemory,
                    site,
                    sharing(),
                    discardedAfter);
        }
    }

    private final GraphDeclaration graph;
    private final RedeclaredList<RdgResource> handles = new RedeclaredList<>(16);
    /** By resource all but its handle. */
    private final RedeclaredList<Entry> entries = new RedeclaredList<>(16);

    private final RegisteredResources externals = new RegisteredResources();
    /** Indices of the entries that come from outside or go there. */
    private final BitSet outside = new BitSet(0);

    /** Plans may have it, so it stays empty. */
    private final BitSet allWarned = new BitSet(0);

    /** Resources that may stay unused. */
    private BitSet unwarned = allWarned;

    DeclaredResources(GraphDeclaration graph) {
        this.graph = graph;
    }

    /** Returns a hash of the shapes of all resources, in order. */
    public int shapesHash() {
        int hash = 1;
        for (int i = 0; i < entries.size(); i++) {
            hash = 31 * hash + entries.get(i).shape().hashCode();
        }
        return hash;
    }

    /** Returns whether a handle of this graph is one of this frame. */
    boolean has(RdgResource resource) {
        return handles.has(resource.index(), resource);
    }

    /** Forgets the resources, and keeps no object of the application but names and shapes. */
    void clear() {
        for (int index = outside.nextSetBit(0); index >= 0; index = outside.nextSetBit(index + 1)) {
            entries.get(index).letGo();
        }
        handles.clear();
        entries.clear();
        externals.clear();
        outside.clear();
        unwarned = allWarned;
    }

    public RdgTexture transientTexture(String name, TextureDescription description) {
        RdgTexture texture = texture(name, description, null);
        graph.noting().transientResource(texture.name(), texture.description());
        add(texture, Lifetime.TRANSIENT, null, TextureLayout.UNDEFINED);
        return texture;
    }

    public RdgBuffer transientBuffer(String name, BufferDescription description) {
        RdgBuffer buffer = buffer(name, description, null);
        graph.noting().transientResource(buffer.name(), buffer.description());
        add(buffer, Lifetime.TRANSIENT, null, TextureLayout.UNDEFINED);
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

    private Entry add(RdgResource handle, Lifetime lifetime, @Nullable Resource external, TextureLayout initialLayout) {
        Entry former = entries.former();
        Entry entry = former == null ? new Entry(handle) : former;
        entry.begin(handle, lifetime, external, initialLayout, graph.site());
        handles.add(handle);
        entries.add(entry);
        return entry;
    }

    public RdgTexture external(Texture texture, TextureLayout current, boolean passthrough) {
        Entry known = find(texture);
        if (known != null) {
            requireSame(known, texture, current, passthrough);
            return (RdgTexture) known.handle;
        }
        if (current == TextureLayout.PRESENT && !isPresentable(texture)) {
            throw new RdgException(
                    "graph '" + graph.name() + "': texture '" + texture.name() + "' is registered in layout PRESENT,"
                            + " but is no image of a swapchain and"
                            + " not imported; name the layout of"
                            + " its last use");
        }
        RdgTexture handle = texture(texture.name(), texture.description(), passthrough ? current : null);
        register(handle, Lifetime.EXTERNAL, texture, current);
        return handle;
    }

    public RdgBuffer external(Buffer buffer, boolean passthrough) {
        Entry known = find(buffer);
        if (known != null) {
            requireSame(known, buffer, TextureLayout.UNDEFINED, passthrough);
            return (RdgBuffer) known.handle;
        }
        RdgBuffer handle = buffer(buffer.name(), buffer.description(), passthrough ? TextureLayout.UNDEFINED : null);
        register(handle, Lifetime.EXTERNAL, buffer, TextureLayout.UNDEFINED);
        return handle;
    }

    /** Registers one half of a history under a name of its own; what the former frame left has contents. */
    RdgTexture history(
            String name, Texture texture, Lifetime lifetime, TextureLayout current, Access rest, HistoryUse use) {
        requireUnregistered(texture);
        RdgTexture handle = texture(name, texture.description(), null);
        leave(register(handle, lifetime, texture, current), rest, use);
        return handle;
    }

    RdgBuffer history(String name, Buffer buffer, Lifetime lifetime, Access rest, HistoryUse use) {
        requireUnregistered(buffer);
        RdgBuffer handle = buffer(name, buffer.description(), null);
        leave(register(handle, lifetime, buffer, TextureLayout.UNDEFINED), rest, use);
        return handle;
    }

    private void leave(Entry entry, Access rest, HistoryUse use) {
        leave(entry, rest);
        entry.extraction = use;
        if (use.isReplaced()) {
            graph.noting().discardedAfter();
            entry.discardedAfter = true;
        }
    }

    private void leave(Entry entry, Access access) {
        graph.noting().finalAccess(entry.handle.index(), access);
        entry.finalAccess = access;
    }

    private void requireUnregistered(Resource resource) {
        Entry known = find(resource);
        if (known != null) {
            throw new RdgException("graph '" + graph.name() + "': history '" + resource.name()
                    + "' is in the graph already" + DeclarationSite.suffix(known.site)
                    + "; ask for a history once per graph");
        }
    }

    /** Returns the handle of an external that was registered, or null. */
    public @Nullable RdgResource findExternal(Resource resource) {
        Entry entry = find(resource);
        return entry == null || entry.lifetime != Lifetime.EXTERNAL ? null : entry.handle;
    }

    public void finalAccess(RdgResource resource, Access access) {
        Entry entry = entry(resource);
        if (entry.lifetime == Lifetime.TRANSIENT) {
            throw refused(
                    entry, "is transient, nothing is left of it after the frame; extract it or register an external");
        }
        if (Handle.of(resource).passthrough() != null) {
            throw refused(
                    entry, "is a passthrough resource, whose state is the application's; register it as external");
        }
        if (entry.external instanceof Texture texture && texture.isSwapchainImage()) {
            throw refused(
                    entry,
                    "is an image of a swapchain, which is always left ready for PRESENT; do not ask for " + access);
        }
        if (access == Access.PRESENT && !(entry.external instanceof Texture texture && isPresentable(texture))) {
            throw refused(entry, NOT_PRESENTABLE);
        }
        leave(entry, access);
    }

    /** An engine's own images may be those of its own swapchain. */
    private static boolean isPresentable(Texture texture) {
        return texture.isSwapchainImage() || texture.imported() != null;
    }

    /** Leaves an image of a swapchain as presentation takes it. */
    public void present(RdgTexture image) {
        leave(entry(image), Access.PRESENT);
    }

    public void extract(RdgResource resource, Extraction extraction, @Nullable Access finalAccess) {
        Entry entry = entry(resource);
        if (entry.lifetime != Lifetime.TRANSIENT) {
            throw refused(
                    entry,
                    (entry.lifetime == Lifetime.EXTRACTED
                                    ? "is extracted twice"
                                    : entry.extraction instanceof Preallocation
                                            ? "is preallocated and goes back when the frame is done"
                                            : "is external and outlives the frame anyway")
                            + "; extract a transient once");
        }
        if (finalAccess == Access.PRESENT) {
            throw refused(entry, NOT_PRESENTABLE);
        }
        graph.noting().extract(resource.index(), finalAccess);
        entry.lifetime = Lifetime.EXTRACTED;
        entry.extraction = extraction;
        outside.set(entry.handle.index());
        entry.finalAccess = finalAccess;
    }

    /**
     * Returns what was made for a transient before, or null.
     *
     * @throws RdgException if it can have no memory before the frame
     */
    public @Nullable Resource preallocated(RdgResource resource) {
        Entry entry = entry(resource);
        if (entry.extraction instanceof Preallocation known) {
            known.requireKept();
            return known.resource();
        }
        if (entry.lifetime != Lifetime.TRANSIENT) {
            throw refused(
                    entry,
                    entry.lifetime == Lifetime.EXTRACTED
                            ? "is extracted and cannot be preallocated; register a resource of the application's"
                            : "is not of the frame, so there is nothing to preallocate; take the resource itself");
        }
        GraphDeclaration.Immediate immediate = graph.immediate();
        if (immediate != null && immediate.hasMade(resource.index())) {
            throw refused(
                    entry,
                    "is preallocated after passes that use it, which have run already in immediate mode; preallocate"
                            + " it before the first of them");
        }
        return null;
    }

    /** Makes a transient an external that the executor takes back. */
    public void preallocate(RdgResource resource, Preallocation made) {
        Entry entry = entry(resource);
        graph.noting().preallocated(resource.index());
        entry.lifetime = Lifetime.EXTERNAL;
        entry.external = made.resource();
        entry.extraction = made;
        outside.set(entry.handle.index());
        externals.put(made.resource(), resource.index());
    }

    public void neverAlias(RdgResource resource) {
        Entry entry = entry(resource);
        if (entry.lifetime == Lifetime.EXTERNAL || entry.lifetime == Lifetime.HISTORY) {
            throw refused(entry, "is not of the frame and shares memory with nothing anyway; name a transient");
        }
        graph.noting().neverAlias(resource.index());
        entry.sharesMemory = false;
    }

    /** What a pass that may be left out writes keeps its memory to itself: what was there before would be another's. */
    void keepApart(List<DeclaredGraph.Use> ofPass) {
        for (DeclaredGraph.Use use : ofPass) {
            if (use.resource() >= 0 && use.access().writes()) {
                entries.get(use.resource()).sharesMemory = false;
            }
        }
    }

    List<DeclaredGraph.Declared> declared() {
        List<DeclaredGraph.Declared> result = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            result.add(entry.declared());
        }
        return result;
    }

    /** Returns the shape of a texture, or null for a buffer. */
    @Nullable
    TextureDescription texture(int index) {
        return handles.get(index) instanceof RdgTexture texture ? texture.description() : null;
    }

    public RdgResource handle(int index) {
        return handles.get(index);
    }

    /** Returns what is bound to a plan for one frame, in order. */
    public List<Outside> outside() {
        if (outside.isEmpty()) {
            return List.of();
        }
        List<Outside> result = new ArrayList<>(outside.cardinality());
        for (int index = outside.nextSetBit(0); index >= 0; index = outside.nextSetBit(index + 1)) {
            Entry entry = entries.get(index);
            result.add(new Outside(index, entry.external, entry.extraction));
        }
        return result;
    }

    /** Returns by resource where it was declared; nothing if the graph does not keep that. */
    public @Nullable String[] sites() {
        return graph.keepsSites() ? entries.stream().map(entry -> entry.site).toArray(String[]::new) : NO_SITES;
    }

    public void mayStayUnused(RdgResource resource) {
        // Plans may have the empty one.
        BitSet more = (BitSet) unwarned.clone();
        more.set(entry(resource).handle.index());
        unwarned = more;
    }

    /** Returns the resources that may stay unused, as declared until now. */
    public BitSet unwarned() {
        return unwarned;
    }

    /** Returns where a resource was declared, as the end of a message. */
    public String siteSuffix(RdgResource resource) {
        return DeclarationSite.suffix(entry(resource).site);
    }

    private Entry register(RdgResource handle, Lifetime lifetime, Resource external, TextureLayout initialLayout) {
        Entry entry = add(handle, lifetime, external, initialLayout);
        DeclarationJournal journal = graph.noting();
        journal.external(handle.name(), entry.shape(), lifetime, initialLayout);
        journal.sharing(entry.sharing());
        outside.set(handle.index());
        externals.put(external, handle.index());
        return entry;
    }

    private @Nullable Entry find(Resource resource) {
        int index = externals.find(resource);
        return index < 0 ? null : entries.get(index);
    }

    private void requireSame(Entry known, Resource again, TextureLayout current, boolean passthrough) {
        if (known.initialLayout != current) {
            throw refused(
                    known,
                    "was registered in layout " + known.initialLayout + " and is registered again"
                            + (again == known.external ? "" : " as '" + again.name() + "'") + " in layout " + current
                            + "; a texture has one layout when the frame starts");
        }
        if (known.lifetime != Lifetime.EXTERNAL || (Handle.of(known.handle).passthrough() != null) != passthrough) {
            throw refused(known, "was registered in another way before; register it once as what it is");
        }
    }

    private RdgException refused(Entry entry, String why) {
        return new RdgException("graph '" + graph.name() + "': '" + entry.handle.name() + "'"
                + DeclarationSite.suffix(entry.site) + " " + why);
    }

    private Entry entry(RdgResource resource) {
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
        return entries.get(resource.index());
    }
}
