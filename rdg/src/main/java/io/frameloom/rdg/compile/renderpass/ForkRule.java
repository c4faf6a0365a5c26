package io.frameloom.rdg.compile.renderpass;

import io.frameloom.rdg.compile.graph.KnownPasses;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import java.util.Arrays;

/**
 * The render passes of Unreal's rule, a report only: a new one begins before a pass after which another queue forks.
 * Found on request. Any thread.
 */
public final class ForkRule {
    private final KnownPasses known;
    private final SubresourceMap map;
    private final StateMerge states;
    private final TargetInference targets;
    private final int[] order;
    private final int[] queue;
    private final boolean enabled;

    /** {@code order} and {@code queue} are those of all nodes; {@code enabled} is as in {@link RenderPassMerge}. */
    public ForkRule(
            KnownPasses known,
            SubresourceMap map,
            StateMerge states,
            TargetInference targets,
            int[] order,
            int[] queue,
            boolean enabled) {
        this.known = known;
        this.map = map;
        this.states = states;
        this.targets = targets;
        this.order = order;
        this.queue = queue;
        this.enabled = enabled;
    }

    /** Returns the passes of each render pass; {@code forks} says after which passes another queue forks. */
    public int[][] passes(boolean[] forks) {
        RenderPassMerge merge = new RenderPassMerge(
                known, map, states, targets, order, queue, new int[queue.length], forks, enabled, false, new Scratch());
        int[][] passes = new int[merge.count()][];
        for (int i = 0; i < passes.length; i++) {
            passes[i] = Arrays.copyOfRange(merge.members, merge.start[i], merge.start[i + 1]);
        }
        return passes;
    }
}
