package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.command.Access;
import io.frameloom.rdg.declare.DeclaredGraph;

/**
 * Copies to textures of depth and stencil: those from buffers take a graphics queue ("Copying Data Between Buffers and
 * Images").
 */
public final class DepthCopies {
    private DepthCopies() {}

    /** Returns the first use of a pass by which it copies to depth or stencil, or -1. */
    public static int target(DeclaredGraph graph, int pass) {
        return first(graph, pass, Access.COPY_DST);
    }

    /** Returns the same, or -1 if a texture of depth or stencil may be what is copied, which any queue can do. */
    public static int targetOfBuffers(DeclaredGraph graph, int pass) {
        int target = target(graph, pass);
        return target < 0 || first(graph, pass, Access.COPY_SRC) >= 0 ? -1 : target;
    }

    private static int first(DeclaredGraph graph, int pass, Access access) {
        for (int use = graph.firstUse(pass), end = graph.firstUse(pass + 1); use < end; use++) {
            // What belongs to another graph is refused elsewhere.
            if (graph.access(use) == access && graph.resource(use) >= 0 && graph.isDepth(graph.resource(use))) {
                return use;
            }
        }
        return -1;
    }
}
