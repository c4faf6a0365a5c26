package io.frameloom.rdg.compile;

import io.frameloom.rdg.CompilePhase;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.HeapPlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.RecordingGroup;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.ScopePlan;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import java.util.List;
import java.util.Map;

/**
 * What a plan has in common with the plans of all equal graphs: everything but bodies, uniform buffers, external resources
 * and extractions. Holds nothing of the graph that it was compiled from. Immutable; any thread.
 */
public final class PlanStructure {
    private final String name;
    private final QueueTopology queues;
    private final RdgOptions options;
    private final int[] declaredIndex;
    private final Parts parts;
    private final Derivation derivation;
    private final Map<CompilePhase, Long> compileTimes;
    private final int barrierCount;
    private final int waitCount;
    private final int culledCount;
    private final String scheduleRefusal;

    /**
     * What executing a plan takes.
     *
     * @param passes passes, those that the compiler added behind the declared ones
     * @param resources resources, without what is bound to them
     * @param batches batches
     * @param recordingGroups recording groups
     * @param heaps heaps
     * @param renderPasses render passes
     * @param physicalPasses passes of each render pass as a device runs them that goes on with targets on tiles
     * @param scopes scopes
     * @param transientBytesWithoutAliasing bytes if each transient had memory of its own
     */
    public record Parts(
            List<PassPlan> passes,
            List<ResourcePlan> resources,
            List<Batch> batches,
            List<RecordingGroup> recordingGroups,
            List<HeapPlan> heaps,
            List<RenderPassPlan> renderPasses,
            List<List<Integer>> physicalPasses,
            List<ScopePlan> scopes,
            long transientBytesWithoutAliasing) {
        /** Copies the lists. */
        public Parts {
            passes = List.copyOf(passes);
            resources = List.copyOf(resources);
            batches = List.copyOf(batches);
            recordingGroups = List.copyOf(recordingGroups);
            heaps = List.copyOf(heaps);
            renderPasses = List.copyOf(renderPasses);
            physicalPasses = List.copyOf(physicalPasses);
            scopes = List.copyOf(scopes);
        }
    }

    /**
     * A structure.
     *
     * @param declaredIndex by declared pass of the plan its position in the graph
     * @param compileTimes nanoseconds of each phase, or none
     */
    PlanStructure(
            String name,
            QueueTopology queues,
            RdgOptions options,
            int[] declaredIndex,
            Parts parts,
            Derivation derivation,
            Map<CompilePhase, Long> compileTimes) {
        this(name, queues, options, declaredIndex, parts, derivation, compileTimes, "");
    }

    private PlanStructure(
            String name,
            QueueTopology queues,
            RdgOptions options,
            int[] declaredIndex,
            Parts parts,
            Derivation derivation,
            Map<CompilePhase, Long> compileTimes,
            String scheduleRefusal) {
        this.scheduleRefusal = scheduleRefusal;
        this.name = name;
        this.queues = queues;
        this.options = options;
        this.declaredIndex = declaredIndex;
        this.parts = parts;
        this.derivation = derivation;
        this.compileTimes = compileTimes;
        int barriers = 0;
        int culled = 0;
        for (PassPlan pass : parts.passes) {
            barriers += pass.before().size() + pass.after().size();
            culled += pass.culled() ? 1 : 0;
        }
        int waits = 0;
        for (Batch batch : parts.batches) {
            waits += batch.waits().size();
        }
        barrierCount = barriers;
        waitCount = waits;
        culledCount = culled;
    }

    /** Returns the same with other parts. */
    public PlanStructure with(Parts other) {
        return new PlanStructure(
                name, queues, options, declaredIndex, other, derivation, compileTimes, scheduleRefusal);
    }

    /** Returns the same, with why it is in the program's order. */
    PlanStructure withScheduleRefusal(String refusal) {
        return new PlanStructure(name, queues, options, declaredIndex, parts, derivation, compileTimes, refusal);
    }

    /** Returns in words why the passes are in the program's order though another one is asked for, or nothing. */
    public String scheduleRefusal() {
        return scheduleRefusal;
    }

    /** Returns the parts. */
    public Parts parts() {
        return parts;
    }

    /** Returns the number of declared passes. */
    public int declaredPasses() {
        return declaredIndex.length;
    }

    /** Returns the position in the graph of a declared pass of the plan. */
    public int declaredIndex(int pass) {
        return declaredIndex[pass];
    }

    /** Returns how the compiler came to it. */
    public Derivation derivation() {
        return derivation;
    }

    /** Returns the nanoseconds of each phase, none if they were not asked for. */
    public Map<CompilePhase, Long> compileTimes() {
        return compileTimes;
    }

    /** Returns the name of the graph. */
    public String name() {
        return name;
    }

    /** Returns the queues. */
    public QueueTopology queues() {
        return queues;
    }

    /** Returns the options that it was compiled with. */
    public RdgOptions options() {
        return options;
    }

    /** Returns whether passes that no output needs were removed. */
    public boolean cullsPasses() {
        return options.cullPasses();
    }

    /** Returns the passes. */
    public List<PassPlan> passes() {
        return parts.passes;
    }

    /** Returns the resources without what is bound to them. */
    public List<ResourcePlan> resources() {
        return parts.resources;
    }

    /** Returns the batches. */
    public List<Batch> batches() {
        return parts.batches;
    }

    /** Returns the recording groups. */
    public List<RecordingGroup> recordingGroups() {
        return parts.recordingGroups;
    }

    /** Returns the heaps. */
    public List<HeapPlan> heaps() {
        return parts.heaps;
    }

    /** Returns the render passes. */
    public List<RenderPassPlan> renderPasses() {
        return parts.renderPasses;
    }

    /** Returns the scopes. */
    public List<ScopePlan> scopes() {
        return parts.scopes;
    }

    /** Returns the passes of each render pass as a device runs them that goes on with targets on tiles. */
    public List<List<Integer>> physicalPasses() {
        return parts.physicalPasses;
    }

    /** Returns the bytes if each transient had memory of its own. */
    public long transientBytesWithoutAliasing() {
        return parts.transientBytesWithoutAliasing;
    }

    /** Returns the number of barriers. */
    public int barrierCount() {
        return barrierCount;
    }

    /** Returns the number of waits between queues. */
    public int waitCount() {
        return waitCount;
    }

    /** Returns the number of removed passes. */
    public int culledCount() {
        return culledCount;
    }
}
