package io.frameloom.rdg.compile.memory;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.internal.MaskSet;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.compile.graph.CompletedShapes;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.renderpass.LazyTargets;
import io.frameloom.rdg.declare.AccessUsage;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the resources of a graph are made as, and what placing them takes. The usage of those that the graph creates is
 * completed with what the accesses of live passes need. The sizer says what that takes, unless it is declared.
 *
 * <p>The first resource that the device does not have ends in an exception that knows nothing of graphs. {@link
 * #refusals} then asks for all of them again, so that no time goes into names and places of sound ones.
 */
public final class TransientSizes {
    /** Slots of {@link #sized}, a power of two. */
    private static final int SIZED = 1024;

    private static final int DRAWN = MemoryAccess.mask(MemoryAccess.COLOR_WRITE, MemoryAccess.DEPTH_WRITE);

    private final DeclaredGraph graph;
    /** By resource the description of a texture or a buffer with the usage that it needs. */
    public final @Nullable Object[] shapes;

    private final LazyTargets lazy;
    private final Lifetimes lifetimes;
    private final MemorySizer sizer;
    private final long mostBytes;
    /** By resource the place of what is described alike, as {@link CompletedShapes#place} says. */
    private final int[] places;
    /** By the lowest bits of a place the last resource that was sized, or -1. */
    private final int[] sized;

    public TransientSizes(
            DeclaredGraph graph, LazyTargets lazy, Lifetimes lifetimes, MemorySizer sizer, Scratch scratch) {
        this.graph = graph;
        this.sized = scratch.ints(SIZED, -1);
        this.places = scratch.ints(graph.resources());
        this.shapes = completed(graph, lazy, lifetimes, scratch.shapes, places);
        this.lazy = lazy;
        this.lifetimes = lifetimes;
        this.sizer = sizer;
        this.mostBytes = sizer.maxHeapBytes();
    }

    private static @Nullable Object[] completed(
            DeclaredGraph graph, LazyTargets lazy, Lifetimes lifetimes, CompletedShapes known, int[] places) {
        @Nullable Object[] completed = new Object[graph.resources()];
        List<RdgError> errors = List.of();
        for (int r = 0; r < completed.length; r++) {
            TextureDescription texture = graph.texture(r);
            BufferDescription buffer = graph.buffer(r);
            int mask = lifetimes.accesses(r);
            Access finalAccess = graph.finalAccess(r);
            if (finalAccess != null) {
                mask |= AccessUsage.of(finalAccess);
            }
            if (graph.isLocal(r)) {
                mask = local(graph, r, mask);
            }
            boolean external = graph.isExternal(r);
            if (texture != null) {
                if (lacksAttachment(graph, r, texture, mask)) {
                    errors = errors.isEmpty() ? new ArrayList<>() : errors;
                    errors.add(noAttachment(graph, r, texture));
                    continue;
                }
                completed[r] = external ? texture : lazy.described(r, known.texture(texture, mask));
            } else if (buffer != null) {
                completed[r] = external ? buffer : known.buffer(buffer, mask);
            }
            places[r] = known.place();
        }
        if (!errors.isEmpty()) {
            throw new RdgValidationException(graph.name(), errors);
        }
        return completed;
    }

    /** Returns the accesses of a texture that is read where it is attached: that is no sampling. */
    private static int local(DeclaredGraph graph, int resource, int accesses) {
        Access finalAccess = graph.finalAccess(resource);
        int sampled = finalAccess == null ? 0 : AccessUsage.of(finalAccess);
        for (int use = 0; use < graph.uses(); use++) {
            sampled |= graph.resource(use) == resource ? AccessUsage.of(graph.access(use)) : 0;
        }
        return AccessUsage.LOCAL_READ | (accesses & (sampled | ~MemoryAccess.SAMPLED_READ.bit()));
    }

    /** Returns whether a texture has several samples and passes use it, but none of them as an attachment. */
    private static boolean lacksAttachment(
            DeclaredGraph graph, int resource, TextureDescription texture, int accesses) {
        if (texture.samples() == 1 || accesses == 0 || graph.isExternal(resource)) {
            return false;
        }
        int usage = MaskSet.mask(texture.usage()) | AccessUsage.textureMask(texture, accesses);
        return (usage & AccessUsage.textureMask(texture, DRAWN)) == 0;
    }

    private static RdgError noAttachment(DeclaredGraph graph, int resource, TextureDescription texture) {
        String name = graph.names().resource(resource);
        String site = graph.resourceSite(resource);
        return new RdgError(
                Code.USAGE,
                "",
                name,
                "texture '" + name + "' has " + texture.samples()
                        + " samples, which it gets as an attachment, but is the attachment of no pass",
                "draw to it in a raster pass, or give it one sample",
                site == null ? List.of() : List.of(site));
    }

    /** Returns the most bytes of a heap. */
    long mostBytes() {
        return mostBytes;
    }

    /** Returns whether a resource stays on tiles, and so gets no place in a heap. */
    boolean isLazy(int resource) {
        return lazy.isLazy(resource);
    }

    /**
     * Returns what a transient takes, or null if it is not of heaps or tiles. Equal descriptions, which mostly are one
     * object, take the same, so few are asked for.
     *
     * @param known what was found for the resources before
     * @throws IllegalArgumentException if the device does not have the resource
     */
    @Nullable
    MemoryRequirements of(int resource, @Nullable MemoryRequirements[] known) {
        if (graph.isExternal(resource) || !lifetimes.isUsed(resource)) {
            return null;
        }
        if (!graph.isPlaced(resource) && !(lazy.isLazy(resource) && graph.lifetime(resource) == Lifetime.TRANSIENT)) {
            require(resource);
            return null;
        }
        MemoryRequirements said = graph.memory(resource);
        if (said != null) {
            return bounded(resource, said);
        }
        int slot = places[resource] & (SIZED - 1);
        int alike = sized[slot];
        if (alike >= 0 && shapes[alike] == shapes[resource]) {
            return known[alike];
        }
        MemoryRequirements asked = bounded(resource, requirements(resource));
        sized[slot] = resource;
        return asked;
    }

    private MemoryRequirements bounded(int resource, MemoryRequirements needed) {
        if (needed.bytes() > mostBytes && !lazy.isLazy(resource)) {
            throw new IllegalArgumentException(
                    (graph.isTexture(resource) ? "a texture" : "a buffer") + " that takes " + needed.bytes()
                            + " bytes of memory is too large; the device allocates " + mostBytes
                            + " bytes at once (maxAllocationBytes)");
        }
        return needed;
    }

    private MemoryRequirements requirements(int resource) {
        return shapes[resource] instanceof TextureDescription texture
                ? sizer.requirements(texture)
                : sizer.requirements(buffer(resource));
    }

    private void require(int resource) {
        if (shapes[resource] instanceof TextureDescription texture) {
            sizer.requireSupported(texture);
        } else {
            sizer.requireSupported(buffer(resource));
        }
    }

    private BufferDescription buffer(int resource) {
        if (shapes[resource] instanceof BufferDescription buffer) {
            return buffer;
        }
        throw new IllegalStateException("resource " + resource + " is neither texture nor buffer");
    }

    /** Returns an error for each resource that the device does not have, in order of declaration. */
    public List<RdgError> refusals(boolean[] live) {
        List<RdgError> errors = new ArrayList<>();
        @Nullable MemoryRequirements[] unused = new MemoryRequirements[graph.resources()];
        for (int resource = 0; resource < unused.length; resource++) {
            try {
                of(resource, unused);
            } catch (IllegalArgumentException refused) {
                errors.add(error(resource, String.valueOf(refused.getMessage()), live));
            }
        }
        return errors;
    }

    private RdgError error(int resource, String reason, boolean[] live) {
        boolean local = graph.isLocal(resource) && reason.contains(Access.INPUT_ATTACHMENT.name());
        int first = local ? firstReader(resource, live) : firstUser(resource, live);
        String pass = graph.names().pass(first);
        String name = graph.names().resource(resource);
        List<String> sites = new ArrayList<>(2);
        addTo(sites, graph.resourceSite(resource));
        addTo(sites, graph.site(first));
        return new RdgError(
                Code.UNSUPPORTED,
                pass,
                name,
                "the device does not have '" + name + "', which pass '" + pass + "' "
                        + (local ? "reads where it is attached: " : "uses first: ") + reason,
                local
                        ? "where the device cannot, read it as SAMPLED_FRAGMENT in a pass that does not attach it"
                        : "declare it within the limits of the device",
                sites);
    }

    private static void addTo(List<String> sites, @Nullable String site) {
        if (site != null) {
            sites.add(site);
        }
    }

    /** Returns the first pass that reads a texture where it is attached; its first user if none that runs does. */
    private int firstReader(int resource, boolean[] live) {
        for (int p = 0; p < live.length; p++) {
            for (int use = graph.firstUse(p); live[p] && use < graph.firstUse(p + 1); use++) {
                if (graph.resource(use) == resource && graph.access(use) == Access.INPUT_ATTACHMENT) {
                    return p;
                }
            }
        }
        return firstUser(resource, live);
    }

    private int firstUser(int resource, boolean[] live) {
        for (int p = 0; p < live.length; p++) {
            for (int use = graph.firstUse(p); live[p] && use < graph.firstUse(p + 1); use++) {
                if (graph.resource(use) == resource) {
                    return p;
                }
            }
        }
        throw new IllegalStateException("resource " + resource + " is used by no pass");
    }
}
