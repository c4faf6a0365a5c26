package io.frameloom.rdg.declare;

import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassKind;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The passes of one graph, and their bodies beside them. */
public final class DeclaredPasses {
    private static final int ROOM = 16;

    private final GraphDeclaration graph;
    private final RedeclaredList<PassDeclaration> declarations = new RedeclaredList<>(ROOM);
    /** By pass its body alone, null if it has none yet. */
    private @Nullable PassBody[] bodies = new PassBody[ROOM];
    /** Whether every pass until now is bound to a plan by its body alone. */
    private boolean onlyBodies = true;

    DeclaredPasses(GraphDeclaration graph) {
        this.graph = graph;
    }

    /** Adds a pass: that of the former frame if that had one of this name and kind at this place. */
    public PassDeclaration add(String name, PassKind kind) {
        int index = declarations.size();
        PassDeclaration former = declarations.former();
        PassDeclaration pass =
                former != null && former.is(name, kind) ? former : new PassDeclaration(graph, index, name, kind);
        declarations.add(pass);
        if (index == bodies.length) {
            bodies = Arrays.copyOf(bodies, 2 * index);
        }
        pass.begin(graph.scopes().innermost(), graph.site());
        return pass;
    }

    int size() {
        return declarations.size();
    }

    public PassDeclaration get(int index) {
        return declarations.get(index);
    }

    void record(int pass, PassBody body) {
        bodies[pass] = body;
    }

    /** Returns the body of a pass without its condition, or null if it has none yet. */
    @Nullable
    PassBody body(int pass) {
        return bodies[pass];
    }

    /** Returns the bodies of the passes, null for those that have none. The array may be longer; not to be changed. */
    public @Nullable PassBody[] bodies() {
        return bodies;
    }

    /**
     * Takes notice of a pass to which a plan is bound by more than its body: a condition, uniform buffers, setup tasks.
     */
    void notOnlyBody() {
        onlyBodies = false;
    }

    /** Returns whether plans are bound to the passes by their bodies alone. */
    boolean hasOnlyBodies() {
        return onlyBodies;
    }

    /** Returns the names of the passes as they are now. */
    public List<String> names() {
        return new AbstractList<>() {
            @Override
            public String get(int index) {
                return declarations.get(index).name();
            }

            @Override
            public int size() {
                return declarations.size();
            }
        };
    }

    /** Forgets the passes, and lets go of all that the application gave them to run. */
    void clear() {
        Arrays.fill(bodies, 0, declarations.size(), null);
        if (!onlyBodies) {
            for (int i = 0; i < declarations.size(); i++) {
                declarations.get(i).letGo();
            }
        }
        declarations.clear();
        onlyBodies = true;
    }
}
