package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.Extraction;

/**
 * What the executor made for a graph before it executes it. It is given back when the frame is done, or when the graph
 * is not executed for too long.
 */
public final class Preallocation implements Extraction {
    private final Resource resource;
    private final long sinceGraph;
    private boolean executed;
    private boolean expired;

    /**
     * Something that was made.
     *
     * @param sinceGraph how many graphs were executed before
     */
    Preallocation(Resource resource, long sinceGraph) {
        this.resource = resource;
        this.sinceGraph = sinceGraph;
    }

    @Override
    public String name() {
        return resource.name();
    }

    public Resource resource() {
        return resource;
    }

    long sinceGraph() {
        return sinceGraph;
    }

    public void requireUnresolved() {
        if (executed) {
            throw new IllegalStateException("preallocated '" + resource.name()
                    + "' was given back by this plan before: declare a new graph per frame");
        }
        requireKept();
    }

    /** Checks that no other frame may have it by now. */
    public void requireKept() {
        if (expired) {
            throw new IllegalStateException("preallocated '" + resource.name()
                    + "' was given back, since its graph was not executed while many others were: execute the graph"
                    + " sooner, or let the executor keep more with frameloom.rdg.poolFrames");
        }
    }

    void resolve() {
        executed = true;
    }

    void expire() {
        expired = true;
    }
}
