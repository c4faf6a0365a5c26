package io.frameloom.rdg;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Passes that are declared together: opened by {@link RenderGraph#scope} or {@link RenderGraph#flagScope}, it takes the
 * passes that are declared until it is closed. Scopes nest and are closed innermost first. Unreal's RDG_EVENT_SCOPE and
 * RDG_GPU_STAT_SCOPE in one. The thread that declares the graph.
 */
public final class PassScope implements AutoCloseable {
    private final RenderGraph graph;
    private final String name;
    private final @Nullable PassScope outer;
    private final int index;
    private final Set<PassFlag> flags;
    private final @Nullable String site;

    /**
     * A scope.
     *
     * @param index index of the innermost scope with a label, or -1
     * @param flags what its passes get, those of the outer scopes included
     */
    PassScope(
            RenderGraph graph,
            String name,
            @Nullable PassScope outer,
            int index,
            Set<PassFlag> flags,
            @Nullable String site) {
        this.graph = graph;
        this.name = name;
        this.outer = outer;
        this.index = index;
        this.flags = flags;
        this.site = site;
    }

    /** Returns the name; for a scope of flags alone these. */
    public String name() {
        return name;
    }

    /**
     * Closes the scope.
     *
     * @throws RdgException if it is not the innermost open scope of its graph
     */
    @Override
    public void close() {
        graph.close(this);
    }

    /** Returns whether a scope that is opened is what this one was. */
    boolean isAgain(
            String otherName, @Nullable PassScope inside, int at, Set<PassFlag> otherFlags, @Nullable String openedAt) {
        return outer == inside
                && index == at
                && name.equals(otherName)
                && flags.equals(otherFlags)
                && Objects.equals(site, openedAt);
    }

    @Nullable
    PassScope outer() {
        return outer;
    }

    int index() {
        return index;
    }

    Set<PassFlag> flags() {
        return flags;
    }

    String described() {
        return "'" + name + "'" + DeclarationSite.suffix(site);
    }

    @Override
    public String toString() {
        return name;
    }
}
