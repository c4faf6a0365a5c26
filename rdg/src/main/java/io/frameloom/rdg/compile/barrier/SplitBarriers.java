package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.SplitRefusal;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.renderpass.RenderPassMerge;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides which barriers are issued in two halves. The first comes after the last pass of the former state, the second
 * where the barrier stands. So the passes in between hide what the queue would wait for. What is asked for stays the
 * same, and nothing touches the range in between.
 *
 * <p>Only if the passes of both states are on one queue that has events, and some pass lies between. Passes that share
 * a render pass count as one, and no half is inside of it. Not for a first use or the end of the frame, whose other
 * side is in another frame. Shared memory that changes hands is a first use. Not for the host or between queue
 * families. After a pass with undeclared accesses on any queue the first half comes no earlier than that pass. A
 * barrier that was hoisted stays whole, and so does what stands where it went: together they are one command.
 */
public final class SplitBarriers {
    private static final int NONE = -1;
    private static final SplitRefusal[] REFUSALS = SplitRefusal.values();
    private static final SplitBarriers OFF = new SplitBarriers(new int[0]);

    /**
     * By draft, or row of barriers, the pass after which its first half is, or what {@link #refused} makes of a refusal.
     */
    private final int[] decision;

    private final @Nullable BarrierSplit[] refusals = new BarrierSplit[REFUSALS.length];

    private SplitBarriers(int[] decision) {
        this.decision = decision;
    }

    /** Leaves all barriers whole, without a word. */
    public static SplitBarriers off() {
        return OFF;
    }

    /** Decides for each draft, after barriers were hoisted if they are. */
    public static SplitBarriers decide(
            DeclaredGraph graph,
            StateMerge states,
            Transitions transitions,
            RenderPassMerge renderPasses,
            QueueTopology queues) {
        return new SplitBarriers(new Search(graph, states, transitions, renderPasses, queues).decisions());
    }

    /** Returns whether two drafts are issued alike: both whole, or both begun after the same pass. */
    boolean alike(int a, int b) {
        return begin(a) == begin(b);
    }

    SplitBarriers of(int[] drafts, int count) {
        if (decision.length == 0) {
            return this;
        }
        int[] decided = new int[count];
        Arrays.setAll(decided, i -> decision[drafts[i]]);
        return new SplitBarriers(decided);
    }

    /** Returns the pass after which the first half of a row of barriers is issued, -1 if it is whole. */
    int begin(int row) {
        return decision.length == 0 ? NONE : Math.max(decision[row], NONE);
    }

    /** Returns what was decided for a row of barriers, null where splitting is off. */
    @Nullable
    BarrierSplit of(int row) {
        if (decision.length == 0) {
            return null;
        }
        int decided = decision[row];
        if (decided >= 0) {
            return new BarrierSplit(decided, null);
        }
        int refusal = NONE - decided;
        BarrierSplit known = refusals[refusal];
        if (known == null) {
            known = new BarrierSplit(NONE, REFUSALS[refusal]);
            refusals[refusal] = known;
        }
        return known;
    }

    private static int refused(SplitRefusal why) {
        return NONE - why.ordinal();
    }

    /** Walks the queues, with positions of passes: nodes that carry barriers alone hide nothing. */
    private static final class Search {
        private final DeclaredGraph graph;
        private final StateMerge states;
        private final Transitions transitions;
        private final RenderPassMerge renderPasses;
        private final QueueTopology queues;
        private final int passes;
        private final int[] position;
        private final IntList[] onQueue;
        /** By pass: position on its queue of the first pass after which a half may be, so that none crosses a fence. */
        private final int[] afterFence;

        Search(
                DeclaredGraph graph,
                StateMerge states,
                Transitions transitions,
                RenderPassMerge renderPasses,
                QueueTopology queues) {
            this.graph = graph;
            this.states = states;
            this.transitions = transitions;
            this.renderPasses = renderPasses;
            this.queues = queues;
            passes = graph.passes();
            position = new int[passes];
            afterFence = new int[passes];
            onQueue = new IntList[queues.queues().size()];
            Arrays.setAll(onQueue, queue -> new IntList(8));
            walk();
        }

        private void walk() {
            int[] fence = new int[onQueue.length];
            for (int i = 0; i < transitions.ordered; i++) {
                int node = transitions.order[i];
                if (node >= passes) {
                    continue;
                }
                int queue = transitions.queue[node];
                afterFence[node] = fence[queue];
                position[node] = onQueue[queue].size();
                onQueue[queue].add(node);
                if (graph.has(node, PassFlag.UNTRACKED_ACCESS)) {
                    // After the pass itself on its queue, elsewhere after the first that comes after it.
                    for (int q = 0; q < fence.length; q++) {
                        fence[q] = q == queue ? position[node] : onQueue[q].size();
                    }
                }
            }
        }

        int[] decisions() {
            int[] result = new int[transitions.drafts()];
            boolean[] hoistedTo = new boolean[2 * transitions.queue.length];
            for (int draft = 0; draft < result.length; draft++) {
                SplitRefusal refusal = outright(draft);
                result[draft] = refusal == null ? 0 : refused(refusal);
                if (refusal == SplitRefusal.HOISTED) {
                    hoistedTo[transitions.point(draft)] = true;
                }
            }
            for (int draft = 0; draft < result.length; draft++) {
                if (result[draft] >= 0) {
                    int end = renderPasses.firstMember(transitions.node(draft));
                    result[draft] = hoistedTo[2 * end] ? refused(SplitRefusal.HOISTED) : begin(draft, end);
                }
            }
            return result;
        }

        /** Returns why a barrier stays whole wherever it stands, or null. */
        private @Nullable SplitRefusal outright(int draft) {
            int epoch = transitions.epoch(draft);
            if (transitions.families(draft) != 0) {
                return SplitRefusal.OWNERSHIP;
            }
            if ((Transitions.stages(transitions.src(draft) | transitions.dst(draft)) & PipelineStage.HOST.bit()) != 0) {
                return SplitRefusal.HOST;
            }
            if (epoch < 0) {
                return SplitRefusal.END_OF_FRAME;
            }
            if (states.isFirst(epoch)) {
                return SplitRefusal.FIRST_USE;
            }
            int queue = transitions.queue[transitions.node(draft)];
            if (states.queue(epoch - 1) != queue || states.queue(epoch) != queue) {
                return SplitRefusal.CROSS_QUEUE;
            }
            if (queues.queues().get(queue).kind() == QueueKind.COPY) {
                return SplitRefusal.COPY_QUEUE;
            }
            return transitions.point(draft) == 2 * states.firstPass(epoch) ? null : SplitRefusal.HOISTED;
        }

        /** Returns the pass after which the first half comes if the second is before {@code end}, or a refusal. */
        private int begin(int draft, int end) {
            int last = renderPasses.lastMember(states.lastPass(transitions.epoch(draft) - 1));
            IntList queue = onQueue[transitions.queue[end]];
            int first = position[last];
            int fenced = afterFence[transitions.node(draft)];
            if (fenced > first && fenced < queue.size()) {
                first = position[renderPasses.lastMember(queue.get(fenced))];
            }
            if (position[end] - first <= 1) {
                return refused(first == position[last] ? SplitRefusal.ADJACENT : SplitRefusal.UNTRACKED);
            }
            return queue.get(first);
        }
    }
}
