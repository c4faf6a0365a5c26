package io.frameloom.rdg;

import io.frameloom.rdg.compile.DeclaredGraph;
import io.frameloom.rdg.compile.GraphCompiler;
import java.util.List;

/** Compiles declared graphs. Holds no state but its options: any thread, several at a time. */
public final class RenderGraphCompiler {
    private final RdgOptions options;

    /** Creates a compiler; the system properties named at {@link RdgOptions} are read here. */
    public RenderGraphCompiler(RdgOptions options) {
        this.options = options.withSystemProperties().withImplied();
    }

    /** Returns the options in force. */
    public RdgOptions options() {
        return options;
    }

    /**
     * Compiles a graph. The result depends on nothing but the graph, the options, the queues and the sizes.
     *
     * @throws RdgValidationException with every error of the graph
     */
    public FramePlan compile(RenderGraph graph, QueueTopology queues, MemorySizer sizer) {
        DeclaredGraph declared = graph.declared();
        ImmediateRun immediate = graph.immediate();
        if (immediate != null) {
            return immediate.rest(declared);
        }
        FramePlan plan = compile(declared, options, queues, sizer);
        RdgDiagnostics diagnostics = options.diagnostics();
        boolean inserts =
                diagnostics.clobber() != Clobber.OFF || !diagnostics.captures().isEmpty();
        if (inserts && diagnostics.watch().graphs().matches(graph.name())) {
            DeclaredGraph inserted = inserted(graph, declared, plan);
            plan = compile(inserted, options.withOrder(PassOrder.DECLARED), queues, sizer);
        }
        PlanWatch.compiled(plan);
        return plan;
    }

    /** Returns the graph with the passes that the diagnostics add; what they add depends on which passes run. */
    private DeclaredGraph inserted(RenderGraph handles, DeclaredGraph declared, FramePlan plan) {
        RdgDiagnostics diagnostics = options.diagnostics();
        PassInsertion into = new PassInsertion(handles, declared, plan);
        if (diagnostics.clobber() != Clobber.OFF) {
            new ClobberPasses(handles, diagnostics.clobber())
                    .insert(into, plan, diagnostics.watch().resources());
        }
        CapturePasses captures = new CapturePasses(handles, plan, into);
        diagnostics.captures().forEach(captures::insert);
        return into.graph();
    }

    static FramePlan compile(DeclaredGraph graph, RdgOptions options, QueueTopology queues, MemorySizer sizer) {
        GraphCompiler.Result result = GraphCompiler.compile(graph, options, queues, sizer);
        List<FramePlan.Batch> batches = result.batches();
        List<FramePlan.RecordingGroup> groups = result.recordingGroups();
        if (options.diagnostics().serialise()) {
            SerialBatches serial = new SerialBatches(batches, groups);
            batches = serial.batches;
            groups = serial.groups;
        }
        return new FramePlan(
                graph.name(),
                queues,
                options,
                result.passes(),
                result.resources(),
                batches,
                groups,
                result.heaps(),
                result.dependencies(),
                result.epochs(),
                result.renderPasses(),
                result.forkRuleRenderPasses(),
                result.asyncRegions(),
                result.transientBytesWithoutAliasing(),
                graph.scopes());
    }
}
