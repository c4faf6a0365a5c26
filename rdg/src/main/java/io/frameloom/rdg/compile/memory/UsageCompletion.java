package io.frameloom.rdg.compile.memory;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.renderpass.LazyTargets;
import io.frameloom.rdg.declare.DeclaredGraph;
import org.jspecify.annotations.Nullable;

/** Completes the usage of resources that the graph creates with what the accesses of the live passes need. */
public final class UsageCompletion {
    /** By resource the description of a texture or a buffer. */
    private final @Nullable Object[] completed;

    public UsageCompletion(DeclaredGraph graph, SubresourceMap map, boolean[] live, LazyTargets lazy, Scratch scratch) {
        int resources = graph.resources();
        completed = new Object[resources];
        scratch.shapes.reserve(resources);
        long mark = scratch.mark();
        int[] accesses = scratch.ints(resources, 0);
        for (int t = 0; t < map.touchPass.length; t++) {
            if (live[map.touchPass[t]]) {
                accesses[map.cellResource[map.touchCell[t]]] |= map.touchAccess[t];
            }
        }
        for (int r = 0; r < resources; r++) {
            TextureDescription texture = graph.texture(r);
            BufferDescription buffer = graph.buffer(r);
            int mask = accesses[r];
            Access finalAccess = graph.finalAccess(r);
            if (finalAccess != null) {
                mask |= finalAccess.memoryAccess();
            }
            boolean external = graph.isExternal(r);
            if (texture != null) {
                completed[r] = external ? texture : lazy.described(r, scratch.shapes.texture(r, texture, mask));
            } else if (buffer != null) {
                completed[r] = external ? buffer : scratch.shapes.buffer(r, buffer, mask);
            }
        }
        scratch.release(mark);
    }

    public @Nullable TextureDescription texture(int resource) {
        return completed[resource] instanceof TextureDescription texture ? texture : null;
    }

    public @Nullable BufferDescription buffer(int resource) {
        return completed[resource] instanceof BufferDescription buffer ? buffer : null;
    }
}
