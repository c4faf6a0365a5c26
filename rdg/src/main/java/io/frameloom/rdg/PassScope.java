package io.frameloom.rdg;

/**
 * Passes that are declared together: opened by {@link RenderGraph#scope} or {@link RenderGraph#flagScope}, it takes the
 * passes that are declared until it is closed. Scopes nest and are closed innermost first. Unreal's RDG_EVENT_SCOPE and
 * RDG_GPU_STAT_SCOPE in one. The thread that declares the graph.
 */
public abstract class PassScope implements AutoCloseable {
    private final String name;

    /** For graphs alone, which open their scopes. */
    protected PassScope(String name) {
        this.name = name;
    }

    /** Returns the name; for a scope of flags alone these. */
    public final String name() {
        return name;
    }

    /**
     * Closes the scope.
     *
     * @throws RdgException if it is not the innermost open scope of its graph
     */
    @Override
    public abstract void close();

    @Override
    public final String toString() {
        return name;
    }
}
