package io.frameloom.rdg.compile.graph;

import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.declare.DeclaredGraph;

/** Which resources belong to one queue family at a time, and which family each pass executes on. */
public final class Ownership {
    /** In place of a family: no family has it, or all share it. */
    public static final int NOBODY = -1;

    /** Family of the graphics queue, which has every such resource from outside when the frame starts and ends. */
    public final int home;

    /** Of no pass unless a resource belongs to one family at a time. */
    private final int[] passFamily;

    private final int[] queueFamily;
    private final DeclaredGraph graph;

    public Ownership(DeclaredGraph graph, int[] passQueue, QueueTopology queues) {
        queueFamily = new int[queues.queues().size()];
        for (int q = 0; q < queueFamily.length; q++) {
            queueFamily[q] = queues.queues().get(q).family();
        }
        home = queueFamily[0];
        passFamily = new int[graph.anyExclusive() ? passQueue.length : 0];
        for (int p = 0; p < passFamily.length; p++) {
            passFamily[p] = passQueue[p] < 0 ? NOBODY : queueFamily[passQueue[p]];
        }
        this.graph = graph;
    }

    /** Returns whether any resource belongs to one queue family at a time. */
    boolean any() {
        return graph.anyExclusive();
    }

    public boolean isExclusive(int resource) {
        return graph.isExclusive(resource);
    }

    /** Returns the family that has a resource while a pass uses it, {@link #NOBODY} if all share it. */
    int owner(int resource, int pass) {
        return graph.isExclusive(resource) ? passFamily[pass] : NOBODY;
    }
}
