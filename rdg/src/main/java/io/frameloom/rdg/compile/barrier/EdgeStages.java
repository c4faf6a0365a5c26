package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.LiveOrders;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.order.Dependencies;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The stages in which the later node of each dependency does what must come after the earlier one. They are those of
 * its accesses to cells of which the earlier one belongs to the former state. There are none if nodes between the two
 * order them: on one queue by a barrier, which waits for the stages that were held back for it. All stages where the
 * reason is unknown: an order that the application declares, a pass with undeclared accesses, an access without stages,
 * a node that carries barriers alone.
 */
public final class EdgeStages {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();

    /** Mask of each dependency, those of added nodes after those of passes. */
    public final int[] of;
    /** Stages of everything that each queue executes. */
    public final int[] onQueue;

    private final SubresourceMap map;
    private final StateMerge states;

    public EdgeStages(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            Dependencies dependencies,
            Transitions transitions,
            int queueCount) {
        this.map = map;
        this.states = states;
        of = new int[transitions.edges];
        onQueue = new int[queueCount];
        int passes = graph.passes();
        int known = dependencies.count();
        int[] edgeOf = new int[passes];
        LiveOrders orders = new LiveOrders(graph, dependencies.level, transitions.queue, queueCount);
        // The dependencies of a pass stand together.
        for (int begin = 0, end; begin < known; begin = end) {
            int pass = dependencies.to[begin];
            for (end = begin; end < known && dependencies.to[end] == pass; end++) {
                edgeOf[dependencies.from[end]] = end;
            }
            touched(pass, edgeOf);
            IntList after = orders.before(pass);
            for (int i = 0; i < after.size(); i++) {
                int earlier = after.get(i);
                int edge = edgeOf[earlier];
                if (edge >= begin && edge < end && dependencies.from[edge] == earlier) {
                    of[edge] = ALL;
                }
            }
            for (int edge = begin; edge < end; edge++) {
                boolean said = (dependencies.kinds(edge) & Dependencies.DECLARED) != 0;
                if (said || isUntracked(graph, pass) || isUntracked(graph, dependencies.from[edge])) {
                    of[edge] = ALL;
                }
            }
        }
        BitSet[] cells = cellsOfAdded(transitions, passes);
        for (int edge = known; edge < of.length; edge++) {
            int node = transitions.to[edge];
            of[edge] = node >= passes ? ALL : stages(node, cells[transitions.from[edge] - passes]);
        }
        for (int i = 0; i < transitions.ordered; i++) {
            int node = transitions.order[i];
            int stages = node < passes && !isUntracked(graph, node) ? stages(node, null) : ALL;
            onQueue[transitions.queue[node]] |= stages;
        }
    }

    private static boolean isUntracked(DeclaredGraph graph, int pass) {
        return graph.has(pass, PassFlag.UNTRACKED_ACCESS);
    }

    /**
     * Adds the stages of a pass to its dependencies on the former states of what it touches; these follow earlier ones.
     */
    private void touched(int pass, int[] edgeOf) {
        for (int t = map.touchBase[pass]; t < map.touchBase[pass + 1]; t++) {
            int former = states.epochOfTouch[t] - 1;
            if (former >= states.firstEpoch[map.touchCell[t]]) {
                int stages = stages(t);
                for (int other = states.firstTouch[former]; other >= 0; other = states.nextTouch[other]) {
                    of[edgeOf[map.touchPass[other]]] |= stages;
                }
            }
        }
    }

    /** Cells that each added node has barriers of. */
    private static BitSet[] cellsOfAdded(Transitions transitions, int passes) {
        BitSet[] cells = new BitSet[transitions.addedResource.length];
        Arrays.setAll(cells, node -> new BitSet());
        for (int draft = 0; draft < transitions.drafts(); draft++) {
            int node = transitions.node(draft);
            if (node >= passes) {
                cells[node - passes].set(transitions.cell(draft));
            }
        }
        return cells;
    }

    /** Stages of a pass's accesses to some cells, or to all if they are null. */
    private int stages(int pass, @Nullable BitSet cells) {
        int stages = 0;
        for (int t = map.touchBase[pass]; t < map.touchBase[pass + 1]; t++) {
            if (cells == null || cells.get(map.touchCell[t])) {
                stages |= stages(t);
            }
        }
        return stages;
    }

    private int stages(int touch) {
        return EpochSide.orAll(SubresourceMap.stages(map.scope(touch)));
    }
}
