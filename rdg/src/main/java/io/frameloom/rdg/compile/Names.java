package io.frameloom.rdg.compile;

/** The names of what a plan consists of, for the words of its reasons. */
final class Names {
    private final String[] passes;
    private final String[] resources;
    private final int[] addedResource;

    Names(KnownPasses passes, KnownResources resources, int[] addedResource) {
        this.passes = passes.name;
        this.resources = resources.name;
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
