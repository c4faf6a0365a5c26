package io.frameloom.taskgraph.compiled;

import java.util.HashMap;
import java.util.Map;

/** How the messages of a build call its nodes: by name, and where that is not enough by their place, too. Immutable. */
final class NodeLabels {
    private final DeclaredNodes nodes;
    private final Map<String, Integer> uses = new HashMap<>();

    NodeLabels(DeclaredNodes nodes) {
        this.nodes = nodes;
        for (int node = 0; node < nodes.count(); node++) {
            uses.merge(nodes.name(node), 1, Integer::sum);
        }
    }

    /** The name, in quotes, of the node that was declared after {@code index} others. */
    String of(int index) {
        String name = nodes.name(index);
        String quoted = "'" + name + "'";
        return uses.getOrDefault(name, 0) > 1
                ? quoted + " (node " + (index + 1) + " of " + nodes.count() + ")"
                : quoted;
    }
}
