package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphNode;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a {@link GraphNode} was given. Used by the building thread. */
public final class DeclaredNode {
    private static final int[] NONE = {};
    private static final FailurePolicy[] POLICIES = FailurePolicy.values();

    /** One declared access. */
    record Access(Object resource, boolean writes) {}

    private final String name;
    private final int index;
    private final TaskBody body;
    private ExecutionTarget target = WorkerLevel.NORMAL;
    private boolean high;
    private long switches;
    private int[] prerequisites = NONE;
    private byte[] policies = {};
    private int count;
    private @Nullable List<Access> accesses;

    public DeclaredNode(String name, int index, TaskBody body) {
        this.name = name;
        this.index = index;
        this.body = body;
    }

    String name() {
        return name;
    }

    public void setTarget(ExecutionTarget newTarget) {
        target = newTarget;
    }

    public void setHigh(boolean highPriority) {
        high = highPriority;
    }

    /** Adds switches, a bit each. */
    public void enableBy(long mask) {
        switches |= mask;
    }

    public void addAccesses(Object[] resources, boolean writes) {
        List<Access> list = accesses;
        if (list == null) {
            list = new ArrayList<>(resources.length);
            accesses = list;
        }
        for (Object resource : resources) {
            list.add(new Access(resource, writes));
        }
    }

    public void addEdge(int prerequisite, FailurePolicy policy) {
        for (int i = 0; i < count && count <= 16; i++) {
            if (prerequisites[i] == prerequisite) {
                policies[i] = (byte) policy.ordinal();
                return;
            }
        }
        if (count == prerequisites.length) {
            int larger = Math.max(2, count * 2);
            prerequisites = Arrays.copyOf(prerequisites, larger);
            policies = Arrays.copyOf(policies, larger);
        }
        prerequisites[count] = prerequisite;
        policies[count++] = (byte) policy.ordinal();
    }

    public int index() {
        return index;
    }

    TaskBody body() {
        return body;
    }

    ExecutionTarget target() {
        return target;
    }

    boolean isHigh() {
        return high;
    }

    long switches() {
        return switches;
    }

    public int edgeCount() {
        return count;
    }

    int prerequisite(int edge) {
        return prerequisites[edge];
    }

    FailurePolicy policy(int edge) {
        return POLICIES[policies[edge]];
    }

    List<Access> accesses() {
        List<Access> list = accesses;
        return list == null ? List.of() : list;
    }
}
