package io.frameloom.rdg.compile;

import io.frameloom.rdg.CompilePhase;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassSchedule;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.WaitStageScope;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Runs the phases of the compiler in order and puts the plan together. */
public final class GraphCompiler {
    private GraphCompiler() {}

    /**
     * Compiles a declared graph.
     *
     * @param scratch memory that no other compilation uses meanwhile
     * @throws RdgValidationException with every error of the graph
     */
    public static PlanStructure compile(
            DeclaredGraph declared, RdgOptions options, QueueTopology queues, MemorySizer sizer, Scratch scratch) {
        scratch.reset();
        PhaseClock clock = PhaseClock.start(options.diagnostics().compileTimes());
        Validator.Checked checked = Validator.check(declared, options.order(), scratch);
        clock.end(CompilePhase.VALIDATION);
        PlanStructure program =
                inOrder(checked.graph, checked.map, checked.declaredIndex, options, queues, sizer, scratch, clock);
        PassSchedule schedule = options.policy().schedule();
        if (schedule.policy() == PassSchedule.Policy.PROGRAM) {
            return program;
        }
        int[] order = new PassScheduling(
                        checked.graph, checked.map, options.overlapStorageWrites(), program, queues, scratch)
                .order(schedule);
        clock.end(CompilePhase.VALIDATION);
        DeclaredGraph permuted = PassSorting.permuted(checked.graph, order);
        PlanStructure scheduled = inOrder(
                permuted,
                new SubresourceMap(permuted, new ResourceShapes(permuted, scratch), scratch),
                Arrays.stream(order).map(pass -> checked.declaredIndex[pass]).toArray(),
                options,
                queues,
                sizer,
                scratch,
                clock);
        String refusal = ScheduleQuality.refusal(schedule, scheduled, program);
        return refusal.isEmpty() ? scheduled : program.withScheduleRefusal(refusal);
    }

    /** Compiles a sound graph with its passes in the order of execution. */
    private static PlanStructure inOrder(
            DeclaredGraph graph,
            SubresourceMap map,
            int[] declaredIndex,
            RdgOptions options,
            QueueTopology queues,
            MemorySizer sizer,
            Scratch scratch,
            PhaseClock clock) {
        boolean[] live = Culling.live(graph, map, options.cullPasses(), scratch);
        int[] passQueue = QueueAssignment.assign(graph, live, options.async(), queues);
        UsedQueues used = new UsedQueues(passQueue, queues);
        used.compact(passQueue);
        int queueCount = used.topology.queues().size();
        clock.end(CompilePhase.CULLING);
        Ownership ownership = new Ownership(graph, passQueue, used.topology);
        StateMerge states = new StateMerge(graph, map, live, ownership, options.overlapStorageWrites(), scratch);
        clock.end(CompilePhase.STATES);
        Dependencies dependencies = new Dependencies(graph, map, states, live, passQueue, queueCount, scratch);
        clock.end(CompilePhase.DEPENDENCIES);
        Transitions transitions =
                new Transitions(graph, map, states, ownership, dependencies, passQueue, used.topology);
        clock.end(CompilePhase.TRANSITIONS);
        Synchronization sync = options.policy().waitStageScope() == WaitStageScope.EXACT
                ? exact(new EdgeStages(graph, map, states, dependencies, transitions, queueCount), transitions)
                : new Synchronization(
                        transitions.order, transitions.queue, queueCount, transitions.from, transitions.to);
        Batching batching = new Batching(
                transitions.order, transitions.queue, queueCount, transitions.from, transitions.to, sync.waited);
        clock.end(CompilePhase.SYNCHRONIZATION);
        Names names = new Names(graph, transitions.addedResource);
        @Nullable RenderTargets[] targets = targets(graph, map, states, live);
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
                options.mergeRenderPasses(),
                true,
                scratch);
        PhysicalPasses physical =
                new PhysicalPasses(graph, renderPasses, targets, batching.nodes, sizer.readsOnTiles(), scratch);
        LazyTargets lazy = new LazyTargets(graph, live, physical, sizer.lazyMemory());
        lazy.keepOnTiles(targets);
        clock.end(CompilePhase.RENDER_PASSES);
        UsageCompletion usages = new UsageCompletion(graph, map, live, lazy, scratch);
        Lifetimes lifetimes =
                new Lifetimes(map, transitions, sync, graph.resources().size(), queueCount);
        Aliasing aliasing = new Aliasing(graph, usages, lazy, lifetimes, sizer, options.aliasing(), scratch);
        clock.end(CompilePhase.PLACEMENT);
        if (options.policy().hoistBarriers()) {
            BarrierHoisting.hoist(graph, map, states, transitions, renderPasses, queueCount);
        }
        Barriers barriers = new Barriers(graph, map, states, transitions, aliasing.takeovers, names, scratch);
        clock.end(CompilePhase.BARRIERS);
        AsyncRegions regions = new AsyncRegions(passQueue, queueCount, transitions.from, transitions.to);
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
                options.mergeRenderPasses(),
                false,
                scratch);
        SharedRenderPasses shared = new SharedRenderPasses(renderPasses, barriers, targets);
        RecordingGroups recording = new RecordingGroups(
                batching.nodes,
                alone(graph, transitions.queue.length),
                renderPasses.renderPassOf,
                options.passMin(),
                options.passMax(),
                scratch);
        clock.end(CompilePhase.RENDER_PASSES);
        Derivation derivation = new Derivation(
                names,
                map,
                states,
                dependencies,
                sync.waited,
                passQueue,
                regions,
                forkRule.passes,
                new DumpedDeclaration(graph, aliasing));
        PlanLists lists = new PlanLists(graph, map, states, live, transitions, used, names, scratch);
        PlanStructure.Parts parts = new PlanStructure.Parts(
                lists.passes(dependencies.level, shared, barriers),
                lists.resources(usages, lazy, lifetimes, aliasing),
                lists.batches(batching, sync, derivation),
                lists.recordingGroups(recording),
                lists.heaps(aliasing),
                lists.renderPasses(renderPasses),
                scratch.items.boxed(physical.passes),
                graph.scopes(),
                aliasing.bytesWithoutAliasing);
        clock.end(CompilePhase.PLAN);
        return new PlanStructure(graph.name(), queues, options, declaredIndex, parts, derivation, clock.nanos());
    }

    private static Synchronization exact(EdgeStages stages, Transitions transitions) {
        int queueCount = stages.onQueue.length;
        return new Synchronization(
                new ExactWaits(
                        transitions.order,
                        transitions.queue,
                        queueCount,
                        transitions.from,
                        transitions.to,
                        stages.of,
                        stages.onQueue,
                        null),
                queueCount);
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
