package io.frameloom.rdg.declare;

import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** The extents of one graph that textures can be sized after. */
public final class NamedExtents {
    private final GraphDeclaration graph;
    private final Map<String, int[]> extents = new HashMap<>(4);

    NamedExtents(GraphDeclaration graph) {
        this.graph = graph;
    }

    void clear() {
        extents.clear();
    }

    public void set(String name, int width, int height) {
        if (width < 1 || height < 1) {
            throw new RdgException(
                    "graph '" + graph.name() + "': extent '" + name + "' is at least 1x1, got " + width + "x" + height);
        }
        extents.put(name, new int[] {width, height});
    }

    /** Refuses a texture to be sized after that is none of the frame that is declared. */
    public void requireOfThisFrame(String texture, RdgTexture reference) {
        GraphDeclaration of = Handle.of(reference).graph();
        if (of != graph) {
            throw new RdgException("graph '" + graph.name() + "': texture '" + texture
                    + "' is to be sized after '" + reference.name() + "' of graph '" + of.name()
                    + "'; name a texture of this graph");
        }
        if (!graph.resources().has(reference)) {
            throw new RdgException("graph '" + graph.name() + "': texture '" + texture
                    + "' is to be sized after '" + reference.name()
                    + "' of a former frame of the graph, which was reset; name a texture of this frame");
        }
    }

    /** Returns the width and height of an extent. */
    public int[] named(String texture, String name) {
        int[] known = extents.get(name);
        if (known == null) {
            throw new RdgException("graph '" + graph.name() + "': texture '" + texture
                    + "' is to be sized after the extent '" + name + "', but there are only "
                    + new TreeSet<>(extents.keySet()) + "; call setExtent before");
        }
        return known;
    }
}
