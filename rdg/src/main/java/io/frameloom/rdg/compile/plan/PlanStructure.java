package io.frameloom.rdg.compile.plan;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.HeapPlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.RecordingGroup;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.ScopePlan;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.declare.DeclaredNames;
import io.frameloom.rdg.diagnostics.CompilePhase;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What a plan has in common with the plans of all equal graphs: everything but the name of the graph, bodies, uniform
 * buffers, external resources and extractions. With the plans of graphs that have other names for passes, resources and
 * scopes it shares the {@link #shape} and the arrays behind its lists. Holds nothing of the graph that it was compiled from but
 * names and shapes. Immutable to all who ask; any thread.
 */
public final class PlanStructure {
    private final PlanShape shape;
    private final PlanLists lists;
    private final UnaryOperator<PlanContents> change;
    /** What the change makes of the lists. */
    private final PlanContents contents;
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
        private static Parts of(PlanContents plan) {
            return new Parts(
                    plan.passes(),
                    plan.resources(),
                    plan.batches(),
                    plan.recordingGroups(),
                    plan.heaps(),
                    plan.renderPasses(),
                    plan.physicalPasses(),
                    plan.scopes(),
                    plan.transientBytesWithoutAliasing());
        }

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

    public PlanStructure(PlanShape shape, PlanLists lists) {
        this(shape, lists, UnaryOperator.identity());
    }

    private PlanStructure(PlanShape shape, PlanLists lists, UnaryOperator<PlanContents> change) {
        this.shape = shape;
        this.lists = lists;
        this.change = change;
        this.contents = change.apply(lists);
    }

    /** Returns the same with other parts, of another shape; {@code made} makes them, under other names once more. */
    public PlanStructure with(UnaryOperator<Parts> made) {
        UnaryOperator<PlanContents> before = change;
        return new PlanStructure(
                shape.with(shape.scheduleRefusal), lists, plan -> made.apply(Parts.of(before.apply(plan))));
    }

    /** Returns the same, with why it is in the program's order. */
    public PlanStructure withScheduleRefusal(String refusal) {
        return new PlanStructure(shape.with(refusal), lists, change);
    }

    /** Returns what a graph with other names that declares the same is compiled to. */
    public PlanStructure named(DeclaredNames names) {
        return new PlanStructure(shape, lists.named(names, shape.declaredIndex), change);
    }

    /** Returns what stands for all that is the same under other names: the very same object. */
    public Object shape() {
        return shape;
    }

    /** Returns in words why the passes are in the program's order though another one is asked for, or nothing. */
    public String scheduleRefusal() {
        return shape.scheduleRefusal;
    }

    /** Returns the number of declared passes. */
    public int declaredPasses() {
        return shape.declaredIndex.length;
    }

    /** Returns whether the declared passes are in the order of the graph. */
    public boolean isInDeclaredOrder() {
        return shape.inDeclaredOrder;
    }

    /** Returns the position in the graph of a declared pass of the plan. */
    public int declaredIndex(int pass) {
        return shape.declaredIndex[pass];
    }

    /** Returns the position in the plan of a pass of the graph. */
    public int planIndex(int declared) {
        int[] declaredIndex = shape.declaredIndex;
        for (int p = shape.inDeclaredOrder ? declared : 0; p < declaredIndex.length; p++) {
            if (declaredIndex[p] == declared) {
                return p;
            }
        }
        throw new IllegalArgumentException(
                "the graph has " + Plural.of(declaredIndex.length, "pass") + ", none at position " + declared);
    }

    /** Returns how the compiler came to it. */
    public Derivation derivation() {
        return shape.derivation;
    }

    /** Returns the nanoseconds of each phase, none if they were not asked for. */
    public Map<CompilePhase, Long> compileTimes() {
        return shape.compileTimes;
    }

    /** Returns the queues. */
    public QueueTopology queues() {
        return shape.queues;
    }

    /** Returns the options that it was compiled with. */
    public RdgOptions options() {
        return shape.options;
    }

    /** Returns whether passes that no output needs were removed. */
    public boolean cullsPasses() {
        return shape.options.cullPasses();
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
