package io.frameloom.rdg;

import io.frameloom.gpu.Resource;

/** What the executor made for a graph before it executes it: given back when the frame is done. */
final class Preallocation implements Extraction {
    private final Resource resource;
    private boolean executed;

    Preallocation(Resource resource) {
        this.resource = resource;
    }

    @Override
    public String name() {
        return resource.name();
    }

    Resource resource() {
        return resource;
    }

    void requireUnresolved() {
        if (executed) {
            throw new IllegalStateException("preallocated '" + resource.name()
                    + "' was given back by this plan before: declare a new graph per frame");
        }
    }

    void resolve() {
        executed = true;
    }
}
