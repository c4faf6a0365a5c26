package io.frameloom.taskgraph;

import io.frameloom.taskgraph.compiled.DeclaredNode;
import io.frameloom.taskgraph.parts.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * A node of a graph that is being built: a body, where it runs, and what it runs after. Used by the thread
 * that builds; changes after {@link GraphBuilder#build()} do not reach the compiled graph.
 */
public final class GraphNode {
    private final GraphBuilder builder;
    private final String name;
    final DeclaredNode declared;

    GraphNode(GraphBuilder builder, String name, int index, TaskBody body) {
        this.builder = builder;
        this.name = name;
        this.declared = new DeclaredNode(name, index, body);
    }

    /**
     * The name.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Lets this node run after others, and be skipped if one of them fails ({@link FailurePolicy#SKIP}).
     *
     * @param others nodes of the same builder
     * @return this
     * @throws IllegalArgumentException if a node belongs to another builder
     */
    public GraphNode after(GraphNode... others) {
        return after(FailurePolicy.SKIP, others);
    }

    /**
     * Lets this node run after others. Naming a node again changes the policy of that edge.
     *
     * @param policy what happens depending on how they end
     * @param others nodes of the same builder
     * @return this
     * @throws IllegalArgumentException if a node belongs to another builder
     */
    public GraphNode after(FailurePolicy policy, GraphNode... others) {
        required(policy, "policy");
        required(others, "others");
        for (int i = 0; i < others.length; i++) {
            GraphNode other = others[i];
            if (other == null) {
                throw nullEntry("others", i);
            }
            if (other.builder != builder) {
                throw new IllegalArgumentException("node '" + other.name + "', given as a prerequisite of '" + name
                        + "', belongs to graph '" + other.builder.name() + "', not to '" + builder.name()
                        + "'; edges connect nodes of one builder");
            }
        }
        for (GraphNode other : others) {
            declared.addEdge(other.declared.index(), policy);
        }
        return this;
    }

    /**
     * Sets where the body runs; {@link WorkerLevel#NORMAL} unless set.
     *
     * @param target a worker level, a named thread or its local queue
     * @return this
     */
    public GraphNode on(ExecutionTarget target) {
        declared.setTarget(required(target, "target"));
        return this;
    }

    /**
     * Sets the priority; {@link TaskPriority#NORMAL} unless set. On a named thread it chooses the queue. On workers it
     * is a preference: of the nodes that become ready together those of high priority are begun first.
     *
     * @param priority the priority
     * @return this
     */
    public GraphNode priority(TaskPriority priority) {
        declared.setHigh(required(priority, "priority") == TaskPriority.HIGH);
        return this;
    }

    /**
     * Declares that the body reads resources. See {@link GraphBuilder#build()}.
     *
     * @param resources compared by {@code equals}; their {@code toString} stands in messages
     * @return this
     */
    public GraphNode reads(Object... resources) {
        return declare(resources, false);
    }

    /**
     * Declares that the body writes resources. See {@link GraphBuilder#build()}.
     *
     * @param resources compared by {@code equals}; their {@code toString} stands in messages
     * @return this
     */
    public GraphNode writes(Object... resources) {
        return declare(resources, true);
    }

    /**
     * Lets the body run only in runs in which the switch is on (with several switches: all of them). In other runs the
     * node is passed through: its successors still wait for its predecessors.
     *
     * @param graphSwitch a switch of the same builder
     * @return this
     * @throws IllegalArgumentException if the switch belongs to another builder
     */
    public GraphNode enabledBy(GraphSwitch graphSwitch) {
        builder.requireOwn(required(graphSwitch, "graphSwitch"), name);
        declared.enableBy(graphSwitch.mask());
        return this;
    }

    /**
     * As {@link #enabledBy(GraphSwitch)}, with a bit of the mask that needs no name.
     *
     * @param bit 0 to 63
     * @return this
     * @throws IllegalArgumentException if the bit is out of range
     */
    public GraphNode enabledBy(int bit) {
        if (bit < 0 || bit >= Long.SIZE) {
            throw new IllegalArgumentException("node '" + name + "': a switch is a bit from 0 to 63, not " + bit);
        }
        declared.enableBy(1L << bit);
        return this;
    }

    private <T> T required(@Nullable T value, String parameter) {
        return Arguments.required(value, parameter, "node", name);
    }

    private NullPointerException nullEntry(String parameter, int index) {
        return new NullPointerException("node '" + name + "': " + parameter + '[' + index + "] must not be null");
    }

    private GraphNode declare(Object[] resources, boolean writes) {
        required(resources, "resources");
        for (int i = 0; i < resources.length; i++) {
            if (resources[i] == null) {
                throw nullEntry("resources", i);
            }
        }
        declared.addAccesses(resources, writes);
        return this;
    }

    @Override
    public String toString() {
        return "GraphNode[" + name + "]";
    }
}
