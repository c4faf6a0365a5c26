package io.frameloom.rdg;

import io.frameloom.rdg.async.AsyncDecision;
import io.frameloom.rdg.async.AsyncProfiles;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.compile.DeclaredGraph;
import io.frameloom.rdg.compile.GraphCompiler;
import io.frameloom.rdg.compile.PlanStructure;
import io.frameloom.rdg.compile.Scratch;
import io.frameloom.rdg.execute.ReportedWarnings;
import io.frameloom.rdg.jfr.CompileEvent;
import io.frameloom.rdg.jfr.RdgEvents;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Compiles declared graphs. Any thread, several at a time; the memory that a compilation works in is kept for the next one, as
 * large as the largest graph needed. What is allocated is the plan, about 550 bytes for a pass with four accesses, and what a
 * graph keeps of its declaration when it is compiled first. Plans are not taken back, since they are immutable and anybody may
 * hold one; whoever repeats a frame gets the plan of the frame before, see below.
 *
 * <p>Keeps the plans of the last few different graphs: a graph that declares the same as one before gets the same plan, to
 * which only its bodies, uniform buffers, external resources and extractions are bound anew, and names where they differ: the
 * plan says everything in those of its graph. Names that differ in every frame are bound in every frame, so leave numbers of
 * frames to the name of the graph. Sizers count as the same if they are equal. {@link RdgOptions#reusePlans} turns it off.
 *
 * <p>With {@link AsyncCompute#MEASURED} it also keeps what frames of its plans have shown about passes beside the graphics
 * queue, for the last few different lists of pass names; {@link FrameExecutor} tells it. Keep one compiler for the frames of an
 * application then.
 */
public final class RenderGraphCompiler {
    /** Enough for the views and the odd and even frames of an application. */
    private static final int MOST_KEPT = 16;

    /** No pass is kept on the graphics queue, no resource may be unused. */
    private static final BitSet NONE = new BitSet(0);

    private final RdgOptions options;
    /** What is captured by a property is asked of all graphs of a program, which have different textures. */
    private final boolean capturesByProperty;

    private final KeptPlans kept;
    /** What is decided by measurement, or null if nothing is. */
    private final @Nullable AsyncProfiles profiles;

    private final AtomicBoolean toldNotImmediate = new AtomicBoolean();

    private final ReportedWarnings reported = new ReportedWarnings();

    /** Of the last compilation that ended; one that runs meanwhile takes new memory. */
    private final AtomicReference<@Nullable Scratch> idle = new AtomicReference<>();

    /** Creates a compiler; the system properties named at {@link RdgOptions} are read here. */
    public RenderGraphCompiler(RdgOptions options) {
        this(options, MOST_KEPT, hash -> hash);
    }

    RenderGraphCompiler(RdgOptions options, int mostKept, LongUnaryOperator hashing) {
        this.options = options.withSystemProperties().withImplied();
        this.capturesByProperty = OptionProperties.isSet("capture");
        this.kept = new KeptPlans(mostKept, hashing);
        this.profiles = this.options.async() == AsyncCompute.MEASURED ? new AsyncProfiles() : null;
    }

    /** Returns the options in force. */
    public RdgOptions options() {
        return options;
    }

    /** Returns how often plans were reused. */
    public PlanReuse planReuse() {
        return kept.statistics();
    }

    /**
     * Compiles a graph as declared until now: what is declared afterwards is in later plans of the graph alone. The result
     * depends on nothing but the graph, the options, the queues and the sizes, and with {@link AsyncCompute#MEASURED} on which
     * passes are decided to stay on the graphics queue.
     *
     * @throws RdgValidationException with every error of the graph
     */
    public FramePlan compile(RenderGraph graph, QueueTopology queues, MemorySizer sizer) {
        ImmediateRun immediate = graph.immediate();
        if (immediate != null) {
            return immediate.rest(graph.declared(), graph.resources().unwarned());
        }
        if (options.diagnostics().immediate() && toldNotImmediate.compareAndSet(false, true)) {
            options.diagnostics()
                    .watch()
                    .listener()
                    .notImmediate(
                            graph.name(),
                            "immediate mode has no effect on graph '" + graph.name() + "', which has no executor to"
                                    + " run its passes; begin it with"
                                    + " FrameExecutor.beginGraph in"
                                    + " place of new RenderGraph");
        }
        graph.compiled();
        CompileEvent event = RdgEvents.compile();
        try {
            FramePlan plan =
                    inserts(graph) ? timed(withInsertions(graph, queues, sizer)) : reused(graph, queues, sizer, event);
            PlanWatch.compiled(plan);
            reportFindings(plan);
            if (event != null) {
                event.compiled(plan);
            }
            return plan;
        } catch (RuntimeException | Error failure) {
            if (event != null) {
                event.failed(failure);
            }
            throw failure;
        } finally {
            if (event != null) {
                event.end(graph.name());
            }
        }
    }

    /** Reports, once each, what a system property may have asked to find. */
    private void reportFindings(FramePlan plan) {
        if (capturesByProperty) {
            plan.captureWarnings().forEach(warning -> reported.report(plan, warning));
        }
        AsyncDecision decision = plan.decision();
        PlanWarning unmeasured = decision == null ? null : PlanWarning.unmeasured(plan.name(), decision);
        if (unmeasured != null) {
            reported.report(plan, unmeasured);
        }
    }

    private FramePlan reused(RenderGraph graph, QueueTopology queues, MemorySizer sizer, @Nullable CompileEvent event) {
        AsyncDecision decision = profiles == null
                ? null
                : profiles.of(graph.passes().names(), graph.shapesHash(), queues)
                        .decision();
        BitSet demoted = decision == null ? NONE : decision.demoted();
        if (!options.reusePlans()) {
            PlanStructure structure = structureInIdleMemory(graph.declared(), queues, sizer, demoted);
            return timed(sound(new FramePlan(structure, PlanBindings.of(structure, graph), decision)));
        }
        DeclarationJournal declared = graph.journal();
        PlanStructure known = kept.find(declared, queues, sizer, demoted);
        if (known != null) {
            if (event != null) {
                event.reused();
            }
            return new FramePlan(known, PlanBindings.of(known, graph), decision);
        }
        PlanStructure structure = structureInIdleMemory(graph.declared(), queues, sizer, demoted);
        FramePlan plan = timed(sound(new FramePlan(structure, PlanBindings.of(structure, graph), decision)));
        kept.keep(declared, queues, sizer, demoted, structure);
        return plan;
    }

    /** Returns a plan; with validation, one that reads no undefined contents. */
    private FramePlan sound(FramePlan plan) {
        if (options.diagnostics().validation()) {
            UndefinedContents.refuse(plan);
        }
        return plan;
    }

    /** Returns a plan that was compiled anew; its times are told, if they were asked for. */
    private FramePlan timed(FramePlan plan) {
        if (options.diagnostics().compileTimes()) {
            options.diagnostics().watch().listener().compileTimes(plan.name(), plan.compileTimes());
        }
        return plan;
    }

    private boolean inserts(RenderGraph graph) {
        RdgDiagnostics diagnostics = options.diagnostics();
        boolean inserts =
                diagnostics.clobber() != Clobber.OFF || !diagnostics.captures().isEmpty();
        return inserts && diagnostics.watch().graphs().matches(graph.name());
    }

    /** Compiles more than once, since what is inserted depends on which passes run. */
    private FramePlan withInsertions(RenderGraph graph, QueueTopology queues, MemorySizer sizer) {
        RdgDiagnostics diagnostics = options.diagnostics();
        DeclaredGraph declared = graph.declared();
        FramePlan plan = sound(compile(declared, options, queues, sizer));
        PassInsertion into = new PassInsertion(graph, declared, plan);
        boolean clobbers = diagnostics.clobber() != Clobber.OFF;
        if (clobbers) {
            new ClobberPasses(graph, diagnostics.clobber())
                    .insert(into, plan, diagnostics.watch().resources());
        }
        FramePlan uncaptured = clobbers ? inserted(graph, into, options, queues, sizer) : plan;
        List<Integer> captured = insertCaptures(graph, into, plan);
        if (captured.isEmpty()) {
            return clobbers ? uncaptured : inserted(graph, into, options, queues, sizer);
        }
        if (!diagnostics.captureAliasing()) {
            return inserted(graph, into, options.withAliasing(false), queues, sizer);
        }
        FramePlan capturing = inserted(graph, into, options, queues, sizer);
        return new FramePlan(
                capturing.structure(), capturing.bindings(), CaptureMemory.compare(uncaptured, capturing, captured));
    }

    /** Returns the textures of the captures that the graph has; where they are copied depends on which passes run. */
    private List<Integer> insertCaptures(RenderGraph handles, PassInsertion into, FramePlan plan) {
        CapturePasses captures = new CapturePasses(handles, plan, into);
        List<Integer> textures = new ArrayList<>();
        for (Capture capture : options.diagnostics().captures()) {
            if (!capturesByProperty || captures.knows(capture)) {
                textures.add(captures.insert(capture));
            }
        }
        return textures;
    }

    /** Returns the plan of a graph with what has been inserted so far, which is in the order of its passes. */
    private static FramePlan inserted(
            RenderGraph graph, PassInsertion into, RdgOptions options, QueueTopology queues, MemorySizer sizer) {
        DeclaredGraph whole = into.graph();
        RdgOptions asPlanned = options.withOrder(PassOrder.DECLARED)
                .withPolicy(options.policy().withSchedule(PassSchedule.PROGRAM));
        PlanStructure structure = structure(whole, asPlanned, queues, sizer, NONE, new Scratch());
        return new FramePlan(
                structure,
                PlanBindings.of(
                        structure, PlanBindings.of(whole, graph.resources().unwarned())));
    }

    static FramePlan compile(DeclaredGraph graph, RdgOptions options, QueueTopology queues, MemorySizer sizer) {
        return compile(graph, NONE, options, queues, sizer);
    }

    /** As {@link #compile(DeclaredGraph, RdgOptions, QueueTopology, MemorySizer)}, with resources that nobody needs to use. */
    static FramePlan compile(
            DeclaredGraph graph, BitSet unwarned, RdgOptions options, QueueTopology queues, MemorySizer sizer) {
        PlanStructure structure = structure(graph, options, queues, sizer, NONE, new Scratch());
        return new FramePlan(structure, PlanBindings.of(structure, PlanBindings.of(graph, unwarned)));
    }

    private PlanStructure structureInIdleMemory(
            DeclaredGraph graph, QueueTopology queues, MemorySizer sizer, BitSet demoted) {
        Scratch mine = idle.getAndSet(null);
        Scratch scratch = mine == null ? new Scratch() : mine;
        try {
            return structure(graph, options, queues, sizer, demoted, scratch);
        } finally {
            idle.set(scratch);
        }
    }

    private static PlanStructure structure(
            DeclaredGraph graph,
            RdgOptions options,
            QueueTopology queues,
            MemorySizer sizer,
            BitSet demoted,
            Scratch scratch) {
        PlanStructure structure = GraphCompiler.compile(graph, options, queues, sizer, demoted, scratch);
        return options.diagnostics().serialise() ? SerialBatches.serialised(structure) : structure;
    }
}
