package io.frameloom.rdg.compile;

import io.frameloom.rdg.HeapSearch;
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
import io.frameloom.rdg.compile.barrier.SharedRenderPasses;
import io.frameloom.rdg.compile.barrier.SplitBarriers;
import io.frameloom.rdg.compile.barrier.Transitions;
import io.frameloom.rdg.compile.graph.Culling;
import io.frameloom.rdg.compile.graph.Ownership;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.memory.Aliasing;
import io.frameloom.rdg.compile.memory.Lifetimes;
import io.frameloom.rdg.compile.memory.TransientSizes;
import io.frameloom.rdg.compile.order.Batching;
import io.frameloom.rdg.compile.order.Dependencies;
import io.frameloom.rdg.compile.order.QueueAssignment;
import io.frameloom.rdg.compile.order.RecordingGroups;
import io.frameloom.rdg.compile.order.Synchronization;
import io.frameloom.rdg.compile.order.UsedQueues;
import io.frameloom.rdg.compile.plan.Compilation;
import io.frameloom.rdg.compile.plan.PhaseClock;
import io.frameloom.rdg.compile.plan.PlanArrays;
import io.frameloom.rdg.compile.plan.PlanReasons;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.compile.plan.ScheduleQuality;
import io.frameloom.rdg.compile.renderpass.LazyTargets;
import io.frameloom.rdg.compile.renderpass.MergeReasons;
import io.frameloom.rdg.compile.renderpass.TargetInference;
import io.frameloom.rdg.compile.validate.Validator;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.DeclaredNames;
import io.frameloom.rdg.diagnostics.CompilePhase;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Runs the phases of the compiler in order and puts the plan together.
 *
 * <p>The result differs from that of Unreal's graph on purpose. No pass stands for the prologue or epilogue of a frame.
 * Fork and join of passes beside graphics are reported, but no wait and no lifetime follows from them. A change of
 * layout stands at a pass where one can carry it, not in one list per level.
 */
public final class GraphCompiler {
    private GraphCompiler() {}

    /**
     * Compiles a declared graph.
     *
     * @param declared nothing is declared into it any more, since the plan keeps it
     * @param demoted positions of the passes that stay on the graphics queue though they may leave it
     * @param scratch memory that no other compilation uses at the same time
     * @throws RdgValidationException with every error of the graph
     */
    public static PlanStructure compile(
            DeclaredGraph declared,
            RdgOptions options,
            QueueTopology device,
            MemorySizer sizer,
            BitSet demoted,
            Scratch scratch) {
        Compiled compiled = compiled(declared, options, device, sizer, demoted, scratch);
        compiled.phases.keepForPlan();
        return compiled.plan;
    }

    /** A plan, and the phases that it is made of. */
    private record Compiled(Compilation phases, PlanStructure plan) {}

    private static Compiled compiled(
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
        Compilation c = new Compilation(
                checked.graph,
                checked.map,
                checked.declaredIndex,
                options,
                declared.anyOnHost() ? device.withHost() : device,
                sizer,
                demoted,
                scratch,
                clock,
                sizes -> new PlanReasons(compiled(declared, options, device, sizes, demoted, new Scratch()).phases));
        clock.end(CompilePhase.VALIDATION);
        PlanStructure program = inOrder(c, declared.names());
        PassSchedule schedule = options.policy().schedule();
        return schedule.policy() == PassSchedule.Policy.PROGRAM
                ? new Compiled(c, program)
                : rescheduled(c, schedule, program, declared.names());
    }

    /** Returns the plan of a schedule, or that of the program's order if that is better. */
    private static Compiled rescheduled(
            Compilation c, PassSchedule schedule, PlanStructure program, DeclaredNames names) {
        try {
            Compilation other = scheduled(c, schedule, program);
            PlanStructure scheduled = inOrder(other, names);
            String refusal = ScheduleQuality.refusal(schedule, scheduled, program);
            return refusal.isEmpty()
                    ? new Compiled(other, scheduled)
                    : new Compiled(c, program.withScheduleRefusal(refusal));
        } catch (RdgValidationException beyond) {
            if (beyond.errors().stream().anyMatch(error -> error.code() != RdgError.Code.LIMIT)) {
                throw beyond;
            }
            return new Compiled(
                    c,
                    program.withScheduleRefusal(
                            "the order " + schedule + " is beyond the compiler: " + Dependencies.TOO_MANY));
        }
    }

    /** Returns the compilation of a sound graph with its passes in the order of a schedule. */
    private static Compilation scheduled(Compilation program, PassSchedule schedule, PlanStructure plan) {
        int[] order = new PassScheduling(
                        program.graph,
                        program.map,
                        program.options.overlapStorageWrites(),
                        plan,
                        program.queues,
                        program.scratch)
                .order(schedule);
        program.clock.end(CompilePhase.VALIDATION);
        DeclaredGraph permuted = program.graph.permuted(order);
        return program.of(
                permuted,
                new SubresourceMap(permuted, program.scratch),
                Arrays.stream(order).map(program::declaredIndex).toArray());
    }

    private static PlanStructure inOrder(Compilation c, DeclaredNames names) {
        RdgOptions options = c.options;
        PhaseClock clock = c.clock;
        Scratch scratch = c.scratch;

        // Nothing after this looks at passes that no output needs.
        c.live = Culling.live(c.graph, c.map, options.cullPasses(), options.overlapStorageWrites(), scratch);
        // Waits, families and stages depend on the queue of each pass. Clocks have a place for used queues alone.
        c.passQueue = QueueAssignment.assign(c.graph, c.live, options.async(), c.demoted, c::declaredIndex, c.queues);
        c.used = new UsedQueues(c.passQueue, c.queues);
        c.used.compact(c.passQueue);
        clock.end(CompilePhase.CULLING);

        // Neighbouring uses that need the same state share one, so there is no barrier between them.
        c.ownership = new Ownership(c.graph, c.passQueue, c.used.topology);
        c.states = new StateMerge(c.graph, c.map, c.live, c.ownership, options.overlapStorageWrites(), scratch);
        clock.end(CompilePhase.STATES);

        // Each change of state orders passes; so do the program's own orders. All waits come from these. The passes
        // enter their states on the way, so that what they do is looked at once.
        c.dependencies = new Dependencies(c.graph, c.map, c.states, c.live, c.passQueue, c.queueCount(), scratch);
        clock.end(CompilePhase.DEPENDENCIES);

        // A change of state stands at a pass on a queue that can do it. Where none can, a node is added, which also
        // orders.
        c.transitions = new Transitions(
                c.graph, c.map, c.states, c.ownership, c.dependencies, c.passQueue, c.used.topology, scratch);
        clock.end(CompilePhase.TRANSITIONS);

        // Only now all nodes and orders are known, so a wait that others imply can be left out.
        c.sync = synchronization(c);
        // A batch ends where another queue waits, so waits come first.
        c.batching = new Batching(
                c.transitions.order,
                c.transitions.ordered,
                c.transitions.queue,
                c.queueCount(),
                c.used.topology.host(),
                c.transitions.from,
                c.transitions.to,
                c.sync,
                scratch);
        clock.end(CompilePhase.SYNCHRONIZATION);

        // Passes of two batches cannot share a render pass.
        TargetInference inferred = new TargetInference(c.graph, c.map, c.states, c.transitions.queue);
        c.mergeReasons = new MergeReasons(
                c.graph,
                c.map,
                c.states,
                inferred,
                c.transitions.order,
                c.transitions.ordered,
                c.transitions.queue,
                c.batching.batchOf,
                options.mergeRenderPasses());
        c.renderPasses = c.mergeReasons.merge(scratch);
        // What never leaves the tiles of a render pass needs no memory, and is neither loaded nor stored.
        c.lazy = new LazyTargets(c.graph, c.live, c.renderPasses, c.sizer.lazyMemory());
        c.targets = c.lazy.any() ? inferred.keepingOnTiles(c.lazy) : inferred;
        clock.end(CompilePhase.RENDER_PASSES);

        // Memory is shared by what is never in use together. Render passes and waits decide that, and usages the size.
        c.lifetimes = new Lifetimes(c.map, c.transitions, c.sync.clocks, c.renderPasses, c.graph, scratch);
        c.sizes = new TransientSizes(c.graph, c.lazy, c.lifetimes, c.sizer, scratch);
        c.aliasing = aliasing(c);
        clock.end(CompilePhase.PLACEMENT);

        // Both move barriers within bounds that render passes give, and before barriers are written.
        if (options.policy().hoistBarriers()) {
            BarrierHoisting.hoist(c.graph, c.map, c.states, c.transitions, c.renderPasses, c.queueCount());
        }
        c.splits = options.policy().splitBarriers()
                ? SplitBarriers.decide(c.graph, c.states, c.transitions, c.renderPasses, c.used.topology)
                : SplitBarriers.off();
        // The first use of memory waits for its last owner, so barriers come after placement.
        c.barriers = new Barriers(
                c.graph, c.map, c.states, c.transitions, c.aliasing.takeovers, c.splits, c.queueCount(), scratch);
        clock.end(CompilePhase.BARRIERS);

        // A render pass begins after the barriers of all its passes. Recording splits batches, never a render pass.
        c.shared = new SharedRenderPasses(c.renderPasses, c.barriers, c.targets);
        c.recording = new RecordingGroups(
                c.batching, c.graph, c.renderPasses.renderPassOf, options.passMin(), options.passMax(), scratch);
        clock.end(CompilePhase.RENDER_PASSES);

        // The plan keeps arrays; its lists and reasons are made on request.
        PlanStructure plan = new PlanStructure(new PlanArrays(c), names);
        clock.end(CompilePhase.PLAN);
        return plan;
    }

    private static Synchronization synchronization(Compilation c) {
        Transitions transitions = c.transitions;
        if (c.options.policy().waitStageScope() != WaitStageScope.EXACT) {
            return new Synchronization(
                    transitions.order,
                    transitions.ordered,
                    transitions.queue,
                    c.queueCount(),
                    transitions.edges,
                    transitions.from,
                    transitions.to,
                    c.scratch);
        }
        EdgeStages stages = new EdgeStages(c.graph, c.map, c.states, c.dependencies, transitions, c.queueCount());
        return new Synchronization(
                transitions.order,
                transitions.ordered,
                transitions.queue,
                c.queueCount(),
                transitions.edges,
                transitions.from,
                transitions.to,
                stages.of,
                stages.onQueue,
                null,
                c.scratch);
    }

    private static Aliasing aliasing(Compilation c) {
        try {
            boolean searching = c.options.policy().heapSearch() == HeapSearch.ALWAYS;
            return new Aliasing(c.sizes, c.graph.resources(), c.lifetimes, c.options.aliasing(), searching, c.scratch);
        } catch (IllegalArgumentException refused) {
            List<RdgError> errors = c.sizes.refusals(c.live);
            if (errors.isEmpty()) {
                throw refused;
            }
            throw new RdgValidationException(c.graph.name(), errors);
        }
    }
}
