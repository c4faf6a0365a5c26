package io.frameloom.rdg;

/**
 * Storage writes that may run at the same time because the application knows that they touch different places. The
 * passes that write a resource in one group have neither order nor barrier among each other. What follows waits for all
 * of them. Made by {@link RenderGraph#overlapGroup}, for one frame of the graph; any thread.
 */
public final class OverlapGroup {
    private final RenderGraph graph;
    private final int number;
    private final String name;

    OverlapGroup(RenderGraph graph, int number, String name) {
        this.graph = graph;
        this.number = number;
        this.name = name;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    int number() {
        return number;
    }

    int number(RenderGraph user) {
        if (user != graph) {
            throw new RdgException("graph '" + user.name() + "': overlap group '" + name + "' belongs to graph '"
                    + graph.name() + "'; make one in this graph");
        }
        if (!graph.has(this)) {
            throw new RdgException("graph '" + graph.name() + "': overlap group '" + name
                    + "' belongs to a former frame of the graph, which was reset; make one in this frame");
        }
        return number;
    }

    @Override
    public String toString() {
        return name;
    }
}
