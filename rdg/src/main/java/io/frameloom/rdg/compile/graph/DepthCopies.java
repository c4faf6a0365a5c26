package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies to textures of depth and stencil: those from buffers take a graphics queue ("Copying Data Between Buffers and
 * Images").
 */
public final class DepthCopies {
    private DepthCopies() {}

    /** Returns the first use of a pass by which it copies to depth or stencil, or null. */
    public static DeclaredGraph.@Nullable Use target(DeclaredGraph graph, DeclaredGraph.Pass pass) {
        return first(graph, pass, Access.COPY_DST);
    }

    /** Returns the same, or null if a texture of depth or stencil may be what is copied, which any queue can do. */
    public static DeclaredGraph.@Nullable Use targetOfBuffers(DeclaredGraph graph, DeclaredGraph.Pass pass) {
        DeclaredGraph.Use target = target(graph, pass);
        return target == null || first(graph, pass, Access.COPY_SRC) != null ? null : target;
    }

    private static DeclaredGraph.@Nullable Use first(DeclaredGraph graph, DeclaredGraph.Pass pass, Access access) {
        List<DeclaredGraph.Use> uses = pass.uses();
        for (int u = 0, n = uses.size(); u < n; u++) {
            DeclaredGraph.Use use = uses.get(u);
            // What belongs to another graph is refused elsewhere.
            if (use.access() == access && use.resource() >= 0) {
                TextureDescription texture =
                        graph.resources().get(use.resource()).texture();
                if (texture != null && texture.format().isDepth()) {
                    return use;
                }
            }
        }
        return null;
    }
}
