package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.declare.DeclaredGraph;

/**
 * What uses are held against, as numbers by resource: descriptions would have to be looked up for each use. Lives in
 * scratch memory, until its user releases that.
 */
public final class ResourceShapes {
    /** As {@link SoundUses} counts them. */
    private final int[] kind;

    private final int[] external;
    private final int[] mips;
    private final int[] layers;
    private final int[] planes;
    /** Bytes of a buffer, -1 for a texture. */
    private final long[] bytes;

    private final int count;

    public ResourceShapes(DeclaredGraph graph, Scratch scratch) {
        int resources = graph.resources().size();
        count = resources;
        kind = scratch.ints(resources);
        external = scratch.ints(resources);
        mips = scratch.ints(resources);
        layers = scratch.ints(resources);
        planes = scratch.ints(resources);
        bytes = scratch.longs(resources);
        for (DeclaredGraph.Declared resource : graph.resources()) {
            int r = resource.index();
            TextureDescription texture = resource.texture();
            BufferDescription buffer = resource.buffer();
            kind[r] = SoundUses.shape(texture);
            external[r] = resource.isExternal() ? 1 : 0;
            mips[r] = texture == null ? 1 : texture.mips();
            layers[r] = texture == null ? 1 : texture.layers();
            planes[r] = texture == null ? 1 : texture.format().planes();
            bytes[r] = buffer == null ? -1 : buffer.bytes();
        }
    }

    /** Returns the number of resources. */
    int count() {
        return count;
    }

    /** Returns the bytes of a buffer, -1 for a texture. */
    long bytes(int resource) {
        return bytes[resource];
    }

    /** Returns the kind of a resource, as {@link SoundUses#shape} counts them. */
    int kind(int resource) {
        return kind[resource];
    }

    boolean isExternal(int resource) {
        return external[resource] != 0;
    }

    int mips(int resource) {
        return mips[resource];
    }

    int layers(int resource) {
        return layers[resource];
    }

    int planes(int resource) {
        return planes[resource];
    }

    /** Returns whether a use, of whatever graph, lies within a resource of this one. */
    public boolean contains(DeclaredGraph.Use use) {
        int r = use.resource();
        SubresourceRange range = use.range();
        if (r < 0 || (range == null && use.bytes() == -1)) {
            return r >= 0;
        }
        if (range != null && kind[r] != SoundUses.BUFFER) {
            return range.baseMip() + range.mipCount() <= mips[r]
                    && range.baseLayer() + range.layerCount() <= layers[r]
                    && range.basePlane() + range.planeCount() <= planes[r];
        }
        return bytes[r] < 0
                || use.bytes() == -1
                || (use.offset() >= 0 && use.bytes() >= 1 && use.offset() <= bytes[r] - use.bytes());
    }

    /** Returns whether a use that lies within its resource leaves out a part of it. */
    public boolean isPartial(DeclaredGraph.Use use) {
        int r = use.resource();
        SubresourceRange range = use.range();
        if (range != null) {
            return kind[r] == SoundUses.BUFFER
                    || range.mipCount() != mips[r]
                    || range.layerCount() != layers[r]
                    || range.planeCount() != planes[r];
        }
        return use.bytes() >= 0 && use.bytes() != bytes[r];
    }

    /** Fills a list with the uses of parts, in order, all of which lie within their resources; returns it. */
    public IntList partial(KnownPasses known, IntList uses) {
        for (int u = 0; u < known.use.length; u++) {
            if (isPartial(known.use[u])) {
                uses.add(u);
            }
        }
        return uses;
    }
}
