package io.frameloom.rdg.compile;

import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.HeapSearch;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassOrder;
import io.frameloom.rdg.PassSchedule;
import io.frameloom.rdg.PlanPolicy;
import io.frameloom.rdg.PlanReuse;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.async.AsyncDecision;
import io.frameloom.rdg.async.AsyncProfiles;
import io.frameloom.rdg.bind.CompileTimes;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.declare.BoundFrame;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.GraphDeclaration;
import io.frameloom.rdg.declare.GraphLease;
import io.frameloom.rdg.declare.SpareGraphs;
import io.frameloom.rdg.diagnostics.Clobber;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RecordingMode;
import io.frameloom.rdg.explain.PlanFindings;
import io.frameloom.rdg.explain.PlanWatch;
import io.frameloom.rdg.explain.ReportedWarnings;
import io.frameloom.rdg.explain.UndefinedContents;
import io.frameloom.rdg.insert.CaptureMemory;
import io.frameloom.rdg.insert.CapturePasses;
import io.frameloom.rdg.insert.ClobberPasses;
import io.frameloom.rdg.insert.PassInsertion;
import io.frameloom.rdg.jfr.CompileEvent;
import io.frameloom.rdg.jfr.RdgEvents;
import io.frameloom.rdg.options.RdgProperties;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Makes plans of declared graphs, or finds those of equal ones that it has made before. Any thread, several at a time.
 */
public final class PlanCompiler {
    /** No pass is kept on the graphics queue. */
    private static final BitSet NONE = new BitSet(0);

    private final RdgOptions options;
    /** What is captured by a property is asked of all graphs of a program, which have different textures. */
    private final boolean capturesByProperty;

    private final KeptPlans kept;
    private final SpareGraphs spares;
    /** What is decided by measurement, or null if nothing is. */
    private final @Nullable AsyncProfiles profiles;

    private final AtomicBoolean toldNotImmediate = new AtomicBoolean();

    private final ReportedWarnings reported = new ReportedWarnings();

    /** Of the last compilation that ended; one that runs at the same time takes new memory. */
    private final AtomicReference<@Nullable Scratch> idle = new AtomicReference<>();

    /**
     * A compiler.
     *
     * @param mostKept number of different graphs whose plans are kept
     */
    public PlanCompiler(RdgOptions options, int mostKept) {
        this.options = implied(options.withSystemProperties());
        this.capturesByProperty = RdgProperties.GROUP.text("capture") != null;
        this.kept = new KeptPlans(mostKept);
        this.spares = new SpareGraphs(mostKept);
        this.profiles = this.options.async() == AsyncCompute.MEASURED ? new AsyncProfiles() : null;
    }

    /** Returns these options with what their diagnostics imply: modes that look at single passes merge none. */
    public static RdgOptions implied(RdgOptions options) {
        RdgDiagnostics diagnostics = options.diagnostics();
        boolean alone = diagnostics.serialise() || diagnostics.recording() == RecordingMode.STRESS;
        RdgOptions implied = alone ? options.withMergeRenderPasses(false).withPassLimits(1, 1) : options;
        return diagnostics.serialise() ? implied.withAsync(AsyncCompute.OFF) : implied;
    }

    public RdgOptions options() {
        return options;
    }

    public PlanReuse planReuse() {
        return kept.statistics();
    }

    /** Compiles a graph as declared until now. */
    public CompiledPlan compile(GraphDeclaration graph, QueueTopology queues, MemorySizer sizer) {
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
        long begin = System.nanoTime();
        CompileEvent event = RdgEvents.compile();
        try {
            CompiledPlan plan =
                    inserts(graph) ? timed(withInsertions(graph, queues, sizer)) : reused(graph, queues, sizer, event);
            PlanWatch.compiled(plan);
            reportFindings(plan);
            if (event != null) {
                event.compiled(plan);
            }
            plan.setCompiled(new CompileTimes(
                    graph.begunNanos(),
                    begin,
                    System.nanoTime(),
                    Thread.currentThread().getId()));
            return plan;
        } catch (Throwable failure) {
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
    private void reportFindings(CompiledPlan plan) {
        if (capturesByProperty) {
            plan.captureWarnings().forEach(warning -> reported.report(plan, warning));
        }
        AsyncDecision decision = plan.decision();
        PlanWarning unmeasured = decision == null ? null : PlanFindings.unmeasured(plan.name(), decision);
        if (unmeasured != null) {
            reported.report(plan, unmeasured);
        }
    }

    private CompiledPlan reused(
            GraphDeclaration graph, QueueTopology queues, MemorySizer sizer, @Nullable CompileEvent event) {
        DeclaredGraph declared = graph.declared();
        AsyncDecision decision = profiles == null
                ? null
                : profiles.of(declared.names().passNames(), declared.shapesHash(), queues)
                        .decision();
        BitSet demoted = decision == null ? NONE : decision.demoted();
        PlanStructure known = options.reusePlans() ? kept.find(declared, queues, sizer, demoted) : null;
        if (known != null) {
            if (event != null) {
                event.reused();
            }
            return new CompiledPlan(known, declared, graph.bound(), decision);
        }
        // The declaration goes on; the plan keeps what was compiled.
        DeclaredGraph compiled = spares.copy(declared);
        PlanStructure structure = searchedWhenReused(
                structureInIdleMemory(compiled, queues, sizer, demoted), compiled, queues, sizer, demoted);
        CompiledPlan plan = timed(sound(new CompiledPlan(structure, compiled, graph.bound(), decision)));
        if (options.reusePlans()) {
            kept.keep(compiled, queues, sizer, demoted, structure);
        }
        return plan;
    }

    /** A search runs beside other compilations, so it has memory of its own. */
    private PlanStructure searchedWhenReused(
            PlanStructure structure, DeclaredGraph graph, QueueTopology queues, MemorySizer sizer, BitSet demoted) {
        PlanPolicy policy = options.policy();
        if (!options.reusePlans() || policy.heapSearch() != HeapSearch.REUSED) {
            return structure;
        }
        RdgOptions searching = options.withPolicy(policy.withHeapSearch(HeapSearch.ALWAYS));
        GraphLease lease = Objects.requireNonNull(graph.lease());
        return structure.searchedWhenReused(() -> {
            if (!lease.hold()) {
                return structure;
            }
            try {
                return structure(graph, searching, queues, sizer, demoted, new Scratch());
            } finally {
                lease.letGo();
            }
        });
    }

    /** Returns a plan; with validation, one that reads no undefined contents. */
    private CompiledPlan sound(CompiledPlan plan) {
        if (options.diagnostics().validation()) {
            UndefinedContents.refuse(plan);
        }
        return plan;
    }

    /** Returns a plan that was compiled, not kept. Its times are reported if they were asked for. */
    private CompiledPlan timed(CompiledPlan plan) {
        if (options.diagnostics().compileTimes()) {
            options.diagnostics().watch().listener().compileTimes(plan.name(), plan.compileTimes());
        }
        return plan;
    }

    private boolean inserts(GraphDeclaration graph) {
        RdgDiagnostics diagnostics = options.diagnostics();
        boolean inserts =
                diagnostics.clobber() != Clobber.OFF || !diagnostics.captures().isEmpty();
        return inserts && diagnostics.watch().graphs().matches(graph.name());
    }

    /** Compiles more than once, since what is inserted depends on which passes run. */
    private CompiledPlan withInsertions(GraphDeclaration graph, QueueTopology queues, MemorySizer sizer) {
        RdgDiagnostics diagnostics = options.diagnostics();
        CompiledPlan plan = sound(compile(graph.declared().copy(), graph.bound(), options, queues, sizer));
        PassInsertion into = new PassInsertion(graph, plan);
        boolean clobbers = diagnostics.clobber() != Clobber.OFF;
        if (clobbers) {
            new ClobberPasses(graph, diagnostics.clobber())
                    .insert(into, plan, diagnostics.watch().resources());
        }
        CompiledPlan uncaptured = clobbers ? inserted(into, options, queues, sizer) : plan;
        List<Integer> captured = insertCaptures(graph, into, plan);
        if (captured.isEmpty()) {
            return clobbers ? uncaptured : inserted(into, options, queues, sizer);
        }
        if (!diagnostics.captureAliasing()) {
            return inserted(into, options.withAliasing(false), queues, sizer);
        }
        CompiledPlan capturing = inserted(into, options, queues, sizer);
        return capturing.withCaptureWarnings(CaptureMemory.compare(uncaptured, capturing, captured));
    }

    /** Returns the textures of the captures that the graph has; where they are copied depends on which passes run. */
    private List<Integer> insertCaptures(GraphDeclaration handles, PassInsertion into, CompiledPlan plan) {
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
    private static CompiledPlan inserted(
            PassInsertion into, RdgOptions options, QueueTopology queues, MemorySizer sizer) {
        RdgOptions asPlanned = options.withOrder(PassOrder.DECLARED)
                .withPolicy(options.policy().withSchedule(PassSchedule.PROGRAM));
        int[] order = into.order();
        return compile(into.graph().permuted(order), into.bound().permuted(order), asPlanned, queues, sizer);
    }

    /** Compiles a graph into which nothing is declared any more, since the plan keeps it. */
    public static CompiledPlan compile(
            DeclaredGraph graph, BoundFrame bound, RdgOptions options, QueueTopology queues, MemorySizer sizer) {
        PlanStructure structure = structure(graph, options, queues, sizer, NONE, new Scratch());
        return new CompiledPlan(structure, graph, bound, null);
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
        return options.diagnostics().serialise() ? structure.serialised() : structure;
    }
}
