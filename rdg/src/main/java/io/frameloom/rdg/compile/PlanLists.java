package io.frameloom.rdg.compile;

import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassKind;
import java.util.List;
import java.util.Set;

/** Puts what the phases found into the lists of a plan. */
final class PlanLists {
    private final DeclaredGraph graph;
    private final SubresourceMap map;
    private final StateMerge states;
    private final boolean[] live;
    private final Transitions transitions;
    private final UsedQueues queues;
    private final Names names;
    private final PlanItems items;
    /** Epoch in which the pass at hand touches a cell. */
    private final int[] epochOfCell;

    PlanLists(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            boolean[] live,
            Transitions transitions,
            UsedQueues queues,
            Names names,
            Scratch scratch) {
        this.graph = graph;
        this.map = map;
        this.states = states;
        this.live = live;
        this.transitions = transitions;
        this.queues = queues;
        this.names = names;
        this.items = scratch.items;
        this.epochOfCell = scratch.ints(map.cells());
    }

    /** The declared passes, and behind them the nodes that carry nothing but barriers. */
    List<FramePlan.PassPlan> passes(int[] level, SharedRenderPasses shared, Barriers barriers) {
        FramePlan.PassPlan[] result = new FramePlan.PassPlan[transitions.queue.length];
        for (DeclaredGraph.Pass pass : graph.passes()) {
            int p = pass.index();
            result[p] = new FramePlan.PassPlan(
                    p,
                    pass.name(),
                    pass.kind(),
                    pass.flags(),
                    queues.original(transitions.queue[p]),
                    level[p],
                    !live[p],
                    live[p] ? "" : Culling.reason(graph, map, p),
                    uses(pass),
                    shared.targets(p),
                    shared.before(p),
                    shared.after(p),
                    pass.scope());
        }
        for (int n = live.length; n < result.length; n++) {
            result[n] = new FramePlan.PassPlan(
                    n,
                    names.pass(n),
                    PassKind.COPY,
                    Set.of(),
                    queues.original(transitions.queue[n]),
                    -1,
                    false,
                    "",
                    List.of(),
                    null,
                    barriers.before(n),
                    barriers.after(n),
                    -1);
        }
        return List.of(result);
    }

    private List<FramePlan.UsePlan> uses(DeclaredGraph.Pass pass) {
        int p = pass.index();
        boolean runs = live[p];
        for (int t = map.touchBase[p]; runs && t < map.touchBase[p + 1]; t++) {
            epochOfCell[map.touchCell[t]] = states.epochOfTouch[t];
        }
        List<DeclaredGraph.Use> uses = pass.uses();
        int count = uses.size();
        for (int u = 0; u < count; u++) {
            DeclaredGraph.Use use = uses.get(u);
            boolean texture = map.isTexture(use.resource());
            TextureLayout layout = texture ? use.access().layout() : TextureLayout.UNDEFINED;
            if (texture && runs) {
                layout = states.layout(epochOfCell[map.firstCell(use)]);
            }
            items.put(
                    u,
                    new FramePlan.UsePlan(
                            use.resource(),
                            texture ? range(use) : null,
                            use.offset(),
                            texture ? 0 : bytes(use),
                            use.access(),
                            !use.needsContents(),
                            layout,
                            use.overlap()));
        }
        return items.list(count);
    }

    private long bytes(DeclaredGraph.Use use) {
        BufferDescription buffer = graph.resources().get(use.resource()).buffer();
        return buffer == null ? 0 : use.bytes() < 0 ? buffer.bytes() : use.bytes();
    }

    private SubresourceRange range(DeclaredGraph.Use use) {
        SubresourceRange range = use.range();
        return range == null ? map.whole(use.resource()) : range;
    }

    /** The resources without what the application binds to them. */
    List<FramePlan.ResourcePlan> resources(
            UsageCompletion usages, LazyTargets lazy, Lifetimes lifetimes, Aliasing aliasing) {
        FramePlan.ResourcePlan[] result =
                new FramePlan.ResourcePlan[graph.resources().size()];
        for (DeclaredGraph.Declared declared : graph.resources()) {
            int r = declared.index();
            result[r] = new FramePlan.ResourcePlan(
                    r,
                    declared.name(),
                    declared.isTexture(),
                    usages.texture(r),
                    usages.buffer(r),
                    declared.lifetime(),
                    null,
                    aliasing.heap[r],
                    aliasing.offset[r],
                    aliasing.bytes[r],
                    lazy.isLazy(r),
                    declared.initialLayout(),
                    SubresourceMap.LAYOUTS[transitions.finalLayout[r]],
                    null,
                    lifetimes.isUsed(r));
        }
        return List.of(result);
    }

    List<FramePlan.Batch> batches(Batching batching, Synchronization sync, Derivation derivation) {
        FramePlan.Batch[] result = new FramePlan.Batch[batching.nodes.length];
        for (int b = 0; b < result.length; b++) {
            FramePlan.BatchWait[] waits = new FramePlan.BatchWait[batching.waitEdges[b].length];
            for (int i = 0; i < waits.length; i++) {
                int edge = batching.waitEdges[b][i];
                int from = transitions.from[edge];
                waits[i] = new FramePlan.BatchWait(
                        batching.batchOf[from],
                        sync.waitStages(edge),
                        derivation.waitReason(from, transitions.to[edge], edge));
            }
            result[b] = new FramePlan.Batch(
                    b,
                    queues.original(transitions.queue[batching.nodes[b][0]]),
                    items.boxed(batching.nodes[b]),
                    List.of(waits),
                    batching.signals[b]);
        }
        return List.of(result);
    }

    List<FramePlan.RecordingGroup> recordingGroups(RecordingGroups recording) {
        FramePlan.RecordingGroup[] result = new FramePlan.RecordingGroup[recording.nodes.length];
        for (int g = 0; g < result.length; g++) {
            result[g] = new FramePlan.RecordingGroup(
                    g, recording.batch[g], items.boxed(recording.nodes[g]), recording.serial[g]);
        }
        return List.of(result);
    }

    List<FramePlan.RenderPassPlan> renderPasses(RenderPassMerge merge) {
        FramePlan.RenderPassPlan[] result = new FramePlan.RenderPassPlan[merge.passes.length];
        for (int i = 0; i < result.length; i++) {
            int[] members = merge.passes[i];
            result[i] = new FramePlan.RenderPassPlan(i, items.boxed(members), merge.refusals[members[0]]);
        }
        return List.of(result);
    }

    List<FramePlan.HeapPlan> heaps(Aliasing aliasing) {
        FramePlan.HeapPlan[] result = new FramePlan.HeapPlan[aliasing.heaps.size()];
        for (int h = 0; h < result.length; h++) {
            HeapPacker.Packed packed = aliasing.heaps.get(h);
            result[h] = new FramePlan.HeapPlan(aliasing.heapTypes.get(h), packed.bytes(), packed.lowerBound());
        }
        return List.of(result);
    }
}
