package io.frameloom.taskgraph.stall;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event or a thread in a {@link StallGraph}, and what it waits for. It is stuck for good if one of those is, or,
 * where any of them would do, if all are.
 */
final class StallNode {
    final String name;
    /** The thread whose stack explains more, or null. */
    final @Nullable Thread thread;

    final String state;
    final List<StallNode> needs = new ArrayList<>();
    final List<StallNode> neededBy = new ArrayList<>();
    /** Whether one of the needs is enough, as any of several workers. */
    final boolean anyWillDo;

    boolean stuck = true;
    /** If it is not stuck, its place in the order in which that was found out: what it can go on by comes before it. */
    int freed;

    int stuckNeeds;

    StallNode(String name, String state, @Nullable Thread thread, boolean anyWillDo) {
        this.name = name;
        this.state = state;
        this.thread = thread;
        this.anyWillDo = anyWillDo;
    }

    void need(StallNode other) {
        needs.add(other);
        other.neededBy.add(this);
    }

    /**
     * The need to follow. From a stuck node it is stuck too, so that the way ends in a cycle; from another it is one
     * that the node can go on by, so that the way ends.
     */
    @Nullable
    StallNode worst() {
        for (StallNode need : needs) {
            if (stuck ? need.stuck : !need.stuck && need.freed < freed) {
                return need;
            }
        }
        return null;
    }
}
