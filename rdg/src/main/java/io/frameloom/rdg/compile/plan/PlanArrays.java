package io.frameloom.rdg.compile.plan;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.compile.barrier.BarrierReasons;
import io.frameloom.rdg.compile.barrier.Barriers;
import io.frameloom.rdg.compile.barrier.SharedRenderPasses;
import io.frameloom.rdg.compile.graph.Culling;
import io.frameloom.rdg.compile.graph.KnownPasses;
import io.frameloom.rdg.compile.graph.KnownResources;
import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.compile.graph.PlanItems;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.memory.Aliasing;
import io.frameloom.rdg.compile.memory.HeapPacker;
import io.frameloom.rdg.compile.memory.UsageCompletion;
import io.frameloom.rdg.compile.order.Batching;
import io.frameloom.rdg.compile.order.RecordingGroups;
import io.frameloom.rdg.compile.order.Synchronization;
import io.frameloom.rdg.compile.order.UsedQueues;
import io.frameloom.rdg.compile.renderpass.LazyTargets;
import io.frameloom.rdg.compile.renderpass.MergeReasons;
import io.frameloom.rdg.compile.renderpass.RenderPassMerge;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arrays of the phases that are a plan, and how they are put into lists under the names of a graph. Holds nothing
 * of the graph that was compiled but shapes, so it is all that plans of graphs share which differ in names. Immutable;
 * any thread.
 */
public final class PlanArrays {
    private final KnownPasses known;
    private final SubresourceMap map;
    private final StateMerge states;
    private final boolean[] live;
    private final int[] level;
    /** Queue of each node, and the two of each dependency. */
    private final int[] queue;

    private final int[] from;
    private final int[] to;
    private final int[] finalLayout;
    private final UsedQueues queues;
    private final SharedRenderPasses shared;
    private final Barriers barriers;
    private final Batching batching;
    private final int @Nullable [] waitStages;
    private final RecordingGroups recording;
    private final RenderPassMerge renderPasses;
    private final MergeReasons mergeReasons;
    private final int[] physicalStart;
    /** By scope the one around it, or -1. */
    private final int[] scopeParent;

    private final Aliasing aliasing;
    private final UsageCompletion usages;
    private final boolean[] used;
    private final LazyTargets lazy;
    private final KnownResources resources;
    private final Derivation derivation;

    public PlanArrays(Compilation c, Derivation derivation) {
        known = c.known;
        map = c.map;
        states = c.states;
        live = c.live;
        level = c.dependencies.level;
        queue = c.transitions.queue;
        from = c.transitions.from;
        to = c.transitions.to;
        finalLayout = c.transitions.finalLayout;
        queues = c.used;
        shared = c.shared;
        barriers = c.barriers;
        batching = c.batching;
        waitStages = c.sync.stages;
        recording = c.recording;
        renderPasses = c.renderPasses;
        mergeReasons = c.mergeReasons;
        physicalStart = c.physical.start;
        scopeParent = new int[c.graph.scopes().size()];
        for (int s = 0; s < scopeParent.length; s++) {
            scopeParent[s] = c.graph.scopes().get(s).parent();
        }
        aliasing = c.aliasing;
        usages = c.usages;
        lazy = c.lazy;
        this.derivation = derivation;
        resources = c.resources;
        used = new boolean[resources.count()];
        for (int r = 0; r < used.length; r++) {
            used[r] = c.lifetimes.isUsed(r);
        }
    }

    /** The declared passes, and after them the nodes that carry nothing but barriers. */
    List<FramePlan.PassPlan> passes(Names names) {
        PlanItems items = new PlanItems();
        BarrierReasons reasons = barriers.reasons(names);
        int[] epochOfCell = new int[map.cells()];
        FramePlan.PassPlan[] result = new FramePlan.PassPlan[queue.length];
        for (int p = 0; p < live.length; p++) {
            result[p] = new FramePlan.PassPlan(
                    p,
                    names.pass(p),
                    known.kind[p],
                    known.flags[p],
                    queues.original(queue[p]),
                    level[p],
                    !live[p],
                    live[p] ? "" : Culling.reason(names, map, p),
                    uses(p, epochOfCell, items),
                    shared.targets(p),
                    shared.before(p, reasons, items),
                    shared.after(p, reasons, items),
                    known.scope[p]);
        }
        for (int n = live.length; n < result.length; n++) {
            result[n] = new FramePlan.PassPlan(
                    n,
                    names.pass(n),
                    PassKind.COPY,
                    Set.of(),
                    queues.original(queue[n]),
                    -1,
                    false,
                    "",
                    List.of(),
                    null,
                    barriers.before(n, reasons, items),
                    barriers.after(n, reasons, items),
                    -1);
        }
        return List.of(result);
    }

    private List<FramePlan.UsePlan> uses(int pass, int[] epochOfCell, PlanItems items) {
        boolean runs = live[pass];
        for (int t = map.touchBase[pass]; runs && t < map.touchBase[pass + 1]; t++) {
            epochOfCell[map.touchCell[t]] = states.epochOfTouch[t];
        }
        int count = known.useBase[pass + 1] - known.useBase[pass];
        for (int u = 0; u < count; u++) {
            DeclaredGraph.Use use = known.use(pass, u);
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
                            use.overlap(),
                            use.mode() == DeclaredGraph.Mode.OVERWRITE_IF_RUN));
        }
        return items.list(count);
    }

    private long bytes(DeclaredGraph.Use use) {
        return use.bytes() < 0 ? map.bufferBytes(use.resource()) : use.bytes();
    }

    private SubresourceRange range(DeclaredGraph.Use use) {
        SubresourceRange range = use.range();
        return range == null ? map.whole(use.resource()) : range;
    }

    /** The resources without what the application binds to them. */
    List<FramePlan.ResourcePlan> resources(Names names) {
        FramePlan.ResourcePlan[] result = new FramePlan.ResourcePlan[used.length];
        for (int r = 0; r < result.length; r++) {
            TextureDescription texture = usages.texture(r);
            BufferDescription buffer = usages.buffer(r);
            result[r] = new FramePlan.ResourcePlan(
                    r,
                    names.resource(r),
                    map.isTexture(r),
                    texture,
                    buffer,
                    resources.lifetime[r],
                    null,
                    aliasing.heap[r],
                    aliasing.offset[r],
                    aliasing.bytes[r],
                    lazy.isLazy(r),
                    resources.initialLayout[r],
                    SubresourceMap.LAYOUTS[finalLayout[r]],
                    null,
                    used[r]);
        }
        return List.of(result);
    }

    List<FramePlan.Batch> batches(Names names) {
        PlanItems items = new PlanItems();
        FramePlan.Batch[] result = new FramePlan.Batch[batching.count()];
        for (int b = 0; b < result.length; b++) {
            int begin = batching.start[b];
            int firstWait = batching.waitStart[b];
            FramePlan.BatchWait[] waits = new FramePlan.BatchWait[batching.waitStart[b + 1] - firstWait];
            for (int i = 0; i < waits.length; i++) {
                int edge = batching.waitEdges[firstWait + i];
                int earlier = from[edge];
                waits[i] = new FramePlan.BatchWait(
                        batching.batchOf[earlier],
                        Synchronization.waitStages(waitStages, edge),
                        derivation.waitReason(names, earlier, to[edge], edge));
            }
            result[b] = new FramePlan.Batch(
                    b,
                    queues.original(queue[batching.nodes[begin]]),
                    items.boxed(batching.nodes, begin, batching.start[b + 1]),
                    List.of(waits),
                    batching.signals[b]);
        }
        return List.of(result);
    }

    List<FramePlan.RecordingGroup> recordingGroups() {
        PlanItems items = new PlanItems();
        FramePlan.RecordingGroup[] result = new FramePlan.RecordingGroup[recording.count()];
        for (int g = 0; g < result.length; g++) {
            result[g] = new FramePlan.RecordingGroup(
                    g, recording.batch(g), items.boxed(recording.nodes(g)), recording.isSerial(g));
        }
        return List.of(result);
    }

    List<FramePlan.RenderPassPlan> renderPasses(Names names) {
        PlanItems items = new PlanItems();
        FramePlan.RenderPassPlan[] result = new FramePlan.RenderPassPlan[renderPasses.count()];
        for (int i = 0; i < result.length; i++) {
            int begin = renderPasses.start[i];
            result[i] = new FramePlan.RenderPassPlan(
                    i,
                    items.boxed(renderPasses.members, begin, renderPasses.start[i + 1]),
                    isFirstOfQueue(begin) ? null : mergeReasons.of(renderPasses.members[begin], names));
        }
        return List.of(result);
    }

    /** Returns whether a member of a render pass is the first one on its queue: they are listed queue by queue. */
    private boolean isFirstOfQueue(int member) {
        return member == 0 || queue[renderPasses.members[member]] != queue[renderPasses.members[member - 1]];
    }

    /**
     * Where render passes are not joined, their lists are those of the render passes, which the executor asks for as
     * well.
     */
    List<List<Integer>> physicalPasses(List<FramePlan.RenderPassPlan> ofTargets) {
        PlanItems items = new PlanItems();
        List<?>[] result = new List<?>[physicalStart.length - 1];
        boolean joined = physicalStart != renderPasses.start;
        for (int i = 0; i < result.length; i++) {
            result[i] = joined
                    ? items.boxed(renderPasses.members, physicalStart[i], physicalStart[i + 1])
                    : ofTargets.get(i).passes();
        }
        return items.all(result);
    }

    List<FramePlan.HeapPlan> heaps() {
        FramePlan.HeapPlan[] result = new FramePlan.HeapPlan[aliasing.heaps.size()];
        for (int h = 0; h < result.length; h++) {
            HeapPacker.Packed packed = aliasing.heaps.get(h);
            result[h] = new FramePlan.HeapPlan(aliasing.heapTypes.get(h), packed.bytes(), packed.lowerBound());
        }
        return List.of(result);
    }

    List<FramePlan.ScopePlan> scopes(Names names) {
        FramePlan.ScopePlan[] result = new FramePlan.ScopePlan[scopeParent.length];
        for (int s = 0; s < result.length; s++) {
            result[s] = new FramePlan.ScopePlan(s, names.scope(s), scopeParent[s]);
        }
        return List.of(result);
    }

    long transientBytesWithoutAliasing() {
        return aliasing.bytesWithoutAliasing;
    }
}
