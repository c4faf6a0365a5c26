package io.frameloom.taskgraph;

import io.frameloom.taskgraph.compiled.DeclaredNodes;
import io.frameloom.taskgraph.parts.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * A node of a graph that is being built: a body, where it runs, and what it runs after. Used by the thread
 * that builds; changes after {@link GraphBuilder#build()} do not reach the compiled graph. After {@link
 * GraphBuilder#runOnce()} or {@link GraphBuilder#executeOnce()} only the name can be asked for.
 */
public final class GraphNode {
    private final GraphBuilder builder;
    private final DeclaredNodes nodes;
    private final int index;

    GraphNode(GraphBuilder builder, DeclaredNodes nodes, int index) {
        this.builder = builder;
        this.nodes = nodes;
        this.index = index;
    }

    /** The name. */
    public String name() {
        return nodes.name(index);
    }

    /**
     * Lets this node run after another, and be skipped if that one fails ({@link FailurePolicy#SKIP}).
     *
     * @param other a node of the same builder
     * @throws IllegalArgumentException if the node belongs to another builder
     * @throws IllegalStateException if one of the two was launched by {@link GraphBuilder#runOnce()}
     */
    public GraphNode after(GraphNode other) {
        requireOwn(required(other, "other"));
        nodes.addEdge(index, other.index, FailurePolicy.SKIP);
        return this;
    }

    /**
     * Lets this node run after others, and be skipped if one of them fails ({@link FailurePolicy#SKIP}).
     *
     * @param others nodes of the same builder
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
     * @throws IllegalArgumentException if a node belongs to another builder
     */
    public GraphNode after(FailurePolicy policy, GraphNode... others) {
        required(policy, "policy");
        required(others, "others");
        nodes.requireOpen(index);
        for (int i = 0; i < others.length; i++) {
            GraphNode other = others[i];
            if (other == null) {
                throw nullEntry("others", i);
            }
            requireOwn(other);
        }
        for (GraphNode other : others) {
            nodes.addEdge(index, other.index, policy);
        }
        return this;
    }

    private void requireOwn(GraphNode other) {
        nodes.requireOpen(index);
        if (other.nodes != nodes) {
            if (other.builder == builder) {
                other.nodes.requireOpen(other.index);
            }
            throw new IllegalArgumentException("node '" + other.name() + "', given as a prerequisite of '" + name()
                    + "', belongs to graph '" + other.builder.name() + "', not to '" + builder.name()
                    + "'; edges connect nodes of one builder");
        }
    }

    /**
     * Sets where the body runs; {@link WorkerLevel#NORMAL} unless set.
     *
     * @param target a worker level, a named thread or its local queue
     */
    public GraphNode on(ExecutionTarget target) {
        required(target, "target");
        nodes.requireOpen(index);
        nodes.setTarget(index, target);
        return this;
    }

    /**
     * Sets the priority; {@link TaskPriority#NORMAL} unless set. On a named thread it chooses the queue. On workers it
     * is a preference: of the nodes that become ready together those of high priority are begun first.
     */
    public GraphNode priority(TaskPriority priority) {
        required(priority, "priority");
        nodes.requireOpen(index);
        nodes.setHigh(index, priority == TaskPriority.HIGH);
        return this;
    }

    /**
     * Declares that the body reads resources. See {@link GraphBuilder#build()}.
     *
     * @param resources compared by {@code equals}; their {@code toString} stands in messages
     */
    public GraphNode reads(Object... resources) {
        return declare(resources, false);
    }

    /**
     * Declares that the body writes resources. See {@link GraphBuilder#build()}.
     *
     * @param resources compared by {@code equals}; their {@code toString} stands in messages
     */
    public GraphNode writes(Object... resources) {
        return declare(resources, true);
    }

    /**
     * Lets the body run only in runs in which a switch is on (with several switches: all of them), a bit of the mask of
     * {@link CompiledGraph#run(long)}. In other runs the node is passed through: its successors still wait for its
     * predecessors.
     *
     * @param bit 0 to 63
     * @throws IllegalArgumentException if the bit is out of range
     */
    public GraphNode enabledBy(int bit) {
        if (bit < 0 || bit >= Long.SIZE) {
            throw new IllegalArgumentException("node '" + name() + "': a switch is a bit from 0 to 63, not " + bit);
        }
        nodes.requireOpen(index);
        nodes.enableBy(index, 1L << bit);
        return this;
    }

    /**
     * The completion of this node alone, in the run that {@link GraphBuilder#runOnce()} or {@link
     * GraphBuilder#executeOnce()} begins. It completes when the body has ended, or when it is clear that the body will
     * not run, and fails if the body fails or is skipped because of a failure. Ask for it before the launch. To wait
     * for a node before the launch is an error; {@link RunEvent#asEvent()} may be taken at any time.
     *
     * <p>No body may block until another node has ended: one thread may have to run both. Put a node after it instead.
     *
     * <p>A graph of which a node was asked for this can be launched, but not be built: its nodes would complete again
     * in each run.
     *
     * @return the completion, the same object each time
     * @throws IllegalStateException if the node was launched
     */
    public RunEvent event() {
        nodes.requireOpen(index);
        return nodes.event(index);
    }

    private <T> T required(@Nullable T value, String parameter) {
        return value != null ? value : Arguments.required(value, parameter, "node", name());
    }

    private NullPointerException nullEntry(String parameter, int index) {
        return new NullPointerException("node '" + name() + "': " + parameter + '[' + index + "] must not be null");
    }

    private GraphNode declare(Object[] resources, boolean writes) {
        required(resources, "resources");
        for (int i = 0; i < resources.length; i++) {
            if (resources[i] == null) {
                throw nullEntry("resources", i);
            }
        }
        nodes.requireOpen(index);
        nodes.addAccesses(index, resources, writes);
        return this;
    }

    @Override
    public String toString() {
        return "GraphNode[" + name() + "]";
    }
}
