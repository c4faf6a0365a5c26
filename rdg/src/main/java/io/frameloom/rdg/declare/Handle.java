package io.frameloom.rdg.declare;

import io.frameloom.rdg.RdgResource;

/** What graphs know of a resource and applications need not. */
public interface Handle {
    GraphDeclaration graph();

    static Handle of(RdgResource resource) {
        return (Handle) resource;
    }
}
