package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.rdg.RdgBuffer;

/** A buffer of one graph, which knows that graph. */
public final class DeclaredBuffer extends RdgBuffer implements Handle {
    private final GraphDeclaration graph;

    public DeclaredBuffer(GraphDeclaration graph, int index, String name, BufferDescription description) {
        super(index, name, description);
        this.graph = graph;
    }

    /** Returns whether a declaration says what this one did; views are kept for it. */
    boolean isAgain(String otherName, BufferDescription otherShape) {
        boolean again = name().equals(otherName) && description().equals(otherShape);
        if (again) {
            dropManyViews();
        }
        return again;
    }

    @Override
    public GraphDeclaration graph() {
        return graph;
    }
}
