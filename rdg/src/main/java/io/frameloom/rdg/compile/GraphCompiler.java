package io.frameloom.rdg.compile;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import java.util.List;

/** Runs the phases of the compiler in order. */
public final class GraphCompiler {
    private GraphCompiler() {}

    /** The plan as lists, in the order of the components of {@link FramePlan}. */
    public record Result(
            List<FramePlan.PassPlan> passes,
            List<FramePlan.ResourcePlan> resources,
            List<FramePlan.Batch> batches,
            List<FramePlan.RecordingGroup> recordingGroups,
            List<FramePlan.HeapPlan> heaps,
            List<FramePlan.Dependency> dependencies,
            List<FramePlan.Epoch> epochs,
            long transientBytesWithoutAliasing) {}

    /** Compiles a declared graph. */
    @SuppressWarnings("DoNotCallSuggester")
    public static Result compile(DeclaredGraph graph, RdgOptions options, QueueTopology queues, MemorySizer sizer) {
        throw new UnsupportedOperationException("compile " + graph.name() + options + queues + sizer);
    }
}
