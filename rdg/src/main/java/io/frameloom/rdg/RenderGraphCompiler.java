package io.frameloom.rdg;

import io.frameloom.rdg.compile.DeclaredGraph;
import io.frameloom.rdg.compile.GraphCompiler;
import io.frameloom.rdg.compile.PlanStructure;
import java.util.function.LongUnaryOperator;

/**
 * Compiles declared graphs. Any thread, several at a time.
 *
 * <p>Keeps the plans of the last few different graphs: a graph that declares the same as one before gets the same plan, to
 * which only bodies, uniform buffers, external resources and extractions are bound anew. Names count, so leave numbers of
 * frames out of them. Sizers count as the same if they are equal. {@link RdgOptions#reusePlans} turns it off.
 */
public final class RenderGraphCompiler {
    /** Enough for the views and the odd and even frames of an application. */
    private static final int MOST_KEPT = 16;

    private final RdgOptions options;
    private final KeptPlans kept;

    /** Creates a compiler; the system properties named at {@link RdgOptions} are read here. */
    public RenderGraphCompiler(RdgOptions options) {
        this(options, MOST_KEPT, hash -> hash);
    }

    RenderGraphCompiler(RdgOptions options, int mostKept, LongUnaryOperator hashing) {
        this.options = options.withSystemProperties();
        this.kept = new KeptPlans(mostKept, hashing);
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
     * Compiles a graph. The result depends on nothing but the graph, the options, the queues and the sizes.
     *
     * @throws RdgValidationException with every error of the graph
     */
    public FramePlan compile(RenderGraph graph, QueueTopology queues, MemorySizer sizer) {
        if (!options.reusePlans()) {
            return compile(graph.declared(), options, queues, sizer);
        }
        DeclarationJournal declared = graph.journal();
        PlanStructure structure = kept.find(declared, queues, sizer);
        if (structure == null) {
            structure = GraphCompiler.compile(graph.declared(), options, queues, sizer);
            kept.keep(declared, queues, sizer, structure);
        }
        return new FramePlan(structure, PlanBindings.of(structure, graph));
    }

    static FramePlan compile(DeclaredGraph graph, RdgOptions options, QueueTopology queues, MemorySizer sizer) {
        PlanStructure structure = GraphCompiler.compile(graph, options, queues, sizer);
        return new FramePlan(structure, PlanBindings.of(structure, PlanBindings.of(graph)));
    }
}
