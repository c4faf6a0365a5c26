package io.frameloom.rdg.declare;

import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.RdgException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The open scopes of one graph. */
public final class ScopeStack {
    private static final Set<PassFlag> ALLOWED =
            EnumSet.of(PassFlag.NEVER_CULL, PassFlag.NEVER_MERGE, PassFlag.NEVER_PARALLEL, PassFlag.UNTRACKED_ACCESS);

    private final GraphDeclaration graph;
    private final RedeclaredList<OpenScope> opened = new RedeclaredList<>(4);
    private @Nullable OpenScope innermost;

    ScopeStack(GraphDeclaration graph) {
        this.graph = graph;
    }

    public OpenScope open(String name, boolean label, Set<PassFlag> flags) {
        if (!flags.isEmpty() && !ALLOWED.containsAll(flags)) {
            throw new RdgException("graph '" + graph.name() + "': a scope of the flags " + flags
                    + " is not possible, only of " + ALLOWED + "; set other flags on the passes");
        }
        int parent = innermost == null ? -1 : innermost.index();
        int index = label ? graph.graph().addScope(name, parent) : parent;
        Set<PassFlag> all = withOuter(flags);
        String site = graph.site();
        OpenScope former = opened.former();
        OpenScope scope = former != null && former.isAgain(name, innermost, index, all, site)
                ? former
                : new OpenScope(graph, name, innermost, index, all, site);
        opened.add(scope);
        innermost = scope;
        return scope;
    }

    private Set<PassFlag> withOuter(Set<PassFlag> flags) {
        if (flags.isEmpty()) {
            return innermost == null ? flags : innermost.flags();
        }
        Set<PassFlag> all = EnumSet.copyOf(flags);
        if (innermost != null) {
            all.addAll(innermost.flags());
        }
        return all;
    }

    /** Forgets the scopes; those that are open cannot be closed any longer. */
    void clear() {
        opened.clear();
        innermost = null;
    }

    void close(OpenScope scope) {
        if (innermost != scope) {
            throw new RdgException("graph '" + graph.name() + "': scope " + scope.described() + " is closed, but "
                    + (innermost == null ? "no scope is open" : "the innermost open scope is " + innermost.described())
                    + "; close scopes once and innermost first");
        }
        innermost = scope.outer();
    }

    @Nullable
    OpenScope innermost() {
        return innermost;
    }

    void requireClosed() {
        if (innermost != null) {
            throw new RdgException("graph '" + graph.name() + "': scope " + innermost.described()
                    + " is still open; close it before the graph is compiled");
        }
    }
}
