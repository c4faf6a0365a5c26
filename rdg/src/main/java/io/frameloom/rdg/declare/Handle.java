package io.frameloom.rdg.declare;

import io.frameloom.rdg.RdgResource;

/** What graphs know of a resource and applications need not. */
public interface Handle {
    /** Returns the graph that has made it. */
    GraphDeclaration graph();

    /** Returns what the graph knows of a resource. */
    static Handle of(RdgResource resource) {
        return (Handle) resource;
    }
}
