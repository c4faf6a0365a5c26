package io.frameloom.rdg.compile.graph;

import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.DeclaredNames;
import java.util.List;

/** The names of what a plan consists of, for its lists and the words of its reasons. Immutable; any thread. */
public final class Names {
    private final String[] passes;
    private final String[] resources;
    private final String[] scopes;
    private final int[] addedResource;

    private Names(String[] passes, String[] resources, String[] scopes, int[] addedResource) {
        this.passes = passes;
        this.resources = resources;
        this.scopes = scopes;
        this.addedResource = addedResource;
    }

    /** Returns the names in a graph with its passes in the order of the plan; each added node changes one resource. */
    public static Names of(DeclaredGraph graph, int[] addedResource) {
        List<DeclaredGraph.Pass> passes = graph.passes();
        List<DeclaredGraph.Declared> resources = graph.resources();
        String[] ofPasses = new String[passes.size()];
        for (int p = 0; p < ofPasses.length; p++) {
            ofPasses[p] = passes.get(p).name();
        }
        String[] ofResources = new String[resources.size()];
        for (int r = 0; r < ofResources.length; r++) {
            ofResources[r] = resources.get(r).name();
        }
        String[] ofScopes = new String[graph.scopes().size()];
        for (int s = 0; s < ofScopes.length; s++) {
            ofScopes[s] = graph.scopes().get(s).name();
        }
        return new Names(ofPasses, ofResources, ofScopes, addedResource);
    }

    /** Returns other names of the same plan; {@code declaredIndex} gives the declared position of each pass. */
    public Names with(DeclaredNames declared, int[] declaredIndex) {
        String[] inOrder = new String[declaredIndex.length];
        for (int p = 0; p < inOrder.length; p++) {
            inOrder[p] = declared.pass(declaredIndex[p]);
        }
        return new Names(inOrder, declared.resources(), declared.scopes(), addedResource);
    }

    /** Returns the name of a pass, or of a node that the compiler added. */
    public String pass(int node) {
        return node < passes.length ? passes[node] : "transition:" + resources[addedResource[node - passes.length]];
    }

    public String resource(int resource) {
        return resources[resource];
    }

    public String scope(int scope) {
        return scopes[scope];
    }
}
