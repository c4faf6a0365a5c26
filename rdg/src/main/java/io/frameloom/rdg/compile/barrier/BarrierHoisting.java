package io.frameloom.rdg.compile.barrier;

import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.renderpass.RenderPassMerge;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;

/**
 * Issues barriers earlier, where others are issued anyway, so that a queue stops less often. That is the first such
 * point after the last pass of the former state. What is asked for stays the same, and nothing else touches the range
 * in between.
 *
 * <p>Only if both states are of one queue. Else the barrier also stands after waits, or hands over between queue
 * families. Not for a first use, since the resource would then take its memory earlier. Not across a pass with
 * undeclared accesses, on any queue, nor into a render pass. The barriers of one resource at one point move together,
 * so what was joined stays joined. There are never more barriers nor more points than before.
 */
public final class BarrierHoisting {
    private static final int NONE = -1;

    private final DeclaredGraph graph;
    private final SubresourceMap map;
    private final StateMerge states;
    private final Transitions transitions;
    private final RenderPassMerge renderPasses;
    private final int[] position;
    /** First draft at each point, and the next one there. */
    private final int[] firstAt;

    private final int[] nextAt;
    /** Points with barriers by queue, in order. */
    private final IntList[] issued;

    private BarrierHoisting(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            Transitions transitions,
            RenderPassMerge renderPasses,
            int queueCount) {
        this.graph = graph;
        this.map = map;
        this.states = states;
        this.transitions = transitions;
        this.renderPasses = renderPasses;
        position = new int[transitions.queue.length];
        firstAt = new int[2 * position.length];
        nextAt = new int[transitions.drafts()];
        Arrays.fill(firstAt, NONE);
        for (int draft = transitions.drafts() - 1; draft >= 0; draft--) {
            nextAt[draft] = firstAt[transitions.point(draft)];
            firstAt[transitions.point(draft)] = draft;
        }
        issued = new IntList[queueCount];
        Arrays.setAll(issued, queue -> new IntList(8));
    }

    /** Moves the drafts of barriers to where they are issued. */
    public static void hoist(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            Transitions transitions,
            RenderPassMerge renderPasses,
            int queueCount) {
        new BarrierHoisting(graph, map, states, transitions, renderPasses, queueCount).run();
    }

    private void run() {
        int[] count = new int[issued.length];
        int[] behindFence = new int[issued.length];
        for (int i = 0; i < transitions.ordered; i++) {
            int node = transitions.order[i];
            int queue = transitions.queue[node];
            position[node] = count[queue]++;
            if (isInsideRenderPass(node)) {
                noteAfter(node, queue);
                continue;
            }
            boolean stays = false;
            for (int draft = firstAt[2 * node]; draft >= 0; draft = nextAt[draft]) {
                if (isFirstOfResource(draft, node)) {
                    int point = earlier(draft, queue, behindFence[queue]);
                    move(draft, point);
                    stays |= point == 2 * node && isCertain(draft);
                }
            }
            if (stays) {
                issued[queue].add(2 * node);
            }
            boolean isFence = node < graph.passes() && graph.has(node, PassFlag.UNTRACKED_ACCESS);
            if (isFence) {
                System.arraycopy(count, 0, behindFence, 0, count.length);
            }
            noteAfter(node, queue);
        }
    }

    private void noteAfter(int node, int queue) {
        if (firstAt[2 * node + 1] >= 0 && (node >= graph.passes() || isLastOfRenderPass(node))) {
            issued[queue].add(2 * node + 1);
        }
    }

    /** Barriers before all but the first pass of a render pass go before the first, or vanish. */
    private boolean isInsideRenderPass(int node) {
        return node < graph.passes() && renderPasses.firstMember(node) != node;
    }

    private boolean isLastOfRenderPass(int node) {
        return renderPasses.lastMember(node) == node;
    }

    private int resource(int draft) {
        return map.cellResource[transitions.cell(draft)];
    }

    private boolean isFirstOfResource(int draft, int node) {
        for (int d = firstAt[2 * node]; d != draft; d = nextAt[d]) {
            if (resource(d) == resource(draft)) {
                return false;
            }
        }
        return true;
    }

    /** A buffer needs a barrier at its first use only if it takes over memory. */
    private boolean isCertain(int draft) {
        boolean firstUse = transitions.epoch(draft) == states.firstEpoch[transitions.cell(draft)];
        return map.isTexture(resource(draft)) || !firstUse;
    }

    /**
     * Returns the first point at which all barriers of a resource that stand with a draft may be issued; its own if
     * none.
     */
    private int earlier(int draft, int queue, int behindFence) {
        int own = transitions.point(draft);
        int behind = 2 * behindFence;
        for (int d = draft; d >= 0; d = nextAt[d]) {
            if (resource(d) == resource(draft)) {
                int last = lastOfFormer(d, queue);
                if (last < 0) {
                    return own;
                }
                behind = Math.max(behind, 2 * position[last] + 1);
            }
        }
        int first = firstIssued(issued[queue], behind);
        return first < issued[queue].size() ? issued[queue].get(first) : own;
    }

    /** Returns where in a list of points those begin that are not before a place of their queue. */
    private int firstIssued(IntList points, int behind) {
        int low = 0;
        int high = points.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            int point = points.get(middle);
            if (2 * position[point >> 1] + (point & 1) < behind) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the last pass of the state before a barrier, or -1 if it must stay. */
    private int lastOfFormer(int draft, int queue) {
        int epoch = transitions.epoch(draft);
        boolean staysOnQueue = epoch > states.firstEpoch[transitions.cell(draft)]
                && states.queue(epoch - 1) == queue
                && states.queue(epoch) == queue;
        return staysOnQueue ? states.lastPass(epoch - 1) : NONE;
    }

    private void move(int draft, int point) {
        for (int d = draft; d >= 0; d = nextAt[d]) {
            if (resource(d) == resource(draft)) {
                transitions.move(d, point);
            }
        }
    }
}
