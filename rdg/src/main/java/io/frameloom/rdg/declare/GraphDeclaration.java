package io.frameloom.rdg.declare;

import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgException;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one graph has declared until now: the {@link DeclaredGraph}, what its frame binds, and the handles by which both
 * are declared. One thread at a time.
 */
public final class GraphDeclaration {
    /** Runs each pass of a graph as soon as it is declared. */
    public interface Immediate {
        /** Runs the last pass of a graph. */
        void run(DeclaredGraph graph, BoundFrame bound);

        /** Returns whether a resource has memory already. */
        boolean hasMade(int resource);
    }

    private final boolean keepSites;
    private final @Nullable Immediate immediate;
    private final DeclaredGraph graph;
    private final BoundFrame bound = new BoundFrame();
    private final RedeclaredList<PassDeclaration> passes = new RedeclaredList<>(16);
    private final DeclaredResources resources = new DeclaredResources(this);
    private final ScopeStack scopes = new ScopeStack(this);
    private final NamedExtents extents = new NamedExtents(this);
    private boolean compiled;
    /** Whether any pass has a condition. */
    private boolean conditions;

    /** Changes with each reset. */
    private long frame;

    /**
     * An empty graph.
     *
     * @param keepSites whether the lines are kept that declare something
     * @param immediate runs the passes while they are declared, or null
     */
    public GraphDeclaration(String name, boolean keepSites, @Nullable Immediate immediate) {
        this.graph = new DeclaredGraph(name);
        this.keepSites = keepSites;
        this.immediate = immediate;
    }

    public String name() {
        return graph.name();
    }

    /** Forgets all that was declared. */
    public void reset(String newName) {
        frame++;
        bound.clear(graph.passes());
        graph.clear(newName);
        if (conditions) {
            passes.forEach(PassDeclaration::letGo);
            conditions = false;
        }
        passes.clear();
        resources.clear();
        extents.clear();
        scopes.clear();
        compiled = false;
    }

    /** Returns what stands for the frame that is declared: another number after each reset. */
    public long frame() {
        return frame;
    }

    /** Notes that a plan is made of the graph as it is. */
    public void compiled() {
        compiled = true;
    }

    public void requireUncompiled(String resource) {
        if (compiled) {
            throw new RdgException("'" + resource + "' cannot be preallocated, since graph '" + name()
                    + "' is compiled already and its plan has other memory for it; preallocate before compiling");
        }
    }

    /** Takes notice of a condition, which a pass without a body keeps. */
    void conditionGiven() {
        conditions = true;
    }

    /** Notes a pass whose declaration has ended. */
    void recorded(int pass, PassBody body) {
        bound.setBody(pass, body);
        if (immediate == null) {
            return;
        }
        if (pass != graph.passes() - 1) {
            throw new RdgException("graph '" + name() + "' runs in immediate mode: end the declaration of pass '"
                    + graph.names().pass(pass) + "' before that of '"
                    + graph.names().pass(pass + 1) + "' begins");
        }
        immediate.run(graph, bound);
    }

    /** Returns what runs the passes while they are declared, or null. */
    public @Nullable Immediate immediate() {
        return immediate;
    }

    /** Adds a pass: that of the former frame if that had one of this name and kind at this place. */
    public PassDeclaration addPass(String passName, PassKind kind) {
        int index = passes.size();
        PassDeclaration former = passes.former();
        PassDeclaration pass =
                former != null && former.is(passName, kind) ? former : new PassDeclaration(this, index, passName, kind);
        passes.add(pass);
        pass.begin(scopes.innermost());
        return pass;
    }

    /** Returns the names of the passes as they are now. */
    public List<String> passNames() {
        return new AbstractList<>() {
            @Override
            public String get(int index) {
                return graph.names().pass(Objects.checkIndex(index, graph.passes()));
            }

            @Override
            public int size() {
                return graph.passes();
            }
        };
    }

    public DeclaredResources resources() {
        return resources;
    }

    public ScopeStack scopes() {
        return scopes;
    }

    public NamedExtents extents() {
        return extents;
    }

    /** Returns what was declared until now, which goes on with the declaration; all scopes must be closed. */
    public DeclaredGraph declared() {
        scopes.requireClosed();
        return graph;
    }

    /** Returns where those that declare put it. */
    DeclaredGraph graph() {
        return graph;
    }

    /** Returns what the frame binds to its plan. */
    public BoundFrame bound() {
        return bound;
    }

    /** Returns the line of the application that calls, null unless lines are kept. */
    public @Nullable String site() {
        return keepSites ? DeclarationSite.ofCaller() : null;
    }
}
