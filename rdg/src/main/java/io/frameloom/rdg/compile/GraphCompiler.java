package io.frameloom.rdg.compile;

import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassSchedule;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.WaitStageScope;
import io.frameloom.rdg.compile.barrier.BarrierHoisting;
import io.frameloom.rdg.compile.barrier.Barriers;
import io.frameloom.rdg.compile.barrier.EdgeStages;
import io.frameloom.rdg.compile.barrier.PlainEpochs;
import io.frameloom.rdg.compile.barrier.SharedRenderPasses;
import io.frameloom.rdg.compile.barrier.SplitBarriers;
import io.frameloom.rdg.compile.barrier.Transitions;
import io.frameloom.rdg.compile.graph.Culling;
import io.frameloom.rdg.compile.graph.KnownPasses;
import io.frameloom.rdg.compile.graph.KnownResources;
import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.compile.graph.Ownership;
import io.frameloom.rdg.compile.graph.ResourceShapes;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.memory.Aliasing;
import io.frameloom.rdg.compile.memory.Lifetimes;
import io.frameloom.rdg.compile.memory.TransientSizes;
import io.frameloom.rdg.compile.memory.UsageCompletion;
import io.frameloom.rdg.compile.order.Batching;
import io.frameloom.rdg.compile.order.Dependencies;
import io.frameloom.rdg.compile.order.ExactWaits;
import io.frameloom.rdg.compile.order.QueueAssignment;
import io.frameloom.rdg.compile.order.RecordingGroups;
import io.frameloom.rdg.compile.order.Synchronization;
import io.frameloom.rdg.compile.order.UsedQueues;
import io.frameloom.rdg.compile.plan.Derivation;
import io.frameloom.rdg.compile.plan.DumpedDeclaration;
import io.frameloom.rdg.compile.plan.PlanArrays;
import io.frameloom.rdg.compile.plan.PlanLists;
import io.frameloom.rdg.compile.plan.PlanShape;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.compile.plan.ScheduleQuality;
import io.frameloom.rdg.compile.renderpass.ForkRule;
import io.frameloom.rdg.compile.renderpass.LazyTargets;
import io.frameloom.rdg.compile.renderpass.MergeReasons;
import io.frameloom.rdg.compile.renderpass.PhysicalPasses;
import io.frameloom.rdg.compile.renderpass.RenderPassMerge;
import io.frameloom.rdg.compile.renderpass.TargetInference;
import io.frameloom.rdg.compile.validate.PassSorting;
import io.frameloom.rdg.compile.validate.Validator;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.diagnostics.CompilePhase;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Runs the phases of the compiler in order and puts the plan together. */
public final class GraphCompiler {
    private GraphCompiler() {}

    /**
     * Compiles a declared graph.
     *
     * @param demoted positions of the passes that stay on the graphics queue though they may leave it
     * @param scratch memory that no other compilation uses meanwhile
     * @throws RdgValidationException with every error of the graph
     */
    public static PlanStructure compile(
            DeclaredGraph declared,
            RdgOptions options,
            QueueTopology device,
            MemorySizer sizer,
            BitSet demoted,
            Scratch scratch) {
        scratch.reset();
        PhaseClock clock = PhaseClock.start(options.diagnostics().compileTimes());
        Validator.Checked checked =
                Validator.check(declared, options.order(), device, sizer.maxColorAttachments(), scratch);
        QueueTopology queues = checked.known.anyOnHost() ? device.withHost() : device;
        clock.end(CompilePhase.VALIDATION);
        PlanStructure program = inOrder(
                checked.graph,
                checked.known,
                checked.resources,
                checked.map,
                checked.declaredIndex,
                options,
                queues,
                sizer,
                demoted,
                scratch,
                clock);
        PassSchedule schedule = options.policy().schedule();
        if (schedule.policy() == PassSchedule.Policy.PROGRAM) {
            return program;
        }
        try {
            PlanStructure scheduled =
                    inOrder(checked, schedule, program, options, queues, sizer, demoted, scratch, clock);
            String refusal = ScheduleQuality.refusal(schedule, scheduled, program);
            return refusal.isEmpty() ? scheduled : program.withScheduleRefusal(refusal);
        } catch (RdgValidationException beyond) {
            if (beyond.errors().stream().anyMatch(error -> error.code() != RdgError.Code.LIMIT)) {
                throw beyond;
            }
            return program.withScheduleRefusal(
                    "the order " + schedule + " is beyond the compiler: " + Dependencies.TOO_MANY);
        }
    }

    /** Compiles a sound graph in the order of a schedule. */
    private static PlanStructure inOrder(
            Validator.Checked checked,
            PassSchedule schedule,
            PlanStructure program,
            RdgOptions options,
            QueueTopology queues,
            MemorySizer sizer,
            BitSet demoted,
            Scratch scratch,
            PhaseClock clock) {
        int[] order = new PassScheduling(
                        checked.graph, checked.map, options.overlapStorageWrites(), program, queues, scratch)
                .order(schedule);
        clock.end(CompilePhase.VALIDATION);
        DeclaredGraph permuted = PassSorting.permuted(checked.graph, order);
        KnownPasses known = new KnownPasses(permuted);
        return inOrder(
                permuted,
                known,
                checked.resources,
                new SubresourceMap(known, new ResourceShapes(permuted, scratch), scratch),
                Arrays.stream(order).map(pass -> checked.declaredIndex[pass]).toArray(),
                options,
                queues,
                sizer,
                demoted,
                scratch,
                clock);
    }

    /** Compiles a sound graph with its passes in the order of execution. */
    private static PlanStructure inOrder(
            DeclaredGraph graph,
            KnownPasses known,
            KnownResources resources,
            SubresourceMap map,
            int[] declaredIndex,
            RdgOptions options,
            QueueTopology queues,
            MemorySizer sizer,
            BitSet demoted,
            Scratch scratch,
            PhaseClock clock) {
        boolean[] live =
                Culling.live(known, resources, map, options.cullPasses(), options.overlapStorageWrites(), scratch);
        int[] passQueue = QueueAssignment.assign(
                graph, known, resources.anyRefused, live, options.async(), demoted, declaredIndex, queues);
        UsedQueues used = new UsedQueues(passQueue, queues);
        used.compact(passQueue);
        int queueCount = used.topology.queues().size();
        clock.end(CompilePhase.CULLING);
        Ownership ownership = new Ownership(resources, passQueue, used.topology);
        StateMerge states = new StateMerge(graph, map, live, ownership, options.overlapStorageWrites(), scratch);
        clock.end(CompilePhase.STATES);
        Dependencies dependencies = new Dependencies(graph, known, map, states, live, passQueue, queueCount, scratch);
        clock.end(CompilePhase.DEPENDENCIES);
        PlainEpochs plain = new PlainEpochs(resources, map, states, passQueue, used.topology.host(), scratch);
        Transitions transitions = new Transitions(
                graph, resources, map, states, ownership, dependencies, plain, passQueue, used.topology);
        clock.end(CompilePhase.TRANSITIONS);
        Synchronization sync = options.policy().waitStageScope() == WaitStageScope.EXACT
                ? exact(new EdgeStages(graph, known, map, states, dependencies, transitions, queueCount), transitions)
                : new Synchronization(
                        transitions.order, transitions.queue, queueCount, transitions.from, transitions.to, scratch);
        Batching batching = new Batching(
                transitions.order,
                transitions.queue,
                queueCount,
                used.topology.host(),
                transitions.from,
                transitions.to,
                sync.waited,
                scratch);
        clock.end(CompilePhase.SYNCHRONIZATION);
        TargetInference inferred = new TargetInference(known, resources, map, states, live, null);
        MergeReasons mergeReasons = new MergeReasons(
                known,
                map,
                states,
                inferred,
                transitions.order,
                transitions.queue,
                batching.batchOf,
                options.mergeRenderPasses());
        RenderPassMerge renderPasses = mergeReasons.merge(scratch);
        PhysicalPasses physical =
                new PhysicalPasses(graph, renderPasses, inferred, batching, sizer.readsOnTiles(), scratch);
        LazyTargets lazy = new LazyTargets(graph, live, physical, sizer.lazyMemory());
        TargetInference targets = lazy.any() ? inferred.keepingOnTiles(lazy) : inferred;
        clock.end(CompilePhase.RENDER_PASSES);
        UsageCompletion usages = new UsageCompletion(graph, map, live, lazy, scratch);
        Lifetimes lifetimes = new Lifetimes(
                map, transitions, sync, renderPasses, graph.resources().size(), queueCount, scratch);
        Aliasing aliasing = aliasing(
                graph,
                live,
                new TransientSizes(graph, usages, lazy, lifetimes, sizer),
                lifetimes,
                options.aliasing(),
                scratch);
        clock.end(CompilePhase.PLACEMENT);
        if (options.policy().hoistBarriers()) {
            BarrierHoisting.hoist(graph, map, states, transitions, renderPasses, queueCount);
        }
        SplitBarriers splits = options.policy().splitBarriers()
                ? SplitBarriers.decide(graph, map, states, transitions, renderPasses, used.topology)
                : SplitBarriers.off();
        Barriers barriers = new Barriers(
                resources, map, states, plain, transitions, aliasing.takeovers, splits, queueCount, scratch);
        clock.end(CompilePhase.BARRIERS);
        SharedRenderPasses shared = new SharedRenderPasses(renderPasses, barriers, targets);
        RecordingGroups recording = new RecordingGroups(
                batching, known, renderPasses.renderPassOf, options.passMin(), options.passMax(), scratch);
        clock.end(CompilePhase.RENDER_PASSES);
        Derivation derivation = new Derivation(
                map,
                states,
                dependencies,
                sync.waited,
                passQueue,
                queueCount,
                transitions,
                new ForkRule(
                        known, map, states, targets, transitions.order, transitions.queue, options.mergeRenderPasses()),
                new DumpedDeclaration(known, resources, aliasing));
        PlanArrays arrays = new PlanArrays(
                graph,
                known,
                resources,
                map,
                states,
                live,
                dependencies.level,
                transitions,
                used,
                shared,
                barriers,
                batching,
                sync.stages,
                recording,
                renderPasses,
                mergeReasons,
                physical,
                aliasing,
                usages,
                lifetimes,
                lazy,
                derivation);
        Names names = Names.of(graph, transitions.addedResource);
        clock.end(CompilePhase.PLAN);
        PlanShape shape = new PlanShape(queues, options, declaredIndex, derivation, clock.nanos(), "");
        return new PlanStructure(shape, new PlanLists(arrays, names));
    }

    private static Aliasing aliasing(
            DeclaredGraph graph,
            boolean[] live,
            TransientSizes sizes,
            Lifetimes lifetimes,
            boolean enabled,
            Scratch scratch) {
        try {
            return new Aliasing(sizes, graph.resources().size(), lifetimes, enabled, scratch);
        } catch (IllegalArgumentException refused) {
            List<RdgError> errors = sizes.refusals(live);
            if (errors.isEmpty()) {
                throw refused;
            }
            throw new RdgValidationException(graph.name(), errors);
        }
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
}
