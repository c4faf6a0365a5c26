package io.frameloom.rdg.compile;

import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassKind;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arrays of the phases that are a plan, put into lists when somebody asks: what is not asked for is never made. Holds
 * nothing of the graph but names and shapes. Any thread; two that ask first at once get equal lists.
 */
final class PlanLists implements PlanContents {
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
    private final Names names;
    private final SharedRenderPasses shared;
    private final Barriers barriers;
    private final Batching batching;
    private final int @Nullable [] waitStages;
    private final RecordingGroups recording;
    private final RenderPassMerge renderPasses;
    private final MergeReasons mergeReasons;
    private final int[] physicalStart;
    private final List<FramePlan.ScopePlan> scopes;
    private final Aliasing aliasing;
    private final UsageCompletion usages;
    private final boolean[] used;
    private final LazyTargets lazy;
    private final KnownResources resources;
    private final Derivation derivation;
    private volatile @Nullable List<FramePlan.PassPlan> passList;
    private volatile @Nullable List<FramePlan.ResourcePlan> resourceList;
    private volatile @Nullable List<FramePlan.Batch> batchList;
    private volatile @Nullable List<FramePlan.RecordingGroup> groupList;
    private volatile @Nullable List<FramePlan.HeapPlan> heapList;
    private volatile @Nullable List<FramePlan.RenderPassPlan> renderPassList;
    private volatile @Nullable List<List<Integer>> physicalList;

    PlanLists(
            DeclaredGraph graph,
            KnownPasses known,
            KnownResources resources,
            SubresourceMap map,
            StateMerge states,
            boolean[] live,
            int[] level,
            Transitions transitions,
            UsedQueues queues,
            Names names,
            SharedRenderPasses shared,
            Barriers barriers,
            Batching batching,
            int @Nullable [] waitStages,
            RecordingGroups recording,
            RenderPassMerge renderPasses,
            MergeReasons mergeReasons,
            PhysicalPasses physical,
            Aliasing aliasing,
            UsageCompletion usages,
            Lifetimes lifetimes,
            LazyTargets lazy,
            Derivation derivation) {
        this.known = known;
        this.map = map;
        this.states = states;
        this.live = live;
        this.level = level;
        this.queue = transitions.queue;
        this.from = transitions.from;
        this.to = transitions.to;
        this.finalLayout = transitions.finalLayout;
        this.queues = queues;
        this.names = names;
        this.shared = shared;
        this.barriers = barriers;
        this.batching = batching;
        this.waitStages = waitStages;
        this.recording = recording;
        this.renderPasses = renderPasses;
        this.mergeReasons = mergeReasons;
        this.physicalStart = physical.start;
        this.scopes = graph.scopes();
        this.aliasing = aliasing;
        this.usages = usages;
        this.lazy = lazy;
        this.derivation = derivation;
        this.resources = resources;
        used = new boolean[resources.count()];
        for (int r = 0; r < used.length; r++) {
            used[r] = lifetimes.isUsed(r);
        }
    }

    @Override
    public List<FramePlan.PassPlan> passes() {
        List<FramePlan.PassPlan> list = passList;
        if (list == null) {
            list = makePasses();
            passList = list;
        }
        return list;
    }

    @Override
    public List<FramePlan.ResourcePlan> resources() {
        List<FramePlan.ResourcePlan> list = resourceList;
        if (list == null) {
            list = makeResources();
            resourceList = list;
        }
        return list;
    }

    @Override
    public List<FramePlan.Batch> batches() {
        List<FramePlan.Batch> list = batchList;
        if (list == null) {
            list = makeBatches();
            batchList = list;
        }
        return list;
    }

    @Override
    public List<FramePlan.RecordingGroup> recordingGroups() {
        List<FramePlan.RecordingGroup> list = groupList;
        if (list == null) {
            list = makeRecordingGroups();
            groupList = list;
        }
        return list;
    }

    @Override
    public List<FramePlan.HeapPlan> heaps() {
        List<FramePlan.HeapPlan> list = heapList;
        if (list == null) {
            list = makeHeaps();
            heapList = list;
        }
        return list;
    }

    @Override
    public List<FramePlan.RenderPassPlan> renderPasses() {
        List<FramePlan.RenderPassPlan> list = renderPassList;
        if (list == null) {
            list = makeRenderPasses();
            renderPassList = list;
        }
        return list;
    }

    @Override
    public List<List<Integer>> physicalPasses() {
        List<List<Integer>> list = physicalList;
        if (list == null) {
            list = makePhysicalPasses();
            physicalList = list;
        }
        return list;
    }

    @Override
    public List<FramePlan.ScopePlan> scopes() {
        return scopes;
    }

    @Override
    public long transientBytesWithoutAliasing() {
        return aliasing.bytesWithoutAliasing;
    }

    /** The declared passes, and behind them the nodes that carry nothing but barriers. */
    private List<FramePlan.PassPlan> makePasses() {
        PlanItems items = new PlanItems();
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
                    shared.before(p, items),
                    shared.after(p, items),
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
                    barriers.before(n, items),
                    barriers.after(n, items),
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
                            use.overlap()));
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
    private List<FramePlan.ResourcePlan> makeResources() {
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

    private List<FramePlan.Batch> makeBatches() {
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
                        derivation.waitReason(earlier, to[edge], edge));
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

    private List<FramePlan.RecordingGroup> makeRecordingGroups() {
        PlanItems items = new PlanItems();
        FramePlan.RecordingGroup[] result = new FramePlan.RecordingGroup[recording.count()];
        for (int g = 0; g < result.length; g++) {
            result[g] = new FramePlan.RecordingGroup(
                    g, recording.batch(g), items.boxed(recording.nodes(g)), recording.isSerial(g));
        }
        return List.of(result);
    }

    private List<FramePlan.RenderPassPlan> makeRenderPasses() {
        PlanItems items = new PlanItems();
        FramePlan.RenderPassPlan[] result = new FramePlan.RenderPassPlan[renderPasses.count()];
        for (int i = 0; i < result.length; i++) {
            int begin = renderPasses.start[i];
            result[i] = new FramePlan.RenderPassPlan(
                    i,
                    items.boxed(renderPasses.members, begin, renderPasses.start[i + 1]),
                    isFirstOfQueue(begin) ? null : mergeReasons.of(renderPasses.members[begin]));
        }
        return List.of(result);
    }

    /** Returns whether a member of a render pass is the first one on its queue: they are listed queue by queue. */
    private boolean isFirstOfQueue(int member) {
        return member == 0 || queue[renderPasses.members[member]] != queue[renderPasses.members[member - 1]];
    }

    /** Where render passes are not joined, their lists are those of the render passes, which the executor asks for as well. */
    private List<List<Integer>> makePhysicalPasses() {
        PlanItems items = new PlanItems();
        List<?>[] result = new List<?>[physicalStart.length - 1];
        boolean joined = physicalStart != renderPasses.start;
        for (int i = 0; i < result.length; i++) {
            result[i] = joined
                    ? items.boxed(renderPasses.members, physicalStart[i], physicalStart[i + 1])
                    : renderPasses().get(i).passes();
        }
        return items.all(result);
    }

    private List<FramePlan.HeapPlan> makeHeaps() {
        FramePlan.HeapPlan[] result = new FramePlan.HeapPlan[aliasing.heaps.size()];
        for (int h = 0; h < result.length; h++) {
            HeapPacker.Packed packed = aliasing.heaps.get(h);
            result[h] = new FramePlan.HeapPlan(aliasing.heapTypes.get(h), packed.bytes(), packed.lowerBound());
        }
        return List.of(result);
    }
}
