package io.frameloom.rdg.compile.plan;

import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.compile.barrier.Barriers;
import io.frameloom.rdg.compile.barrier.SharedRenderPasses;
import io.frameloom.rdg.compile.barrier.SplitBarriers;
import io.frameloom.rdg.compile.barrier.Transitions;
import io.frameloom.rdg.compile.graph.Ownership;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.memory.Aliasing;
import io.frameloom.rdg.compile.memory.Lifetimes;
import io.frameloom.rdg.compile.memory.TransientSizes;
import io.frameloom.rdg.compile.order.Batching;
import io.frameloom.rdg.compile.order.Dependencies;
import io.frameloom.rdg.compile.order.RecordingGroups;
import io.frameloom.rdg.compile.order.Synchronization;
import io.frameloom.rdg.compile.order.UsedQueues;
import io.frameloom.rdg.compile.renderpass.LazyTargets;
import io.frameloom.rdg.compile.renderpass.MergeReasons;
import io.frameloom.rdg.compile.renderpass.RenderPassMerge;
import io.frameloom.rdg.compile.renderpass.TargetInference;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.BitSet;
import java.util.function.Function;

/**
 * The input of one compilation, and the results of its phases, in their order. One thread while phases run. The plan
 * does not keep it; what explains the plan does ({@link PlanReasons}).
 */
@SuppressWarnings("NullAway.Init") // each phase sets its own result, and later ones read it
public final class Compilation {
    private static final int[] AS_DECLARED = {};

    /** The graph with its passes in the order of execution. It does not change any more. */
    public final DeclaredGraph graph;

    public final SubresourceMap map;
    /** By pass its position in the graph as it was declared; empty if the passes are in that order. */
    final int[] declaredIndex;

    public final RdgOptions options;
    public final QueueTopology queues;
    public final MemorySizer sizer;
    /** Positions of the passes that stay on the graphics queue though they may leave it. */
    public final BitSet demoted;

    public final Scratch scratch;
    public final PhaseClock clock;
    /** Compiles the same once more, with given sizes. */
    final Function<MemorySizer, PlanReasons> again;

    /** By pass whether it runs. */
    public boolean[] live;

    /** By pass its place among {@link #used}, or -1. */
    public int[] passQueue;

    public UsedQueues used;
    public Ownership ownership;
    public StateMerge states;
    public Dependencies dependencies;
    public Transitions transitions;
    public Synchronization sync;
    public Batching batching;
    public MergeReasons mergeReasons;
    public RenderPassMerge renderPasses;
    public LazyTargets lazy;
    public TargetInference targets;
    public Lifetimes lifetimes;
    public TransientSizes sizes;
    public Aliasing aliasing;
    public SplitBarriers splits;
    public Barriers barriers;
    public SharedRenderPasses shared;
    public RecordingGroups recording;

    public Compilation(
            DeclaredGraph graph,
            SubresourceMap map,
            int[] declaredIndex,
            RdgOptions options,
            QueueTopology queues,
            MemorySizer sizer,
            BitSet demoted,
            Scratch scratch,
            PhaseClock clock,
            Function<MemorySizer, PlanReasons> again) {
        this.graph = graph;
        this.map = map;
        this.declaredIndex = isAscending(declaredIndex) ? AS_DECLARED : declaredIndex;
        this.options = options;
        this.queues = queues;
        this.sizer = sizer;
        this.demoted = demoted;
        this.scratch = scratch;
        this.clock = clock;
        this.again = again;
    }

    /** Returns whether passes stand in the order of the graph, which an order that was asked for may be. */
    private static boolean isAscending(int[] positions) {
        for (int p = 0; p < positions.length; p++) {
            if (positions[p] != p) {
                return false;
            }
        }
        return true;
    }

    /** Returns a compilation of the passes in another order, without results. */
    public Compilation of(DeclaredGraph permuted, SubresourceMap ranges, int[] positions) {
        return new Compilation(permuted, ranges, positions, options, queues, sizer, demoted, scratch, clock, again);
    }

    /** Returns the position of a pass in the graph as it was declared. */
    public int declaredIndex(int pass) {
        return declaredIndex.length == 0 ? pass : declaredIndex[pass];
    }

    /** Lets go of the scratch memory that parts of the plan know; what explains the plan still asks for it. */
    public void keepForPlan() {
        batching.keepForPlan();
        renderPasses.keepForPlan();
        barriers.keepForPlan();
    }

    public int queueCount() {
        return used.topology.queues().size();
    }
}
