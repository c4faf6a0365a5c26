package io.frameloom.rdg;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.rdg.compile.PlanCompiler;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.function.ToIntFunction;

/** Plans whose passes are on queues that the test says, as graph files can have them. */
public final class QueuedGraphs {
    private QueuedGraphs() {}

    /**
     * Compiles a graph for a device.
     *
     * @param queueOf index of the queue of a pass by its name, -1 if the compiler is to choose
     */
    public static FramePlan compile(
            RenderGraph graph, ToIntFunction<String> queueOf, RdgOptions options, GpuDevice device) {
        return compile(graph, queueOf, options, QueueTopology.of(device), MemorySizer.of(device));
    }

    static FramePlan compile(
            RenderGraph graph,
            ToIntFunction<String> queueOf,
            RdgOptions options,
            QueueTopology queues,
            MemorySizer sizer) {
        DeclaredGraph declared = graph.declaration().declared().copy();
        for (int p = 0; p < declared.passes(); p++) {
            declared.setQueue(p, queueOf.applyAsInt(declared.names().pass(p)));
        }
        return PlanCompiler.compile(declared, graph.declaration().bound(), options, queues, sizer);
    }
}
