package io.frameloom.rdg;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.compile.DeclaredGraph;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The resources of one graph: where each comes from, and what becomes of it after the frame. */
final class DeclaredResources {
    private static final String NOT_PRESENTABLE =
            "cannot be left ready for PRESENT: it is no image of a swapchain and not"
                    + " imported; register a SwapchainImage, or name another access";

    private final RenderGraph graph;
    private final List<Entry> entries = new ArrayList<>();
    private final Map<NativeKey, Entry> externals = new HashMap<>();
    /** Indices of the entries that come from outside or go there. */
    private final BitSet outside = new BitSet(0);

    /** Resources that nobody needs to use. */
    private BitSet unwarned = new BitSet(0);

    DeclaredResources(RenderGraph graph) {
        this.graph = graph;
    }

    /** Returns a hash of the shapes of all resources, in order. */
    int shapesHash() {
        int hash = 1;
        for (Entry entry : entries) {
            Object shape = entry.handle instanceof RdgTexture texture
                    ? texture.description()
                    : ((RdgBuffer) entry.handle).description();
            hash = 31 * hash + shape.hashCode();
        }
        return hash;
    }

    RdgTexture transientTexture(String name, TextureDescription description) {
        RdgTexture texture = new RdgTexture(graph, entries.size(), name, description, null);
        graph.noting().transientResource(name, description);
        entries.add(new Entry(texture, Lifetime.TRANSIENT, null, TextureLayout.UNDEFINED, graph.site()));
        return texture;
    }

    RdgBuffer transientBuffer(String name, BufferDescription description) {
        RdgBuffer buffer = new RdgBuffer(graph, entries.size(), name, description, null);
        graph.noting().transientResource(name, description);
        entries.add(new Entry(buffer, Lifetime.TRANSIENT, null, TextureLayout.UNDEFINED, graph.site()));
        return buffer;
    }

    RdgTexture external(Texture texture, TextureLayout current, boolean passthrough) {
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
        RdgTexture handle = new RdgTexture(
                graph, entries.size(), texture.name(), texture.description(), passthrough ? current : null);
        register(new Entry(handle, Lifetime.EXTERNAL, texture, current, graph.site()));
        return handle;
    }

    RdgBuffer external(Buffer buffer, boolean passthrough) {
        Entry known = find(buffer);
        if (known != null) {
            requireSame(known, buffer, TextureLayout.UNDEFINED, passthrough);
            return (RdgBuffer) known.handle;
        }
        RdgBuffer handle = new RdgBuffer(
                graph,
                entries.size(),
                buffer.name(),
                buffer.description(),
                passthrough ? TextureLayout.UNDEFINED : null);
        register(new Entry(handle, Lifetime.EXTERNAL, buffer, TextureLayout.UNDEFINED, graph.site()));
        return handle;
    }

    /** Registers one half of a history under a name of its own; what the former frame left has contents. */
    RdgTexture history(
            String name, Texture texture, Lifetime lifetime, TextureLayout current, Access rest, HistoryUse use) {
        requireUnregistered(texture);
        RdgTexture handle = new RdgTexture(graph, entries.size(), name, texture.description(), null);
        register(new Entry(handle, lifetime, texture, current, graph.site()), rest, use);
        return handle;
    }

    RdgBuffer history(String name, Buffer buffer, Lifetime lifetime, Access rest, HistoryUse use) {
        requireUnregistered(buffer);
        RdgBuffer handle = new RdgBuffer(graph, entries.size(), name, buffer.description(), null);
        register(new Entry(handle, lifetime, buffer, TextureLayout.UNDEFINED, graph.site()), rest, use);
        return handle;
    }

    private void register(Entry entry, Access rest, HistoryUse use) {
        register(entry);
        leave(entry, rest);
        entry.extraction = use;
        outside.set(entry.handle.index());
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
    @Nullable
    RdgResource findExternal(Resource resource) {
        Entry entry = find(resource);
        return entry == null || entry.lifetime != Lifetime.EXTERNAL ? null : entry.handle;
    }

    void finalAccess(RdgResource resource, Access access) {
        Entry entry = entry(resource);
        if (entry.lifetime == Lifetime.TRANSIENT) {
            throw refused(
                    entry, "is transient, nothing is left of it after the frame; extract it or register an external");
        }
        if (resource.passthrough() != null) {
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
    void present(RdgTexture image) {
        leave(entry(image), Access.PRESENT);
    }

    void extract(RdgResource resource, Extraction extraction, @Nullable Access finalAccess) {
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
    @Nullable
    Resource preallocated(RdgResource resource) {
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
        ImmediateRun immediate = graph.immediate();
        if (immediate != null && immediate.hasMade(resource.index())) {
            throw refused(
                    entry,
                    "is preallocated behind passes that use it, which have run already in immediate mode; preallocate"
                            + " it before the first of them");
        }
        return null;
    }

    /** Makes a transient an external that the executor takes back. */
    void preallocate(RdgResource resource, Preallocation made) {
        Entry entry = entry(resource);
        graph.noting().preallocated(resource.index());
        entry.lifetime = Lifetime.EXTERNAL;
        entry.external = made.resource();
        entry.extraction = made;
        outside.set(entry.handle.index());
        externals.put(new NativeKey(made.resource()), entry);
    }

    void neverAlias(RdgResource resource) {
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
        return entries.get(index).handle instanceof RdgTexture texture ? texture.description() : null;
    }

    RdgResource handle(int index) {
        return entries.get(index).handle;
    }

    /** Returns what is bound to a plan for one frame, in order. */
    List<PlanBindings.Outside> outside() {
        List<PlanBindings.Outside> result = new ArrayList<>(outside.cardinality());
        for (int index = outside.nextSetBit(0); index >= 0; index = outside.nextSetBit(index + 1)) {
            Entry entry = entries.get(index);
            result.add(new PlanBindings.Outside(index, entry.external, entry.extraction));
        }
        return result;
    }

    /** Returns by resource where it was declared; nothing if the graph does not keep that. */
    @Nullable
    String[] sites() {
        return graph.keepsSites() ? entries.stream().map(entry -> entry.site).toArray(String[]::new) : new String[0];
    }

    void mayStayUnused(RdgResource resource) {
        // Plans may have the empty one.
        BitSet more = (BitSet) unwarned.clone();
        more.set(entry(resource).handle.index());
        unwarned = more;
    }

    /** Returns the resources that nobody needs to use, as said until now. */
    BitSet unwarned() {
        return unwarned;
    }

    /** Returns where a resource was declared, as the end of a message. */
    String siteSuffix(RdgResource resource) {
        return DeclarationSite.suffix(entry(resource).site);
    }

    private void register(Entry entry) {
        Object description = entry.handle instanceof RdgTexture texture
                ? texture.description()
                : ((RdgBuffer) entry.handle).description();
        graph.noting().external(entry.handle.name(), description, entry.lifetime, entry.initialLayout);
        graph.noting().sharing(DeclaredGraph.Sharing.of(entry.external()));
        entries.add(entry);
        outside.set(entry.handle.index());
        externals.put(new NativeKey(entry.external()), entry);
    }

    private @Nullable Entry find(Resource resource) {
        return externals.get(new NativeKey(resource));
    }

    private void requireSame(Entry known, Resource again, TextureLayout current, boolean passthrough) {
        if (known.initialLayout != current) {
            throw refused(
                    known,
                    "was registered in layout " + known.initialLayout + " and is registered again"
                            + (again == known.external ? "" : " as '" + again.name() + "'") + " in layout " + current
                            + "; a texture has one layout when the frame starts");
        }
        if (known.lifetime != Lifetime.EXTERNAL || (known.handle.passthrough() != null) != passthrough) {
            throw refused(known, "was registered in another way before; register it once as what it is");
        }
    }

    private RdgException refused(Entry entry, String why) {
        return new RdgException("graph '" + graph.name() + "': '" + entry.handle.name() + "'"
                + DeclarationSite.suffix(entry.site) + " " + why);
    }

    private Entry entry(RdgResource resource) {
        if (resource.graph() != graph) {
            throw new RdgException("graph '" + graph.name() + "': '" + resource.name() + "' belongs to graph '"
                    + resource.graph().name() + "'; declare it in this graph or register it as an external");
        }
        return entries.get(resource.index());
    }

    /** The identity of a native resource: what the driver knows it by, else the object. */
    private record NativeKey(Resource resource) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof NativeKey key
                    && (resource == key.resource
                            || (resource.nativeHandle() != 0
                                    && resource.nativeHandle() == key.resource.nativeHandle()
                                    && resource instanceof Texture == key.resource instanceof Texture));
        }

        @Override
        public int hashCode() {
            long handle = resource.nativeHandle();
            return handle != 0 ? Long.hashCode(handle) : System.identityHashCode(resource);
        }
    }

    private static final class Entry {
        private final RdgResource handle;
        private @Nullable Resource external;
        private final TextureLayout initialLayout;
        private final @Nullable String site;
        private Lifetime lifetime;
        private @Nullable Access finalAccess;
        private @Nullable Extraction extraction;
        private boolean discardedAfter;
        private boolean sharesMemory = true;

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

        private Resource external() {
            if (external == null) {
                throw new IllegalStateException("'" + handle.name() + "' has no native resource");
            }
            return external;
        }

        private DeclaredGraph.Sharing sharing() {
            if (external != null) {
                return DeclaredGraph.Sharing.of(external);
            }
            return DeclaredGraph.Sharing.of(
                    handle instanceof RdgTexture texture
                            ? texture.description().sharing()
                            : ((RdgBuffer) handle).description().sharing());
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
                    sharesMemory,
                    site,
                    sharing(),
                    discardedAfter);
        }
    }
}
