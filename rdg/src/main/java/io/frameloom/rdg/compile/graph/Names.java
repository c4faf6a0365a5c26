package io.frameloom.rdg.compile.graph;

import io.frameloom.rdg.declare.DeclaredNames;

/** The names of what a plan consists of, for its lists and the words of its reasons. Immutable; any thread. */
public final class Names {
    private final DeclaredNames declared;
    private final int[] declaredIndex;
    private final int[] addedResource;

    /**
     * The names that a graph declares, as a plan asks for them.
     *
     * @param declaredIndex by pass of the plan its position in the graph; empty if they are in its order
     * @param addedResource by node that the compiler added the resource that it changes
     */
    public Names(DeclaredNames declared, int[] declaredIndex, int[] addedResource) {
        this.declared = declared;
        this.declaredIndex = declaredIndex;
        this.addedResource = addedResource;
    }

    public String pass(int node) {
        int passes = declared.passes();
        return node >= passes
                ? "transition:" + resource(addedResource[node - passes])
                : declared.pass(declaredIndex.length == 0 ? node : declaredIndex[node]);
    }

    public String resource(int resource) {
        return declared.resource(resource);
    }

    public String scope(int scope) {
        return declared.scope(scope);
    }
}
