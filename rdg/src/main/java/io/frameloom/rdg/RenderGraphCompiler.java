package io.frameloom.rdg;

import io.frameloom.rdg.compile.PlanCompiler;
import io.frameloom.rdg.declare.GraphDeclaration;
import io.frameloom.rdg.execute.ImmediateRun;

/**
 * Compiles declared graphs. Any thread, several at a time. The work memory of a compilation is kept for the next one,
 * as large as the largest graph needed. A compilation allocates the plan, about 200 bytes for a pass with four
 * accesses. 80 of them are a copy of what was declared, which {@link FramePlan#release} gives back. A repeated frame
 * gets the plan of the frame before, see below.
 *
 * <p>Keeps the plans of the last few different graphs. A graph that declares the same as one before gets the same plan.
 * Only its bodies, uniform buffers, external resources and extractions are bound again. If names differ, the plan uses
 * those of its graph. Names that differ in every frame are bound in every frame, so leave numbers of frames to the name
 * of the graph. Sizers count as the same if they are equal. {@link RdgOptions#reusePlans} turns it off.
 *
 * <p>Once such a plan is reused, lower heaps are searched for in the background ({@link HeapSearch#REUSED}). Equal
 * graphs that are compiled after some were found get the plan with these. {@link PlanReuse#lowered} counts it.
 *
 * <p>With {@link AsyncCompute#MEASURED} it also keeps measurements of passes beside the graphics queue, for the last
 * few different lists of pass names; {@link FrameExecutor} reports them. Keep one compiler for the frames of an
 * application then.
 */
public final class RenderGraphCompiler {
    /** Enough for the views and the odd and even frames of an application. */
    private static final int MOST_KEPT = 16;

    private final PlanCompiler plans;

    /** Creates a compiler; the system properties named at {@link RdgOptions} are read here. */
    public RenderGraphCompiler(RdgOptions options) {
        this(options, MOST_KEPT);
    }

    RenderGraphCompiler(RdgOptions options, int mostKept) {
        plans = new PlanCompiler(options, mostKept);
    }

    /** Returns the options in force. */
    public RdgOptions options() {
        return plans.options();
    }

    /** Returns how often plans were reused. */
    public PlanReuse planReuse() {
        return plans.planReuse();
    }

    /**
     * Compiles a graph as declared until now. Later declarations are only in later plans of the graph. The result
     * depends on the graph, the options, the queues and the sizes alone. With {@link HeapSearch#REUSED} the memory of
     * transients, and what follows from that, also depends on whether a search has ended. With {@link
     * AsyncCompute#MEASURED} it also depends on which passes stay on the graphics queue.
     *
     * @throws RdgValidationException with every error of the graph
     */
    public FramePlan compile(RenderGraph graph, QueueTopology queues, MemorySizer sizer) {
        GraphDeclaration declaration = graph.declaration();
        return declaration.immediate() instanceof ImmediateRun run
                ? run.rest(declaration.declared(), declaration.bound())
                : plans.compile(declaration, queues, sizer);
    }
}
