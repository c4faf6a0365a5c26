package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.RdgResource;
import org.jspecify.annotations.Nullable;

/** What graphs know of a resource and applications need not. */
public interface Handle {
    /** Returns the graph that has made it. */
    GraphDeclaration graph();

    /** Returns the layout of a passthrough texture, UNDEFINED for such a buffer, null for every other resource. */
    @Nullable
    TextureLayout passthrough();

    /** Returns what the graph knows of a resource. */
    static Handle of(RdgResource resource) {
        return (Handle) resource;
    }
}
