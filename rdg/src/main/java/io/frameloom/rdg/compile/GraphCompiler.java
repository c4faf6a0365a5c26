package io.frameloom.rdg.compile;

import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.RenderTargets;
import org.jspecify.annotations.Nullable;

/** Runs the phases of the compiler in order and puts the plan together. */
public final class GraphCompiler {
    private GraphCompiler() {}

    /**
     * Compiles a declared graph.
     *
     * @throws RdgValidationException with every error of the graph
     */
    public static PlanStructure compile(
            DeclaredGraph declared, RdgOptions options, QueueTopology queues, MemorySizer sizer) {
        int queueCount = queues.queues().size();
        Validator.Checked checked = Validator.check(declared, options.order());
        DeclaredGraph graph = checked.graph;
        SubresourceMap map = checked.map;
        boolean[] live = Culling.live(graph, map, options.cullPasses());
        int[] passQueue = QueueAssignment.assign(graph, live, options.async(), queues);
        StateMerge states = new StateMerge(graph, map, live, options.overlapStorageWrites());
        Dependencies dependencies = new Dependencies(graph, map, states, live);
        Transitions transitions = new Transitions(graph, map, states, dependencies, passQueue, queueCount);
        Synchronization sync =
                new Synchronization(transitions.order, transitions.queue, queueCount, transitions.from, transitions.to);
        Batching batching = new Batching(
                transitions.order, transitions.queue, queueCount, transitions.from, transitions.to, sync.waited);
        UsageCompletion usages = new UsageCompletion(graph, map, live);
        Lifetimes lifetimes =
                new Lifetimes(map, transitions, sync, graph.resources().size(), queueCount);
        Aliasing aliasing = new Aliasing(graph, usages, lifetimes, sizer, options.aliasing());
        Names names = new Names(graph, transitions.addedResource);
        Barriers barriers = new Barriers(graph, map, states, transitions, aliasing, names);
        @Nullable RenderTargets[] targets = targets(graph, map, states, live);
        AsyncRegions regions = new AsyncRegions(passQueue, queueCount, transitions.from, transitions.to);
        RenderPassMerge renderPasses = new RenderPassMerge(
                graph,
                map,
                states,
                names,
                targets,
                transitions.order,
                transitions.queue,
                batching.batchOf,
                new boolean[passQueue.length],
                options.mergeRenderPasses());
        RenderPassMerge forkRule = new RenderPassMerge(
                graph,
                map,
                states,
                names,
                targets,
                transitions.order,
                transitions.queue,
                new int[transitions.queue.length],
                regions.forks(),
                options.mergeRenderPasses());
        SharedRenderPasses shared = new SharedRenderPasses(renderPasses, barriers, targets);
        RecordingGroups recording = new RecordingGroups(
                batching.nodes,
                alone(graph, transitions.queue.length),
                renderPasses.renderPassOf,
                options.passMin(),
                options.passMax());
        Derivation derivation =
                new Derivation(names, map, states, dependencies, sync.waited, passQueue, regions, forkRule.passes);
        PlanLists lists = new PlanLists(graph, map, states, live, transitions, names);
        PlanStructure.Parts parts = new PlanStructure.Parts(
                lists.passes(dependencies.level, shared, barriers),
                lists.resources(usages, lifetimes, aliasing),
                lists.batches(batching, derivation),
                lists.recordingGroups(recording),
                lists.heaps(aliasing),
                lists.renderPasses(renderPasses),
                graph.scopes(),
                aliasing.bytesWithoutAliasing);
        return new PlanStructure(graph.name(), queues, options, checked.declaredIndex, parts, derivation);
    }

    private static boolean[] alone(DeclaredGraph graph, int nodes) {
        boolean[] alone = new boolean[nodes];
        for (DeclaredGraph.Pass pass : graph.passes()) {
            alone[pass.index()] = pass.flags().contains(PassFlag.NEVER_PARALLEL);
        }
        return alone;
    }

    private static @Nullable RenderTargets[] targets(
            DeclaredGraph graph, SubresourceMap map, StateMerge states, boolean[] live) {
        TargetInference inference = new TargetInference(graph, map, states);
        @Nullable RenderTargets[] result = new RenderTargets[live.length];
        for (DeclaredGraph.Pass pass : graph.passes()) {
            result[pass.index()] = live[pass.index()] ? inference.targets(pass) : null;
        }
        return result;
    }
}
