package io.frameloom.rdg.compile.plan;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PlanDerivation.AsyncRegion;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.PlanDerivation.Epoch;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.Reason;
import io.frameloom.rdg.compile.barrier.Barriers;
import io.frameloom.rdg.compile.barrier.SharedRenderPasses;
import io.frameloom.rdg.compile.graph.Culling;
import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.memory.Aliasing;
import io.frameloom.rdg.compile.memory.HeapBound;
import io.frameloom.rdg.compile.memory.HeapPacker;
import io.frameloom.rdg.compile.memory.Placement;
import io.frameloom.rdg.compile.order.Batching;
import io.frameloom.rdg.compile.order.RecordingGroups;
import io.frameloom.rdg.compile.order.Synchronization;
import io.frameloom.rdg.compile.order.UsedQueues;
import io.frameloom.rdg.compile.renderpass.LazyTargets;
import io.frameloom.rdg.compile.renderpass.RenderPassMerge;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.DeclaredNames;
import io.frameloom.rdg.declare.GraphLease;
import io.frameloom.rdg.diagnostics.CompilePhase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A plan as arrays of the phases, and how lists are made of them under the names of a graph. What explains the plan
 * comes from compiling once more ({@link PlanReasons}). Its lists take the names of any equal graph, so plans of
 * graphs that differ only in names share it. Immutable; any thread.
 */
public final class PlanArrays {
    private static final Reason SERIALISED = Reason.of(() -> "serialise mode");

    /** Of {@link #finalLayout}: some pass uses the resource. */
    private static final int USED = 1 << 6;

    final QueueTopology queues;
    final RdgOptions options;
    /** By declared pass of the plan its position in the graph; empty if they are in the order of the graph. */
    final int[] declaredIndex;

    final int declaredPasses;

    /** Nanoseconds of each phase, or none. */
    private final Map<CompilePhase, Long> compileTimes;

    private final DeclaredGraph graph;
    /** Null of a plan whose memory is not given back. */
    private final @Nullable GraphLease lease;
    /** The name of the graph that was compiled, for messages. */
    private final String name;

    private final PlanUses uses;
    /** Queue of each node among {@link #used}, -1 for passes that do not run. */
    private final int[] queue;

    private final UsedQueues used;
    /** Longest chain of dependencies before each pass. */
    private final int[] level;
    /** By node that the compiler added the resource that it changes. */
    private final int[] addedResource;

    /** By resource its layout at the end of the frame, and whether any pass uses it. */
    private final byte[] finalLayout;

    private final SharedRenderPasses shared;
    private final Barriers barriers;
    private final Batching batching;
    /** By wait the stages that wait, null if all do. */
    private final int @Nullable [] waitStages;

    private final RecordingGroups recording;
    private final RenderPassMerge renderPasses;

    private final Placement placement;
    private final List<FramePlan.HeapPlan> heaps;
    private final boolean mayGain;
    /** By resource the description of a texture or a buffer. */
    private final @Nullable Object[] shapes;

    private final LazyTargets lazy;
    private final MemorySizer sizer;
    private final Function<MemorySizer, PlanReasons> again;
    private final OnRequest<PlanReasons> reasons = new OnRequest<>(this::makeReasons);
    private final OnRequest<List<Dependency>> dependencyList =
            new OnRequest<>(() -> reasons().dependencies());
    private final OnRequest<List<Epoch>> epochList =
            new OnRequest<>(() -> reasons().epochs());

    /** The numbers of all nodes, each an object that several lists share. */
    private final OnRequest<Integer[]> numbers = new OnRequest<>(this::makeNumbers);

    /** Keeps of a compilation that has gone through all phases what a plan needs. */
    public PlanArrays(Compilation c) {
        queues = c.queues;
        options = c.options;
        declaredIndex = c.declaredIndex;
        declaredPasses = c.graph.passes();
        compileTimes = c.clock.nanos();
        graph = c.graph;
        lease = graph.lease();
        name = graph.name();
        uses = new PlanUses(graph, c.map.forPlan(), c.states.layouts(c.scratch));
        queue = c.transitions.queue;
        used = c.used;
        level = c.dependencies.level;
        addedResource = c.transitions.addedResource;
        shared = c.shared;
        barriers = c.barriers;
        batching = c.batching;
        waitStages = waitStages(c);
        recording = c.recording;
        renderPasses = c.renderPasses;
        placement = c.aliasing.placement;
        heaps = heaps(c.aliasing);
        mayGain = c.aliasing.mayGain;
        sizer = c.sizer;
        again = c.again;
        shapes = c.sizes.shapes;
        lazy = c.lazy;
        finalLayout = c.transitions.finalLayout;
        for (int r = 0; r < finalLayout.length; r++) {
            finalLayout[r] = (byte) (finalLayout[r] | (c.lifetimes.isUsed(r) ? USED : 0));
        }
    }

    private static int @Nullable [] waitStages(Compilation c) {
        int[] ofEdges = c.sync.stages;
        return ofEdges == null
                ? null
                : IntStream.of(c.batching.waitEdges).map(edge -> ofEdges[edge]).toArray();
    }

    private Integer[] makeNumbers() {
        Integer[] all = new Integer[queue.length];
        Arrays.setAll(all, Integer::valueOf);
        return all;
    }

    private PlanReasons reasons() {
        requireHeld();
        return reasons.get();
    }

    /** What is made when it is read needs the memory of the plan, in which another graph may be. */
    private void requireHeld() {
        if (lease != null && lease.isOver()) {
            throw new IllegalStateException("something of plan '" + name + "' is read first after release(); read it"
                    + " before, or compile the graph again");
        }
    }

    /** Returns what counts who reads the plan, null if its memory is not given back. */
    public @Nullable GraphLease lease() {
        return lease;
    }

    private PlanReasons makeReasons() {
        Map<Object, MemoryRequirements> known = new HashMap<>();
        for (int r = 0; r < shapes.length; r++) {
            Object shape = shapes[r];
            boolean sized = placement.heap[r] >= 0 || lazy.isLazy(r);
            if (shape != null && sized && graph.memory(r) == null) {
                known.put(shape, placement.memory(r));
            }
        }
        return again.apply(new PlannedSizes(sizer, known));
    }

    private Reason reasonOfBarrier(int box, Names names) {
        return new Reason() {
            @Override
            public String text() {
                return reasons().ofBarrier(box, names);
            }
        };
    }

    Names names(DeclaredNames declared) {
        return new Names(declared, declaredIndex, addedResource);
    }

    /** The declared passes, and after them the nodes that carry nothing but barriers. */
    List<FramePlan.PassPlan> passes(Names names) {
        requireHeld();
        IntFunction<List<FramePlan.UsePlan>> ofUses = pass -> {
            requireHeld();
            return uses.list(pass, queue[pass] < 0);
        };
        IntFunction<List<FramePlan.PlanBarrier>> ofBefore = pass -> barriers(barriersBefore(pass), names);
        IntFunction<List<FramePlan.PlanBarrier>> ofAfter = pass -> barriers(barriersAfter(pass), names);
        // A plan knows no touches, and mostly no pass is removed.
        OnRequest<SubresourceMap> touches = new OnRequest<>(() -> new SubresourceMap(graph, new Scratch()));
        FramePlan.PassPlan[] result = new FramePlan.PassPlan[queue.length];
        for (int p = 0; p < graph.passes(); p++) {
            result[p] = new FramePlan.PassPlan(
                    p,
                    names.pass(p),
                    graph.kind(p),
                    graph.flags(p),
                    used.original(queue[p]),
                    level[p],
                    queue[p] < 0,
                    queue[p] >= 0 ? "" : Culling.reason(graph, names, touches.get(), p),
                    new ListOnRequest<>(ofUses, p),
                    shared.targets(p),
                    new ListOnRequest<>(ofBefore, p),
                    new ListOnRequest<>(ofAfter, p),
                    graph.scope(p));
        }
        for (int n = graph.passes(); n < result.length; n++) {
            result[n] = new FramePlan.PassPlan(
                    n,
                    names.pass(n),
                    PassKind.COPY,
                    Set.of(),
                    used.original(queue[n]),
                    -1,
                    false,
                    "",
                    List.of(),
                    null,
                    new ListOnRequest<>(ofBefore, n),
                    new ListOnRequest<>(ofAfter, n),
                    -1);
        }
        return List.of(result);
    }

    private List<FramePlan.PlanBarrier> barriers(int[] boxes, Names names) {
        requireHeld();
        FramePlan.PlanBarrier[] result = new FramePlan.PlanBarrier[boxes.length];
        Arrays.setAll(result, i -> barriers.planned(boxes[i], reasonOfBarrier(boxes[i], names)));
        return List.of(result);
    }

    public PlanUses uses() {
        requireHeld();
        return uses;
    }

    /** Returns what the barriers {@link #barriersBefore} and {@link #barriersAfter} passes are. */
    public Barriers barriers() {
        return barriers;
    }

    public int[] barriersBefore(int pass) {
        return shared.before(pass);
    }

    public int[] barriersAfter(int pass) {
        return shared.after(pass);
    }

    int barrierCount() {
        return IntStream.range(0, queue.length)
                .map(pass -> barriersBefore(pass).length + barriersAfter(pass).length)
                .sum();
    }

    List<FramePlan.ResourcePlan> resources(Names names) {
        requireHeld();
        FramePlan.ResourcePlan[] result = new FramePlan.ResourcePlan[finalLayout.length];
        for (int r = 0; r < result.length; r++) {
            TextureDescription texture = shapes[r] instanceof TextureDescription shape ? shape : null;
            BufferDescription buffer = shapes[r] instanceof BufferDescription shape ? shape : null;
            result[r] = new FramePlan.ResourcePlan(
                    r,
                    names.resource(r),
                    graph.isTexture(r),
                    texture,
                    buffer,
                    graph.lifetime(r),
                    null,
                    placement.heap[r],
                    placement.offset[r],
                    placement.bytes(r),
                    lazy.isLazy(r),
                    graph.initialLayout(r),
                    SubresourceMap.LAYOUTS[finalLayout[r] & ~USED],
                    null,
                    (finalLayout[r] & USED) != 0);
        }
        return List.of(result);
    }

    List<FramePlan.Batch> batches(Names names) {
        FramePlan.Batch[] result = new FramePlan.Batch[batching.count()];
        for (int b = 0; b < result.length; b++) {
            int begin = batching.start[b];
            int firstWait = batching.waitStart[b];
            FramePlan.BatchWait[] waits = new FramePlan.BatchWait[batching.waitStart[b + 1] - firstWait];
            for (int i = 0; i < waits.length; i++) {
                int wait = firstWait + i;
                waits[i] = new FramePlan.BatchWait(
                        batching.waits[wait],
                        Synchronization.waitStages(waitStages, wait),
                        Reason.of(() -> reasons().ofWait(wait, names)));
            }
            result[b] = new FramePlan.Batch(
                    b,
                    used.original(queue[batching.nodes[begin]]),
                    nodes(batching.nodes, begin, batching.start[b + 1]),
                    List.of(waits),
                    batching.signals[b]);
        }
        return List.of(result);
    }

    /** The batches of serialise mode: each recording group, which is then one pass, is a submission of its own. */
    List<FramePlan.Batch> serialBatches() {
        FramePlan.Batch[] result = new FramePlan.Batch[recording.count()];
        for (int g = 0; g < result.length; g++) {
            int[] nodes = recording.nodes(g);
            int own = used.original(queue[nodes[0]]);
            boolean follows = g == 0 || result[g - 1].queue() == own;
            result[g] = new FramePlan.Batch(
                    g,
                    own,
                    nodes(nodes, 0, nodes.length),
                    follows
                            ? List.of()
                            : List.of(new FramePlan.BatchWait(g - 1, PipelineStage.ALL_COMMANDS.bit(), SERIALISED)),
                    g + 1 < result.length);
        }
        return List.of(result);
    }

    /** Returns the recording groups; with {@code serial} each is a batch. */
    List<FramePlan.RecordingGroup> recordingGroups(boolean serial) {
        FramePlan.RecordingGroup[] result = new FramePlan.RecordingGroup[recording.count()];
        for (int g = 0; g < result.length; g++) {
            int[] nodes = recording.nodes(g);
            result[g] = new FramePlan.RecordingGroup(
                    g, serial ? g : recording.batch(g), nodes(nodes, 0, nodes.length), recording.isSerial(g));
        }
        return List.of(result);
    }

    List<FramePlan.RenderPassPlan> renderPasses(Names names) {
        FramePlan.RenderPassPlan[] result = new FramePlan.RenderPassPlan[renderPasses.count()];
        for (int i = 0; i < result.length; i++) {
            int begin = renderPasses.start[i];
            result[i] = new FramePlan.RenderPassPlan(
                    i,
                    nodes(renderPasses.members, begin, renderPasses.start[i + 1]),
                    isFirstOfQueue(begin) ? null : mergeReason(renderPasses.members[begin], names));
        }
        return List.of(result);
    }

    private Reason mergeReason(int pass, Names names) {
        return Reason.of(() -> reasons().ofRenderPass(pass, names));
    }

    /** Returns whether a member of a render pass is the first one on its queue: they are listed queue by queue. */
    private boolean isFirstOfQueue(int member) {
        return member == 0 || queue[renderPasses.members[member]] != queue[renderPasses.members[member - 1]];
    }

    private List<FramePlan.HeapPlan> heaps(Aliasing aliasing) {
        FramePlan.HeapPlan[] result = new FramePlan.HeapPlan[aliasing.heaps.size()];
        for (int h = 0; h < result.length; h++) {
            int heap = h;
            HeapPacker.Packed packed = aliasing.heaps.get(h);
            result[h] = new FramePlan.HeapPlan(
                    aliasing.heapTypes.get(h),
                    packed.bytes(),
                    packed.unsearchedBytes(),
                    new HeapBound(() -> reasons().bound(heap)));
        }
        return List.of(result);
    }

    public List<FramePlan.HeapPlan> heaps() {
        return heaps;
    }

    List<FramePlan.ScopePlan> scopes(Names names) {
        requireHeld();
        FramePlan.ScopePlan[] result = new FramePlan.ScopePlan[graph.scopes()];
        for (int s = 0; s < result.length; s++) {
            result[s] = new FramePlan.ScopePlan(s, names.scope(s), graph.scopeParent(s));
        }
        return List.of(result);
    }

    static List<Integer> boxed(int[] values) {
        Integer[] boxes = new Integer[values.length];
        Arrays.setAll(boxes, i -> values[i]);
        return List.of(boxes);
    }

    private List<Integer> nodes(int[] values, int begin, int end) {
        if (end - begin == 1) {
            return List.of(numbers.get()[values[begin]]);
        }
        Integer[] boxes = new Integer[end - begin];
        for (int i = begin; i < end; i++) {
            boxes[i - begin] = numbers.get()[values[i]];
        }
        return List.of(boxes);
    }

    /** Returns whether a search for lower heaps, which was not asked for, may find some. */
    boolean mayGain() {
        return mayGain;
    }

    public long heapBytes() {
        long bytes = 0;
        for (FramePlan.HeapPlan heap : heaps) {
            bytes += heap.bytes();
        }
        return bytes;
    }

    /** Returns the bytes if each transient had memory of its own. */
    public long transientBytesWithoutAliasing() {
        long bytes = 0;
        for (int h = 0; h < heaps.size(); h++) {
            bytes += placement.bytesSideBySide(h);
        }
        return bytes;
    }

    /** Returns the nanoseconds of each phase, none if they were not asked for. */
    public Map<CompilePhase, Long> compileTimes() {
        return compileTimes;
    }

    /** Returns every ordering that the accesses ask for. */
    public List<Dependency> dependencies() {
        return dependencyList.get();
    }

    /** Returns the states that the ranges of the resources go through. */
    public List<Epoch> epochs() {
        return epochList.get();
    }

    /** Returns the raster passes that Unreal's rule would put into one render pass. */
    public List<List<Integer>> forkRuleRenderPasses() {
        return reasons().forkRuleRenderPasses();
    }

    /** Returns where the passes beside the graphics queue run. */
    public List<AsyncRegion> asyncRegions() {
        return reasons().asyncRegions();
    }

    /** Returns the passes that a pass was declared to come after. */
    public List<Integer> after(int pass) {
        if (pass >= declaredPasses) {
            return List.of();
        }
        List<Integer> result = new ArrayList<>();
        DeclaredGraph held = graph();
        for (int at = held.firstAfter(pass); at < held.firstAfter(pass + 1); at++) {
            result.add(held.after(at));
        }
        return result;
    }

    /** Returns the queue that a pass names, or -1. */
    public int namedQueue(int pass) {
        return pass < declaredPasses ? graph().queue(pass) : -1;
    }

    /** Returns the graph in the order of the plan. Graphs that share the plan may have other names. */
    public DeclaredGraph graph() {
        requireHeld();
        return graph;
    }

    /** Returns the resources whose memory a resource takes over, in ascending order. */
    public int[] takenOver(int resource) {
        return reasons().takenOver(resource);
    }

    public long alignment(int resource) {
        return placement.memory(resource).alignment();
    }

    public int memoryTypes(int resource) {
        return placement.memory(resource).memoryTypes();
    }
}
