package io.frameloom.rdg.declare;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The names that a graph gives to its passes, resources and scopes, in order of declaration. A plan shows them; they
 * decide nothing about it. One thread at a time; {@link #copy} is immutable as long as nothing is added to it.
 */
public final class DeclaredNames {
    private final Row passes;
    private final Row resources;
    private final Row scopes;

    /** No names yet. */
    DeclaredNames() {
        this(new Row(32), new Row(32), new Row(4));
    }

    private DeclaredNames(Row passes, Row resources, Row scopes) {
        this.passes = passes;
        this.resources = resources;
        this.scopes = scopes;
    }

    private static final class Row {
        private @Nullable String[] names;
        private int count;

        Row(int room) {
            names = new String[room];
        }

        @SuppressWarnings("ReferenceEquality") // only whether a store is needed
        void add(String name) {
            if (count == names.length) {
                names = Arrays.copyOf(names, Math.max(4, 2 * count));
            }
            if (names[count] != name) {
                names[count] = name;
            }
            count++;
        }

        Row copy() {
            Row copy = new Row(0);
            copy.names = Arrays.copyOf(names, count);
            copy.count = count;
            return copy;
        }

        boolean isEqualTo(Row other) {
            return count == other.count && DeclaredGraph.same(names, other.names, count);
        }
    }

    /** Adds the name of the next pass. */
    void addPass(String name) {
        passes.add(name);
    }

    /** Adds the name of the next resource. */
    void addResource(String name) {
        resources.add(name);
    }

    /** Adds the name of the next scope. */
    void addScope(String name) {
        scopes.add(name);
    }

    /** Forgets all names, and keeps the objects until others take their places. */
    void clear() {
        passes.count = 0;
        resources.count = 0;
        scopes.count = 0;
    }

    /** Returns the names as they are now. */
    public DeclaredNames copy() {
        return new DeclaredNames(passes.copy(), resources.copy(), scopes.copy());
    }

    /** Returns whether all names are equal. */
    public boolean isEqualTo(DeclaredNames other) {
        return passes.isEqualTo(other.passes) && resources.isEqualTo(other.resources) && scopes.isEqualTo(other.scopes);
    }

    public int passes() {
        return passes.count;
    }

    public String pass(int declared) {
        return passes.names[declared];
    }

    public String resource(int declared) {
        return resources.names[declared];
    }

    public String scope(int declared) {
        return scopes.names[declared];
    }
}
