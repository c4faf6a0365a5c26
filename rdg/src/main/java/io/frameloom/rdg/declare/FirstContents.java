package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ClearPasses;

/** The clear of the half of a history that no former frame has written. */
public final class FirstContents {
    private FirstContents() {}

    /** Clears a texture; red is the depth of depth formats. */
    public static void clear(RenderGraph graph, RdgTexture texture, ClearColor contents) {
        if (texture.description().format().isDepth()) {
            ClearPasses.depthStencil(graph, texture, (float) contents.red(), 0);
        } else {
            ClearPasses.texture(graph, texture, contents);
        }
    }

    public static void clear(RenderGraph graph, RdgBuffer buffer, int word) {
        ClearPasses.buffer(graph, buffer, word);
    }
}
