package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.RdgTexture;

/** A texture of one graph, which knows that graph. */
public final class DeclaredTexture extends RdgTexture implements Handle {
    private final GraphDeclaration graph;

    public DeclaredTexture(GraphDeclaration graph, int index, String name, TextureDescription description) {
        super(index, name, description);
        this.graph = graph;
    }

    /** Returns whether a declaration says what this one did; views are kept for it. */
    boolean isAgain(String otherName, TextureDescription otherShape) {
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
