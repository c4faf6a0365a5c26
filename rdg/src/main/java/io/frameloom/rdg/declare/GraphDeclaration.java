package io.frameloom.rdg.declare;

import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one graph has declared until now: its passes, resources and scopes. One thread at a time. */
public final class GraphDeclaration {
    /** Runs each pass of a graph as soon as it is declared. */
    public interface Immediate {
        /** Runs the last pass of a graph. */
        void run(DeclaredGraph graph);

        /** Returns whether a resource has memory already. */
        boolean hasMade(int resource);
    }

    private static final int PASSES = 16;

    private String name;
    private final boolean keepSites;
    private final @Nullable Immediate immediate;
    private final DeclarationJournal journal = new DeclarationJournal();
    private final RedeclaredList<PassDeclaration> passes = new RedeclaredList<>(PASSES);
    /** By pass its body alone, null if it has none yet. */
    private @Nullable PassBody[] bodies = new PassBody[PASSES];
    /** Whether every pass until now is bound to a plan by its body alone. */
    private boolean onlyBodies = true;

    private final DeclaredResources resources = new DeclaredResources(this);
    private final ScopeStack scopes = new ScopeStack(this);
    private final NamedExtents extents = new NamedExtents(this);
    private boolean compiled;
    /** What was declared, until more is: made when the graph is compiled, for this time and the next. */
    private @Nullable DeclaredGraph declared;

    /** Changes with each reset. */
    private long frame;

    /**
     * An empty graph.
     *
     * @param keepSites whether the lines are kept that declare something
     * @param immediate runs the passes while they are declared, or null
     */
    public GraphDeclaration(String name, boolean keepSites, @Nullable Immediate immediate) {
        this.name = name;
        this.keepSites = keepSites;
        this.immediate = immediate;
    }

    public String name() {
        return name;
    }

    /** Forgets all that was declared. */
    public void reset(String newName) {
        name = newName;
        frame++;
        clearPasses();
        resources.clear();
        extents.clear();
        scopes.clear();
        journal.clear();
        declared = null;
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
            throw new RdgException("'" + resource + "' cannot be preallocated, since graph '" + name
                    + "' is compiled already and its plan has other memory for it; preallocate before compiling");
        }
    }

    /**
     * Takes notice of a pass to which a plan is bound by more than its body: a condition, uniform buffers, setup tasks.
     */
    void notOnlyBody() {
        declared = null;
        onlyBodies = false;
    }

    /** Returns whether plans are bound to the passes by their bodies alone. */
    public boolean hasOnlyBodies() {
        return onlyBodies && !keepSites;
    }

    /** Notes a pass whose declaration has ended. */
    void recorded(int pass, PassBody body) {
        bodies[pass] = body;
        if (immediate == null) {
            return;
        }
        if (pass != passes.size() - 1) {
            throw new RdgException("graph '" + name + "' runs in immediate mode: end the declaration of pass '"
                    + passes.get(pass).name() + "' before that of '"
                    + passes.get(pass + 1).name() + "' begins");
        }
        immediate.run(soFar());
    }

    /** Returns what runs the passes while they are declared, or null. */
    public @Nullable Immediate immediate() {
        return immediate;
    }

    /** Returns what was declared until now; all scopes must be closed. */
    public DeclarationJournal journal() {
        scopes.requireClosed();
        return journal;
    }

    /** Returns where those that declare note it, before or after what they declare. */
    public DeclarationJournal noting() {
        declared = null;
        return journal;
    }

    /** Adds a pass: that of the former frame if that had one of this name and kind at this place. */
    public PassDeclaration addPass(String passName, PassKind kind) {
        int index = passes.size();
        PassDeclaration former = passes.former();
        PassDeclaration pass =
                former != null && former.is(passName, kind) ? former : new PassDeclaration(this, index, passName, kind);
        passes.add(pass);
        if (index == bodies.length) {
            bodies = Arrays.copyOf(bodies, 2 * index);
        }
        pass.begin(scopes.innermost(), site());
        return pass;
    }

    /** Returns the passes of this frame in order of declaration; not to be changed. */
    public List<PassDeclaration> passes() {
        return passes;
    }

    /** Returns the bodies of the passes, null for those that have none. The array may be longer; not to be changed. */
    public @Nullable PassBody[] bodies() {
        return bodies;
    }

    /** Returns the names of the passes as they are now. */
    public List<String> passNames() {
        return new AbstractList<>() {
            @Override
            public String get(int index) {
                return passes.get(index).name();
            }

            @Override
            public int size() {
                return passes.size();
            }
        };
    }

    /** Forgets the passes, and lets go of all that the application gave them to run. */
    private void clearPasses() {
        Arrays.fill(bodies, 0, passes.size(), null);
        if (!onlyBodies) {
            for (int i = 0; i < passes.size(); i++) {
                passes.get(i).letGo();
            }
        }
        passes.clear();
        onlyBodies = true;
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

    /** Returns what was declared until now; all scopes must be closed. */
    public DeclaredGraph declared() {
        scopes.requireClosed();
        return soFar();
    }

    private DeclaredGraph soFar() {
        DeclaredGraph known = declared;
        if (known == null) {
            List<DeclaredGraph.Pass> declaredPasses = new ArrayList<>(passes.size());
            for (int i = 0; i < passes.size(); i++) {
                PassDeclaration pass = passes.get(i);
                DeclaredGraph.Pass made = pass.declared();
                if (pass.isConditional()) {
                    resources.keepApart(made.uses());
                }
                declaredPasses.add(made);
            }
            known = new DeclaredGraph(name, declaredPasses, resources.declared(), scopes.declared());
            declared = known;
        }
        return known;
    }

    boolean keepsSites() {
        return keepSites;
    }

    /** Returns the line of the application that calls, null unless lines are kept. */
    public @Nullable String site() {
        return keepSites ? DeclarationSite.ofCaller() : null;
    }
}
