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
import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.declare.DeclaredNames;
import io.frameloom.rdg.diagnostics.CompilePhase;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The part of a plan that all equal graphs share: everything but the name of the graph, bodies, uniform buffers,
 * external resources and extractions. With the plans of graphs that have other names for passes, resources and scopes
 * it shares the {@link #shape} and the arrays behind its lists. Holds nothing of the graph that it was compiled from
 * but names and shapes. Immutable to callers; any thread.
 */
public final class PlanStructure {
    private final PlanShape shape;
    private final PlanArrays arrays;
    private final Names names;
    /** What makes other parts of those that the arrays give, or null. */
    private final @Nullable UnaryOperator<Parts> change;

    /** -1 for what the arrays say. */
    private final long transientBytesWithoutAliasing;

    /** Made on request: what is not asked for is never made. Two threads that ask first at once get equal lists. */
    private volatile @Nullable List<PassPlan> passes;

    private volatile @Nullable List<ResourcePlan> resources;
    private volatile @Nullable List<Batch> batches;
    private volatile @Nullable List<RecordingGroup> recordingGroups;
    private volatile @Nullable List<HeapPlan> heaps;
    private volatile @Nullable List<RenderPassPlan> renderPasses;
    private volatile @Nullable List<List<Integer>> physicalPasses;
    private volatile @Nullable List<ScopePlan> scopes;
    /** Counts that are made on request; less than 0 for not yet. */
    private volatile int barrierCount = -1;

    private volatile int waitCount = -1;
    private volatile int culledCount = -1;

    /**
     * What executing a plan takes.
     *
     * @param passes passes, those that the compiler added after the declared ones
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
        private static Parts of(PlanStructure plan) {
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

    public PlanStructure(PlanShape shape, PlanArrays arrays, Names names) {
        this.shape = shape;
        this.arrays = arrays;
        this.names = names;
        this.change = null;
        this.transientBytesWithoutAliasing = -1;
    }

    private PlanStructure(PlanShape shape, PlanStructure before, UnaryOperator<Parts> change) {
        this.shape = shape;
        this.arrays = before.arrays;
        this.names = before.names;
        this.change = change;
        Parts parts = change.apply(Parts.of(new PlanStructure(shape, arrays, names)));
        passes = parts.passes;
        resources = parts.resources;
        batches = parts.batches;
        recordingGroups = parts.recordingGroups;
        heaps = parts.heaps;
        renderPasses = parts.renderPasses;
        physicalPasses = parts.physicalPasses;
        scopes = parts.scopes;
        transientBytesWithoutAliasing = parts.transientBytesWithoutAliasing;
    }

    /** Returns the same with other parts, of another shape; {@code made} makes them, under other names once more. */
    public PlanStructure with(UnaryOperator<Parts> made) {
        UnaryOperator<Parts> before = change;
        return new PlanStructure(
                shape.with(shape.scheduleRefusal),
                this,
                before == null ? made : parts -> made.apply(before.apply(parts)));
    }

    /** Returns the same, with why it is in the program's order. */
    public PlanStructure withScheduleRefusal(String refusal) {
        return changed(shape.with(refusal), names);
    }

    /** Returns what a graph with other names that declares the same is compiled to. */
    public PlanStructure named(DeclaredNames other) {
        return changed(shape, names.with(other, shape.declaredIndex));
    }

    private PlanStructure changed(PlanShape otherShape, Names otherNames) {
        PlanStructure plain = new PlanStructure(otherShape, arrays, otherNames);
        return change == null ? plain : new PlanStructure(otherShape, plain, change);
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
        List<PassPlan> list = passes;
        if (list == null) {
            list = arrays.passes(names);
            passes = list;
        }
        return list;
    }

    /** Returns the resources without what is bound to them. */
    public List<ResourcePlan> resources() {
        List<ResourcePlan> list = resources;
        if (list == null) {
            list = arrays.resources(names);
            resources = list;
        }
        return list;
    }

    /** Returns the batches. */
    public List<Batch> batches() {
        List<Batch> list = batches;
        if (list == null) {
            list = arrays.batches(names);
            batches = list;
        }
        return list;
    }

    /** Returns the recording groups. */
    public List<RecordingGroup> recordingGroups() {
        List<RecordingGroup> list = recordingGroups;
        if (list == null) {
            list = arrays.recordingGroups();
            recordingGroups = list;
        }
        return list;
    }

    /** Returns the heaps. */
    public List<HeapPlan> heaps() {
        List<HeapPlan> list = heaps;
        if (list == null) {
            list = arrays.heaps();
            heaps = list;
        }
        return list;
    }

    /** Returns the render passes. */
    public List<RenderPassPlan> renderPasses() {
        List<RenderPassPlan> list = renderPasses;
        if (list == null) {
            list = arrays.renderPasses(names);
            renderPasses = list;
        }
        return list;
    }

    /** Returns the scopes. */
    public List<ScopePlan> scopes() {
        List<ScopePlan> list = scopes;
        if (list == null) {
            list = arrays.scopes(names);
            scopes = list;
        }
        return list;
    }

    /** Returns the passes of each render pass as a device runs them that goes on with targets on tiles. */
    public List<List<Integer>> physicalPasses() {
        List<List<Integer>> list = physicalPasses;
        if (list == null) {
            list = arrays.physicalPasses(renderPasses());
            physicalPasses = list;
        }
        return list;
    }

    /** Returns the bytes if each transient had memory of its own. */
    public long transientBytesWithoutAliasing() {
        return transientBytesWithoutAliasing < 0
                ? arrays.transientBytesWithoutAliasing()
                : transientBytesWithoutAliasing;
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
