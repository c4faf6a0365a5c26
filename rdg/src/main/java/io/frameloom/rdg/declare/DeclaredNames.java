package io.frameloom.rdg.declare;

import java.util.Collections;
import java.util.List;

/**
 * The names that a graph gives to its passes, resources and scopes, in order of declaration. A plan shows them; they
 * decide nothing about it. One thread at a time; {@link #copy} is immutable as long as nothing is added to it.
 */
public final class DeclaredNames {
    private final RedeclaredList<String> passes;
    private final RedeclaredList<String> resources;
    private final RedeclaredList<String> scopes;

    DeclaredNames() {
        this(new RedeclaredList<>(32), new RedeclaredList<>(32), new RedeclaredList<>(4));
    }

    private DeclaredNames(
            RedeclaredList<String> passes, RedeclaredList<String> resources, RedeclaredList<String> scopes) {
        this.passes = passes;
        this.resources = resources;
        this.scopes = scopes;
    }

    void addPass(String name) {
        passes.add(name);
    }

    void addResource(String name) {
        resources.add(name);
    }

    void addScope(String name) {
        scopes.add(name);
    }

    /** Forgets all names, and keeps the objects until others take their places. */
    void clear() {
        passes.clear();
        resources.clear();
        scopes.clear();
    }

    public DeclaredNames copy() {
        return new DeclaredNames(passes.copy(), resources.copy(), scopes.copy());
    }

    public boolean isEqualTo(DeclaredNames other) {
        return passes.isEqualTo(other.passes) && resources.isEqualTo(other.resources) && scopes.isEqualTo(other.scopes);
    }

    public int passes() {
        return passes.size();
    }

    /** Returns the names of the passes, which change as passes are declared. */
    public List<String> passNames() {
        return Collections.unmodifiableList(passes);
    }

    public String pass(int declared) {
        return passes.get(declared);
    }

    public String resource(int declared) {
        return resources.get(declared);
    }

    public String scope(int declared) {
        return scopes.get(declared);
    }
}
