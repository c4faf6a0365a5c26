package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.RdgTexture;
import org.jspecify.annotations.Nullable;

/** A texture of one graph, which knows that graph. */
public final class DeclaredTexture extends RdgTexture implements Handle {
    private final GraphDeclaration graph;
    private final @Nullable TextureLayout passthrough;

    public DeclaredTexture(
            GraphDeclaration graph,
            int index,
            String name,
            TextureDescription description,
            @Nullable TextureLayout passthrough) {
        super(index, name, description);
        this.graph = graph;
        this.passthrough = passthrough;
    }

    /** Returns whether a declaration says what this one did; views are kept for it. */
    boolean isAgain(String otherName, TextureDescription otherShape, @Nullable TextureLayout otherPassthrough) {
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
