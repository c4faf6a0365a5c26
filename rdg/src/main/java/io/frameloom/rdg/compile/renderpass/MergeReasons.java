package io.frameloom.rdg.compile.renderpass;

import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.Sentence;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The render passes of a graph, why each begins where it does, and what Unreal's rule would make of them. The last two
 * are made on request, by merging once more: merging is a small part of compiling, and a sentence for each render pass
 * is not. Any thread.
 */
public final class MergeReasons {
    private static final boolean[] NO_CUTS = {};

    private final DeclaredGraph graph;
    private final SubresourceMap map;
    private final StateMerge states;
    private final TargetInference targets;
    private final int[] order;
    private final int ordered;
    private final int[] queue;
    private final int[] batchOf;
    private final boolean enabled;
    /** By pass; two threads that ask first at once find the same. */
    private volatile @Nullable Sentence @Nullable [] refusals;

    /** Takes what {@link RenderPassMerge} takes. */
    public MergeReasons(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            TargetInference targets,
            int[] order,
            int ordered,
            int[] queue,
            int[] batchOf,
            boolean enabled) {
        this.graph = graph;
        this.map = map;
        this.states = states;
        this.targets = targets;
        this.order = order;
        this.ordered = ordered;
        this.queue = queue;
        this.batchOf = batchOf;
        this.enabled = enabled;
    }

    public RenderPassMerge merge(Scratch scratch) {
        return merge(batchOf, NO_CUTS, false, scratch);
    }

    /**
     * Returns why a pass that begins a render pass, which is not the first of its queue, does not join the one before
     * it.
     */
    public String of(int pass, Names names) {
        return Objects.requireNonNull(refusals()[pass]).in(names);
    }

    private @Nullable Sentence[] refusals() {
        @Nullable Sentence[] reasons = refusals;
        if (reasons == null) {
            reasons = merge(batchOf, NO_CUTS, true, new Scratch()).refusals;
            refusals = reasons;
        }
        return reasons;
    }

    /**
     * Returns the passes of each render pass of Unreal's rule, for reports alone: a new one begins before a pass after
     * which another queue forks.
     *
     * @param forks by pass whether another queue forks after it
     */
    public int[][] byForkRule(boolean[] forks) {
        RenderPassMerge merge = merge(new int[queue.length], forks, false, new Scratch());
        int[][] passes = new int[merge.count()][];
        Arrays.setAll(passes, i -> Arrays.copyOfRange(merge.members, merge.start[i], merge.start[i + 1]));
        return passes;
    }

    private RenderPassMerge merge(int[] batches, boolean[] cutBefore, boolean withReasons, Scratch scratch) {
        return new RenderPassMerge(
                graph, map, states, targets, order, ordered, queue, batches, cutBefore, enabled, withReasons, scratch);
    }
}
