package io.frameloom.rdg.compile;

import java.util.List;

/** The names of what a plan consists of, for the words of its reasons. */
final class Names {
    private final String[] passes;
    private final String[] resources;
    private final int[] addedResource;

    Names(DeclaredGraph graph, int[] addedResource) {
        List<DeclaredGraph.Pass> declared = graph.passes();
        passes = new String[declared.size()];
        for (int p = 0; p < passes.length; p++) {
            passes[p] = declared.get(p).name();
        }
        resources = new String[graph.resources().size()];
        for (int r = 0; r < resources.length; r++) {
            resources[r] = graph.resources().get(r).name();
        }
        this.addedResource = addedResource;
    }

    /** Returns the name of a pass, or of a node that the compiler added. */
    String pass(int node) {
        return node < passes.length ? passes[node] : "transition:" + resources[addedResource[node - passes.length]];
    }

    String resource(int resource) {
        return resources[resource];
    }
}
