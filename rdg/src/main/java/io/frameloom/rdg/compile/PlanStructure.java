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
 * What a plan has in common with the plans of all equal graphs: everything but the name of the graph, bodies, uniform
 * buffers, external resources and extractions. Holds nothing of the graph that it was compiled from but names of passes and
 * resources, and shapes. Immutable to all who ask; any
 * thread.
 */
public final class PlanStructure {
    private final QueueTopology queues;
    private final RdgOptions options;
    private final int[] declaredIndex;
    private final boolean inDeclaredOrder;
    private final PlanContents contents;
    private final Derivation derivation;
    private final Map<CompilePhase, Long> compileTimes;
    private final String scheduleRefusal;
    /** How many there are of what is counted when somebody asks; less than 0 for not yet. */
    private volatile int barrierCount = -1;

    private volatile int waitCount = -1;
    private volatile int culledCount = -1;

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
            long transientBytesWithoutAliasing)
            implements PlanContents {
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
            QueueTopology queues,
            RdgOptions options,
            int[] declaredIndex,
            PlanContents contents,
            Derivation derivation,
            Map<CompilePhase, Long> compileTimes) {
        this(queues, options, declaredIndex, contents, derivation, compileTimes, "");
    }

    private PlanStructure(
            QueueTopology queues,
            RdgOptions options,
            int[] declaredIndex,
            PlanContents contents,
            Derivation derivation,
            Map<CompilePhase, Long> compileTimes,
            String scheduleRefusal) {
        this.scheduleRefusal = scheduleRefusal;
        this.queues = queues;
        this.options = options;
        this.declaredIndex = declaredIndex;
        boolean inOrder = true;
        for (int p = 0; p < declaredIndex.length; p++) {
            inOrder &= declaredIndex[p] == p;
        }
        this.inDeclaredOrder = inOrder;
        this.contents = contents;
        this.derivation = derivation;
        this.compileTimes = compileTimes;
    }

    /** Returns the same with other parts. */
    public PlanStructure with(Parts other) {
        return new PlanStructure(queues, options, declaredIndex, other, derivation, compileTimes, scheduleRefusal);
    }

    /** Returns the same, with why it is in the program's order. */
    PlanStructure withScheduleRefusal(String refusal) {
        return new PlanStructure(queues, options, declaredIndex, contents, derivation, compileTimes, refusal);
    }

    /** Returns in words why the passes are in the program's order though another one is asked for, or nothing. */
    public String scheduleRefusal() {
        return scheduleRefusal;
    }

    /** Returns the parts, of which those are made now that nobody has asked for. */
    public Parts parts() {
        return new Parts(
                passes(),
                resources(),
                batches(),
                recordingGroups(),
                heaps(),
                renderPasses(),
                physicalPasses(),
                scopes(),
                transientBytesWithoutAliasing());
    }

    /** Returns the number of declared passes. */
    public int declaredPasses() {
        return declaredIndex.length;
    }

    /** Returns whether the declared passes are in the order of the graph. */
    public boolean isInDeclaredOrder() {
        return inDeclaredOrder;
    }

    /** Returns the position in the graph of a declared pass of the plan. */
    public int declaredIndex(int pass) {
        return declaredIndex[pass];
    }

    /** Returns the position in the plan of a pass of the graph. */
    public int planIndex(int declared) {
        for (int p = inDeclaredOrder ? declared : 0; p < declaredIndex.length; p++) {
            if (declaredIndex[p] == declared) {
                return p;
            }
        }
        throw new IllegalArgumentException(
                "the graph has " + declaredIndex.length + " passes, none at position " + declared);
    }

    /** Returns how the compiler came to it. */
    public Derivation derivation() {
        return derivation;
    }

    /** Returns the nanoseconds of each phase, none if they were not asked for. */
    public Map<CompilePhase, Long> compileTimes() {
        return compileTimes;
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
        return contents.passes();
    }

    /** Returns the resources without what is bound to them. */
    public List<ResourcePlan> resources() {
        return contents.resources();
    }

    /** Returns the batches. */
    public List<Batch> batches() {
        return contents.batches();
    }

    /** Returns the recording groups. */
    public List<RecordingGroup> recordingGroups() {
        return contents.recordingGroups();
    }

    /** Returns the heaps. */
    public List<HeapPlan> heaps() {
        return contents.heaps();
    }

    /** Returns the render passes. */
    public List<RenderPassPlan> renderPasses() {
        return contents.renderPasses();
    }

    /** Returns the scopes. */
    public List<ScopePlan> scopes() {
        return contents.scopes();
    }

    /** Returns the passes of each render pass as a device runs them that goes on with targets on tiles. */
    public List<List<Integer>> physicalPasses() {
        return contents.physicalPasses();
    }

    /** Returns the bytes if each transient had memory of its own. */
    public long transientBytesWithoutAliasing() {
        return contents.transientBytesWithoutAliasing();
    }

    /** Returns the number of barriers. */
    public int barrierCount() {
        int count = barrierCount;
        if (count < 0) {
            count = 0;
            for (PassPlan pass : passes()) {
                count += pass.before().size() + pass.after().size();
            }
            barrierCount = count;
        }
        return count;
    }

    /** Returns the number of waits between queues. */
    public int waitCount() {
        int count = waitCount;
        if (count < 0) {
            count = 0;
            for (Batch batch : batches()) {
                count += batch.waits().size();
            }
            waitCount = count;
        }
        return count;
    }

    /** Returns the number of removed passes. */
    public int culledCount() {
        int count = culledCount;
        if (count < 0) {
            count = 0;
            for (PassPlan pass : passes()) {
                count += pass.culled() ? 1 : 0;
            }
            culledCount = count;
        }
        return count;
    }
}
