package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.RdgBuffer;
import org.jspecify.annotations.Nullable;

/** A buffer of one graph, which knows that graph. */
public final class DeclaredBuffer extends RdgBuffer implements Handle {
    private final GraphDeclaration graph;
    private final @Nullable TextureLayout passthrough;

    public DeclaredBuffer(
            GraphDeclaration graph,
            int index,
            String name,
            BufferDescription description,
            @Nullable TextureLayout passthrough) {
        super(index, name, description);
        this.graph = graph;
        this.passthrough = passthrough;
    }

    /** Returns whether a declaration says what this one did; views are kept for it. */
    boolean isAgain(String otherName, BufferDescription otherShape, @Nullable TextureLayout otherPassthrough) {
        if (passthrough != otherPassthrough
                || !name().equals(otherName)
                || !description().equals(otherShape)) {
            return false;
        }
        dropManyViews();
        return true;
    }

    @Override
    public GraphDeclaration graph() {
        return graph;
    }

    @Override
    public @Nullable TextureLayout passthrough() {
        return passthrough;
    }

    @Override
    protected String graphName() {
        return graph.name();
    }

    @Override
    protected String site() {
        return graph.resources().siteSuffix(this);
    }
}
