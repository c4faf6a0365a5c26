package io.frameloom.rdg.compile.plan;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.RecordingGroup;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.ScopePlan;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.declare.DeclaredNames;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of a plan that all equal graphs share: everything but the name of the graph, bodies, uniform buffers,
 * external resources and extractions. With the plans of graphs that have other names for passes, resources and scopes
 * it shares the {@link #arrays}, of which it makes its lists on request. Immutable to callers; any thread.
 */
public final class PlanStructure {
    private final PlanArrays arrays;
    private final Names names;
    private final String scheduleRefusal;
    private final boolean serial;
    private final @Nullable LowerHeaps lowerHeaps;

    private final OnRequest<List<PassPlan>> passes;
    private final OnRequest<List<ResourcePlan>> resources;
    private final OnRequest<List<Batch>> batches;
    private final OnRequest<List<RecordingGroup>> recordingGroups;
    private final OnRequest<List<RenderPassPlan>> renderPasses;
    private final OnRequest<List<ScopePlan>> scopes;
    private final OnRequest<Counts> counts;

    private record Counts(int barriers, int waits, int culled) {}

    /** A plan in the order of its schedule, whose batches are as long as waits allow. */
    public PlanStructure(PlanArrays arrays, DeclaredNames names) {
        this(arrays, arrays.names(names), "", false, null);
    }

    private PlanStructure(
            PlanArrays arrays, Names names, String scheduleRefusal, boolean serial, @Nullable LowerHeaps lowerHeaps) {
        this.arrays = arrays;
        this.names = names;
        this.scheduleRefusal = scheduleRefusal;
        this.serial = serial;
        this.lowerHeaps = lowerHeaps;
        passes = new OnRequest<>(() -> arrays.passes(names));
        resources = new OnRequest<>(() -> arrays.resources(names));
        batches = new OnRequest<>(() -> serial ? arrays.serialBatches() : arrays.batches(names));
        recordingGroups = new OnRequest<>(() -> arrays.recordingGroups(serial));
        renderPasses = new OnRequest<>(() -> arrays.renderPasses(names));
        scopes = new OnRequest<>(() -> arrays.scopes(names));
        counts = new OnRequest<>(this::count);
    }

    /** Returns the same, with why it is in the program's order. */
    public PlanStructure withScheduleRefusal(String refusal) {
        return new PlanStructure(arrays, names, refusal, serial, lowerHeaps);
    }

    /** Returns the same for serialise mode: each recording group is a batch that waits for the one before it. */
    public PlanStructure serialised() {
        return new PlanStructure(arrays, names, scheduleRefusal, true, lowerHeaps);
    }

    /** Returns what a graph with other names that declares the same is compiled to. */
    public PlanStructure named(DeclaredNames other) {
        return new PlanStructure(arrays, arrays.names(other), scheduleRefusal, serial, lowerHeaps);
    }

    /**
     * Returns the same, for which lower heaps are searched for once it is reused. It is itself if each heap is about as
     * small as what is in use around its peak. The search knows more bounds, and ends at once where one of them is met.
     *
     * @param searching compiles the same with the search
     */
    public PlanStructure searchedWhenReused(Supplier<PlanStructure> searching) {
        return arrays.mayGain()
                ? new PlanStructure(arrays, names, scheduleRefusal, serial, new LowerHeaps(this, searching))
                : this;
    }

    /** Returns the search for lower heaps, null if there is none. */
    public @Nullable LowerHeaps lowerHeaps() {
        return lowerHeaps;
    }

    /** Returns what plans of graphs with other names share: the very same object. */
    public PlanArrays arrays() {
        return arrays;
    }

    /** Returns in words why the passes are in the program's order though another one is asked for, or nothing. */
    public String scheduleRefusal() {
        return scheduleRefusal;
    }

    public int declaredPasses() {
        return arrays.declaredPasses;
    }

    public boolean isInDeclaredOrder() {
        return arrays.declaredIndex.length == 0;
    }

    public int declaredIndex(int pass) {
        return isInDeclaredOrder() ? pass : arrays.declaredIndex[pass];
    }

    public int planIndex(int declared) {
        int count = declaredPasses();
        for (int p = isInDeclaredOrder() ? declared : 0; p < count; p++) {
            if (declaredIndex(p) == declared) {
                return p;
            }
        }
        throw new IllegalArgumentException(
                "the graph has " + Plural.of(count, "pass") + ", none at position " + declared);
    }

    public QueueTopology queues() {
        return arrays.queues;
    }

    public RdgOptions options() {
        return arrays.options;
    }

    public List<PassPlan> passes() {
        return passes.get();
    }

    public List<ResourcePlan> resources() {
        return resources.get();
    }

    public List<Batch> batches() {
        return batches.get();
    }

    public List<RecordingGroup> recordingGroups() {
        return recordingGroups.get();
    }

    public List<RenderPassPlan> renderPasses() {
        return renderPasses.get();
    }

    public List<ScopePlan> scopes() {
        return scopes.get();
    }

    public int barrierCount() {
        return counts.get().barriers;
    }

    public int waitCount() {
        return counts.get().waits;
    }

    public int culledCount() {
        return counts.get().culled;
    }

    private Counts count() {
        int waits = 0;
        int culled = 0;
        for (PassPlan pass : passes()) {
            culled += pass.culled() ? 1 : 0;
        }
        for (Batch batch : batches()) {
            waits += batch.waits().size();
        }
        return new Counts(arrays.barrierCount(), waits, culled);
    }
}
