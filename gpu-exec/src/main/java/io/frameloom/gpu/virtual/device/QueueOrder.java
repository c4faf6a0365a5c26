package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.device.StageScopes;
import io.frameloom.gpu.virtual.memory.CostModel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What orders the work of one queue: for each stage the gate that later work of the stage must pass (set by barriers
 * and waits), and the work of the stage so far (what later barriers wait for). Submission order alone orders nothing.
 */
final class QueueOrder {
    /** Signals that are kept after they are reached, since waits for them take their simulated time. */
    private static final int REACHED_SIGNALS = 64;

    private final VirtualQueue queue;
    private final WorkGraph graph;
    private final @Nullable WorkNode[] gates = new @Nullable WorkNode[StageScopes.COUNT];
    private final List<List<WorkNode>> work = new ArrayList<>();
    private final Map<Long, WorkNode> signals = new LinkedHashMap<>();
    private @Nullable WorkNode newestSignal;

    /**
     * A barrier that does not hold back anything yet, so that barriers of one command do not chain.
     *
     * @param begin what waits for the source stages
     * @param end what the destination stages wait for; the same node, or a later one
     */
    record OpenBarrier(WorkNode begin, WorkNode end, int destinationStages) {}

    QueueOrder(VirtualQueue queue, WorkGraph graph) {
        this.queue = queue;
        this.graph = graph;
        for (int stage = 0; stage < StageScopes.COUNT; stage++) {
            work.add(new ArrayList<>());
        }
    }

    VirtualQueue queue() {
        return queue;
    }

    /** Adds work that happens in all of {@code stages}, after {@code predecessors}. */
    WorkNode add(
            String label,
            int stages,
            long nanos,
            long cost,
            WorkNode.Action action,
            @Nullable WorkNode... predecessors) {
        WorkNode node = new WorkNode(label, queue, nanos, cost, action);
        for (WorkNode predecessor : predecessors) {
            node.after(predecessor);
        }
        for (int stage = 0; stage < StageScopes.COUNT; stage++) {
            if ((stages & (1 << stage)) != 0) {
                node.after(gates[stage]);
                work.get(stage).add(node);
            }
        }
        graph.release(node);
        return node;
    }

    /** Makes later work of {@code stages} wait for {@code signal}. */
    void waitFor(WorkNode signal, int stages) {
        int scope = StageScopes.destination(stages);
        for (int stage = 0; stage < StageScopes.OTHER; stage++) {
            if ((scope & (1 << stage)) != 0) {
                gates[stage] = join(gates[stage], signal);
            }
        }
    }

    OpenBarrier openBarrier(int sourceStages, int destinationStages, long nanos, WorkNode.Action action) {
        WorkNode node = new WorkNode("barrier", queue, nanos, CostModel.barrier(), action);
        afterSource(node, sourceStages);
        return new OpenBarrier(node, node, StageScopes.destination(destinationStages));
    }

    /** Like {@link #openBarrier} for a barrier that takes time: work that it does not order may come in between. */
    OpenBarrier openTransition(
            int sourceStages, int destinationStages, long nanos, WorkNode.Action begin, WorkNode.Action end) {
        WorkNode first = new WorkNode("transition", queue, nanos, 0, begin);
        WorkNode last = new WorkNode("barrier", queue, nanos, CostModel.barrier(), end);
        afterSource(first, sourceStages);
        last.after(first);
        return new OpenBarrier(first, last, StageScopes.destination(destinationStages));
    }

    /** Adds the setting of an event after some stages of everything so far, which holds back nothing. */
    WorkNode setEvent(int sourceStages, long nanos) {
        WorkNode node = new WorkNode("set event", queue, nanos, 0, () -> {});
        afterSource(node, sourceStages);
        work.get(StageScopes.OTHER).add(node);
        graph.release(node);
        return node;
    }

    /** Like {@link #openTransition} after the setting of an event, in place of the source stages. */
    OpenBarrier openAfter(
            @Nullable WorkNode event, int destinationStages, long nanos, WorkNode.Action begin, WorkNode.Action end) {
        WorkNode first = new WorkNode("transition", queue, nanos, 0, begin);
        WorkNode last = new WorkNode("wait for event", queue, nanos, CostModel.barrier(), end);
        first.after(event);
        last.after(first);
        return new OpenBarrier(first, last, StageScopes.destination(destinationStages));
    }

    private void afterSource(WorkNode node, int stages) {
        int scope = StageScopes.source(stages);
        for (int stage = 0; stage < StageScopes.COUNT; stage++) {
            if ((scope & (1 << stage)) != 0) {
                node.after(gates[stage]);
                node.after(soFar(stage));
            }
        }
    }

    void close(List<OpenBarrier> barriers) {
        for (OpenBarrier barrier : barriers) {
            work.get(StageScopes.OTHER).add(barrier.end);
            for (int stage = 0; stage < StageScopes.OTHER; stage++) {
                if ((barrier.destinationStages & (1 << stage)) != 0) {
                    gates[stage] = join(gates[stage], barrier.end);
                }
            }
        }
        for (OpenBarrier barrier : barriers) {
            graph.release(barrier.begin);
            if (barrier.end != barrier.begin) {
                graph.release(barrier.end);
            }
        }
    }

    /** Adds work after everything so far, which holds back nothing. */
    WorkNode addAfterAll(String label, long nanos, LongConsumer action) {
        return addAfterStages((1 << StageScopes.COUNT) - 1, label, nanos, action);
    }

    /** Adds work after some stages of everything so far and after the newest signal, which holds back nothing. */
    WorkNode addAfter(int stages, String label, long nanos, LongConsumer action) {
        return addAfterStages(StageScopes.source(stages), label, nanos, action);
    }

    private WorkNode addAfterStages(int scope, String label, long nanos, LongConsumer action) {
        WorkNode[] self = new WorkNode[1];
        WorkNode node = new WorkNode(label, queue, nanos, 0, () -> action.accept(self[0].readyNanos()));
        self[0] = node;
        node.after(newestSignal);
        for (int stage = 0; stage < StageScopes.COUNT; stage++) {
            if ((scope & (1 << stage)) != 0) {
                node.after(gates[stage]);
                node.after(soFar(stage));
            }
        }
        work.get(StageScopes.OTHER).add(node);
        graph.release(node);
        return node;
    }

    void signal(long value, WorkNode node) {
        Iterator<WorkNode> oldest = signals.values().iterator();
        while (signals.size() > REACHED_SIGNALS && oldest.next().isDone()) {
            oldest.remove();
        }
        signals.put(value, node);
        newestSignal = node;
    }

    /** Returns the node that reaches {@code value}, or null if it was reached long ago. */
    @Nullable
    WorkNode signalOf(long value) {
        return signals.get(value);
    }

    /** Returns one node after all work of a stage so far, null if there is none. */
    private @Nullable WorkNode soFar(int stage) {
        List<WorkNode> nodes = work.get(stage);
        if (nodes.isEmpty()) {
            return null;
        }
        if (nodes.size() > 1) {
            WorkNode all = new WorkNode("stage", queue, Long.MIN_VALUE, 0, null);
            nodes.forEach(all::after);
            nodes.clear();
            nodes.add(all);
            graph.release(all);
        }
        return nodes.get(0);
    }

    private WorkNode join(@Nullable WorkNode first, WorkNode second) {
        if (first == null) {
            return second;
        }
        WorkNode both = new WorkNode("gate", queue, Long.MIN_VALUE, 0, null);
        both.after(first);
        both.after(second);
        graph.release(both);
        return both;
    }
}
