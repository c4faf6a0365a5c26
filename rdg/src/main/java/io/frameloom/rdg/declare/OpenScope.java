package io.frameloom.rdg.declare;

import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassScope;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A scope of one graph. */
public final class OpenScope extends PassScope {
    private final GraphDeclaration graph;
    private final @Nullable OpenScope outer;
    private final int index;
    private final Set<PassFlag> flags;
    private final @Nullable String site;

    /**
     * A scope.
     *
     * @param index index of the innermost scope with a label, or -1
     * @param flags what its passes get, those of the outer scopes included
     */
    OpenScope(
            GraphDeclaration graph,
            String name,
            @Nullable OpenScope outer,
            int index,
            Set<PassFlag> flags,
            @Nullable String site) {
        super(name);
        this.graph = graph;
        this.outer = outer;
        this.index = index;
        this.flags = flags;
        this.site = site;
    }

    @Override
    public void close() {
        graph.scopes().close(this);
    }

    /** Returns whether a scope that is opened is what this one was. */
    boolean isAgain(
            String otherName, @Nullable OpenScope inside, int at, Set<PassFlag> otherFlags, @Nullable String openedAt) {
        return outer == inside
                && index == at
                && name().equals(otherName)
                && flags.equals(otherFlags)
                && Objects.equals(site, openedAt);
    }

    @Nullable
    OpenScope outer() {
        return outer;
    }

    int index() {
        return index;
    }

    Set<PassFlag> flags() {
        return flags;
    }

    String described() {
        return "'" + name() + "'" + DeclarationSite.suffix(site);
    }
}
