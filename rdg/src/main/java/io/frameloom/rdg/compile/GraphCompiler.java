package io.frameloom.rdg.compile;

import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.DependencyKind;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.RenderTargets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs the phases of the compiler in order and puts the plan together. */
public final class GraphCompiler {
    private static final PassBody NOTHING = context -> {};

    private final DeclaredGraph graph;
    private final SubresourceMap map;
    private final boolean[] live;
    private final int[] passQueue;
    private final StateMerge states;
    private final Dependencies dependencies;
    private final Transitions transitions;
    private final Synchronization sync;
    private final Batching batching;
    private final UsageCompletion usages;
    private final Lifetimes lifetimes;
    private final Aliasing aliasing;
    private final Barriers barriers;
    private final @Nullable RenderTargets[] targets;
    private final AsyncRegions regions;
    private final RenderPassMerge renderPasses;
    private final RenderPassMerge forkRule;
    private final SharedRenderPasses shared;
    private final RecordingGroups recording;

    private GraphCompiler(DeclaredGraph declared, RdgOptions options, QueueTopology queues, MemorySizer sizer) {
        int queueCount = queues.queues().size();
        Validator.Checked checked = Validator.check(declared, options.order());
        graph = checked.graph();
        map = checked.map();
        live = Culling.live(graph, map, options.cullPasses());
        passQueue = QueueAssignment.assign(graph, live, options.async(), queues);
        states = new StateMerge(graph, map, live, options.overlapStorageWrites());
        dependencies = new Dependencies(graph, map, states, live);
        transitions = new Transitions(graph, map, states, dependencies, passQueue, queueCount);
        sync = new Synchronization(transitions.order, transitions.queue, queueCount, transitions.from, transitions.to);
        batching = new Batching(
                transitions.order, transitions.queue, queueCount, transitions.from, transitions.to, sync.waited);
        usages = new UsageCompletion(graph, map, live);
        lifetimes = new Lifetimes(map, transitions, sync, graph.resources().size(), queueCount);
        aliasing = new Aliasing(graph, usages, lifetimes, sizer, options.aliasing());
        barriers = new Barriers(graph, map, states, transitions, aliasing);
        targets = targets();
        regions = new AsyncRegions(passQueue, queueCount, transitions.from, transitions.to);
        renderPasses = new RenderPassMerge(
                graph,
                map,
                states,
                targets,
                transitions.order,
                transitions.queue,
                batching.batchOf,
                new boolean[passQueue.length],
                options.mergeRenderPasses());
        forkRule = new RenderPassMerge(
                graph,
                map,
                states,
                targets,
                transitions.order,
                transitions.queue,
                new int[transitions.queue.length],
                regions.forks(),
                options.mergeRenderPasses());
        shared = new SharedRenderPasses(renderPasses, barriers, targets);
        recording = new RecordingGroups(
                batching.nodes, alone(), renderPasses.renderPassOf, options.passMin(), options.passMax());
    }

    /**
     * The plan as lists, in the order of {@link FramePlan}.
     *
     * @param passes passes
     * @param resources resources
     * @param batches batches
     * @param recordingGroups recording groups
     * @param heaps heaps
     * @param dependencies dependencies
     * @param epochs epochs
     * @param renderPasses render passes
     * @param forkRuleRenderPasses render passes by Unreal's rule
     * @param asyncRegions passes beside the graphics queue
     * @param transientBytesWithoutAliasing bytes if each transient had memory of its own
     */
    public record Result(
            List<FramePlan.PassPlan> passes,
            List<FramePlan.ResourcePlan> resources,
            List<FramePlan.Batch> batches,
            List<FramePlan.RecordingGroup> recordingGroups,
            List<FramePlan.HeapPlan> heaps,
            List<FramePlan.Dependency> dependencies,
            List<FramePlan.Epoch> epochs,
            List<FramePlan.RenderPassPlan> renderPasses,
            List<List<Integer>> forkRuleRenderPasses,
            List<FramePlan.AsyncRegion> asyncRegions,
            long transientBytesWithoutAliasing) {}

    /**
     * Compiles a declared graph.
     *
     * @throws RdgValidationException with every error of the graph
     */
    public static Result compile(DeclaredGraph graph, RdgOptions options, QueueTopology queues, MemorySizer sizer) {
        GraphCompiler compiler = new GraphCompiler(graph, options, queues, sizer);
        return new Result(
                compiler.passes(),
                compiler.resources(),
                compiler.batches(),
                compiler.recordingGroups(),
                compiler.heaps(),
                compiler.dependencies(),
                compiler.epochs(),
                compiler.renderPasses(),
                boxed(compiler.forkRule.passes),
                compiler.asyncRegions(),
                compiler.aliasing.bytesWithoutAliasing);
    }

    private boolean[] alone() {
        boolean[] alone = new boolean[transitions.queue.length];
        for (int p = 0; p < live.length; p++) {
            alone[p] = graph.passes().get(p).flags().contains(PassFlag.NEVER_PARALLEL);
        }
        return alone;
    }

    private @Nullable RenderTargets[] targets() {
        TargetInference inference = new TargetInference(graph, map, states);
        @Nullable RenderTargets[] result = new RenderTargets[live.length];
        for (DeclaredGraph.Pass pass : graph.passes()) {
            result[pass.index()] = live[pass.index()] ? inference.targets(pass) : null;
        }
        return result;
    }

    private List<FramePlan.RenderPassPlan> renderPasses() {
        List<FramePlan.RenderPassPlan> result = new ArrayList<>(renderPasses.passes.length);
        for (int[] members : renderPasses.passes) {
            result.add(new FramePlan.RenderPassPlan(result.size(), boxed(members), renderPasses.refusals[members[0]]));
        }
        return result;
    }

    private List<FramePlan.AsyncRegion> asyncRegions() {
        List<FramePlan.AsyncRegion> result = new ArrayList<>();
        for (int p = 0; p < passQueue.length; p++) {
            if (passQueue[p] > 0) {
                result.add(new FramePlan.AsyncRegion(p, regions.fork[p], regions.join[p]));
            }
        }
        return result;
    }

    private List<FramePlan.PassPlan> passes() {
        List<FramePlan.PassPlan> result = new ArrayList<>(transitions.queue.length);
        for (DeclaredGraph.Pass pass : graph.passes()) {
            int p = pass.index();
            PassBody body = pass.body();
            result.add(new FramePlan.PassPlan(
                    p,
                    pass.name(),
                    pass.kind(),
                    pass.flags(),
                    passQueue[p],
                    dependencies.level[p],
                    !live[p],
                    live[p] ? "" : Culling.reason(graph, map, p),
                    uses(pass),
                    shared.targets(p),
                    body == null ? NOTHING : body,
                    shared.before(p),
                    shared.after(p),
                    pass.scope(),
                    pass.uniforms()));
        }
        for (int n = live.length; n < transitions.queue.length; n++) {
            result.add(new FramePlan.PassPlan(
                    n,
                    nodeName(n),
                    PassKind.COPY,
                    Set.of(),
                    transitions.queue[n],
                    -1,
                    false,
                    "",
                    List.of(),
                    null,
                    NOTHING,
                    barriers.before(n),
                    barriers.after(n),
                    -1,
                    List.of()));
        }
        return result;
    }

    private String nodeName(int node) {
        return node < live.length
                ? graph.passes().get(node).name()
                : "transition:"
                        + graph.resources()
                                .get(transitions.addedResource[node - live.length])
                                .name();
    }

    private List<FramePlan.UsePlan> uses(DeclaredGraph.Pass pass) {
        List<FramePlan.UsePlan> result = new ArrayList<>(pass.uses().size());
        int[] box = new int[6];
        for (DeclaredGraph.Use use : pass.uses()) {
            DeclaredGraph.Declared resource = graph.resources().get(use.resource());
            TextureDescription texture = resource.texture();
            SubresourceRange range =
                    texture == null ? null : use.range() == null ? SubresourceRange.all(texture) : use.range();
            TextureLayout layout =
                    texture == null ? TextureLayout.UNDEFINED : use.access().layout();
            if (texture != null && live[pass.index()]) {
                map.box(use, box);
                layout = states.layout(states.epochOf(pass.index(), map.cell(use.resource(), box[0], box[2], box[4])));
            }
            long bytes = resource.buffer() == null
                    ? 0
                    : use.bytes() < 0 ? resource.buffer().bytes() : use.bytes();
            result.add(new FramePlan.UsePlan(
                    use.resource(),
                    range,
                    use.offset(),
                    bytes,
                    use.access(),
                    !use.needsContents(),
                    layout,
                    use.overlap()));
        }
        return result;
    }

    private List<FramePlan.ResourcePlan> resources() {
        List<FramePlan.ResourcePlan> result = new ArrayList<>(graph.resources().size());
        for (DeclaredGraph.Declared declared : graph.resources()) {
            int r = declared.index();
            result.add(new FramePlan.ResourcePlan(
                    r,
                    declared.name(),
                    declared.isTexture(),
                    usages.texture(r),
                    usages.buffer(r),
                    declared.lifetime(),
                    declared.external(),
                    aliasing.heap[r],
                    aliasing.offset[r],
                    aliasing.bytes[r],
                    declared.initialLayout(),
                    SubresourceMap.LAYOUTS[transitions.finalLayout[r]],
                    declared.extraction(),
                    lifetimes.isUsed(r)));
        }
        return result;
    }

    private List<FramePlan.Batch> batches() {
        List<FramePlan.Batch> result = new ArrayList<>(batching.nodes.length);
        for (int b = 0; b < batching.nodes.length; b++) {
            List<FramePlan.BatchWait> waits = new ArrayList<>(batching.waitEdges[b].length);
            for (int edge : batching.waitEdges[b]) {
                int from = transitions.from[edge];
                waits.add(new FramePlan.BatchWait(
                        batching.batchOf[from],
                        PipelineStage.ALL_COMMANDS.bit(),
                        waitReason(from, transitions.to[edge], edge)));
            }
            result.add(new FramePlan.Batch(
                    b, transitions.queue[batching.nodes[b][0]], boxed(batching.nodes[b]), waits, batching.signals[b]));
        }
        return result;
    }

    private String waitReason(int from, int to, int edge) {
        String pair = nodeName(to) + " must wait for " + nodeName(from);
        if (edge < dependencies.from.length && dependencies.resource[edge] < 0) {
            return pair + " (as declared)";
        }
        return edge < dependencies.from.length
                ? pair + " (" + kinds(dependencies.kinds[edge]) + " on "
                        + graph.resources().get(dependencies.resource[edge]).name() + ")"
                : pair + " (change of layout)";
    }

    private List<FramePlan.RecordingGroup> recordingGroups() {
        List<FramePlan.RecordingGroup> result = new ArrayList<>(recording.nodes.length);
        for (int g = 0; g < recording.nodes.length; g++) {
            result.add(new FramePlan.RecordingGroup(
                    g, recording.batch[g], boxed(recording.nodes[g]), recording.serial[g]));
        }
        return result;
    }

    private List<FramePlan.HeapPlan> heaps() {
        List<FramePlan.HeapPlan> result = new ArrayList<>(aliasing.heaps.size());
        for (int h = 0; h < aliasing.heaps.size(); h++) {
            HeapPacker.Packed packed = aliasing.heaps.get(h);
            result.add(new FramePlan.HeapPlan(aliasing.heapTypes.get(h), packed.bytes(), packed.lowerBound()));
        }
        return result;
    }

    private List<FramePlan.Dependency> dependencies() {
        List<FramePlan.Dependency> result = new ArrayList<>(dependencies.from.length);
        for (int e = 0; e < dependencies.from.length; e++) {
            result.add(new FramePlan.Dependency(
                    dependencies.from[e],
                    dependencies.to[e],
                    dependencies.resource[e],
                    kinds(dependencies.kinds[e]),
                    passQueue[dependencies.from[e]] != passQueue[dependencies.to[e]],
                    sync.waited[e]));
        }
        return result;
    }

    private static Set<DependencyKind> kinds(int mask) {
        Set<DependencyKind> kinds = EnumSet.noneOf(DependencyKind.class);
        if ((mask & Dependencies.RAW) != 0) {
            kinds.add(DependencyKind.READ_AFTER_WRITE);
        }
        if ((mask & Dependencies.WAR) != 0) {
            kinds.add(DependencyKind.WRITE_AFTER_READ);
        }
        if ((mask & Dependencies.WAW) != 0) {
            kinds.add(DependencyKind.WRITE_AFTER_WRITE);
        }
        if ((mask & Dependencies.LAYOUT) != 0) {
            kinds.add(DependencyKind.LAYOUT);
        }
        if ((mask & Dependencies.DECLARED) != 0) {
            kinds.add(DependencyKind.DECLARED);
        }
        return kinds;
    }

    private List<FramePlan.Epoch> epochs() {
        List<FramePlan.Epoch> result = new ArrayList<>(states.epochs());
        int[] box = new int[6];
        for (int e = 0; e < states.epochs(); e++) {
            int cell = states.epochCell[e];
            int resource = map.cellResource[cell];
            boolean texture = map.isTexture(resource);
            map.boxOfCell(cell, box);
            List<Integer> members = new ArrayList<>(states.epochStart[e + 1] - states.epochStart[e]);
            for (int i = states.epochStart[e]; i < states.epochStart[e + 1]; i++) {
                members.add(map.touchPass[states.sorted[i]]);
            }
            result.add(new FramePlan.Epoch(
                    resource,
                    texture ? map.range(resource, box) : null,
                    texture ? 0 : map.offset(resource, box),
                    texture ? 0 : map.bytes(resource, box),
                    states.epochWrites[e],
                    states.layout(e),
                    members));
        }
        return result;
    }

    private static List<List<Integer>> boxed(int[][] groups) {
        List<List<Integer>> result = new ArrayList<>(groups.length);
        for (int[] group : groups) {
            result.add(boxed(group));
        }
        return result;
    }

    private static List<Integer> boxed(int[] values) {
        List<Integer> result = new ArrayList<>(values.length);
        for (int value : values) {
            result.add(value);
        }
        return result;
    }
}
