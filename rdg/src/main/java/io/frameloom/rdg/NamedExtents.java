package io.frameloom.rdg;

import io.frameloom.gpu.resource.TextureDescription;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** The extents of one graph that textures can be sized after. */
final class NamedExtents {
    private final RenderGraph graph;
    private final Map<String, int[]> extents = new HashMap<>(4);

    NamedExtents(RenderGraph graph) {
        this.graph = graph;
    }

    void clear() {
        extents.clear();
    }

    void set(String name, int width, int height) {
        if (width < 1 || height < 1) {
            throw new RdgException(
                    "graph '" + graph.name() + "': extent '" + name + "' is at least 1x1, got " + width + "x" + height);
        }
        extents.put(name, new int[] {width, height});
    }

    /** Returns a shape with the width and height that a relative extent gives it. */
    TextureDescription resolve(String texture, RelativeExtent extent, TextureDescription shape) {
        RdgTexture reference = extent.texture();
        if (reference != null) {
            if (reference.graph() != graph) {
                throw new RdgException("graph '" + graph.name() + "': texture '" + texture
                        + "' is to be sized after '" + reference.name() + "' of graph '"
                        + reference.graph().name() + "'; name a texture of this graph");
            }
            if (!graph.resources().has(reference)) {
                throw new RdgException("graph '" + graph.name() + "': texture '" + texture
                        + "' is to be sized after '" + reference.name()
                        + "' of a former frame of the graph, which was reset; name a texture of this frame");
            }
            TextureDescription known = reference.description();
            return extent.resolve(known.width(), known.height(), shape);
        }
        int[] known = extents.get(extent.name());
        if (known == null) {
            throw new RdgException("graph '" + graph.name() + "': texture '" + texture
                    + "' is to be sized after the extent '" + extent.name() + "', but there are only "
                    + new TreeSet<>(extents.keySet()) + "; call setExtent before");
        }
        return extent.resolve(known[0], known[1], shape);
    }
}
