package io.frameloom.rdg;

import io.frameloom.rdg.compile.DeclaredGraph;
import io.frameloom.rdg.compile.GraphCompiler;

/** Compiles declared graphs. Holds no state but its options: any thread, several at a time. */
public final class RenderGraphCompiler {
    private final RdgOptions options;

    /** Creates a compiler; the system properties named at {@link RdgOptions} are read here. */
    public RenderGraphCompiler(RdgOptions options) {
        this.options = options.withSystemProperties();
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
        return compile(graph.declared(), options, queues, sizer);
    }

    static FramePlan compile(DeclaredGraph graph, RdgOptions options, QueueTopology queues, MemorySizer sizer) {
        GraphCompiler.Result result = GraphCompiler.compile(graph, options, queues, sizer);
        return new FramePlan(
                graph.name(),
                queues,
                options.cullPasses(),
                result.passes(),
                result.resources(),
                result.batches(),
                result.recordingGroups(),
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
