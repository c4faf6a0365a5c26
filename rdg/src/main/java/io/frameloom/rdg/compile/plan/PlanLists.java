package io.frameloom.rdg.compile.plan;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.declare.DeclaredNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arrays of a plan as lists under the names of a graph, put together when somebody asks: what is not asked for is never
 * made. Any thread; two that ask first at once get equal lists.
 */
public final class PlanLists implements PlanContents {
    private final PlanArrays arrays;
    private final Names names;
    private volatile @Nullable List<FramePlan.PassPlan> passList;
    private volatile @Nullable List<FramePlan.ResourcePlan> resourceList;
    private volatile @Nullable List<FramePlan.Batch> batchList;
    private volatile @Nullable List<FramePlan.RecordingGroup> groupList;
    private volatile @Nullable List<FramePlan.HeapPlan> heapList;
    private volatile @Nullable List<FramePlan.RenderPassPlan> renderPassList;
    private volatile @Nullable List<List<Integer>> physicalList;
    private volatile @Nullable List<FramePlan.ScopePlan> scopeList;

    public PlanLists(PlanArrays arrays, Names names) {
        this.arrays = arrays;
        this.names = names;
    }

    /** Returns the lists under other names; {@code declaredIndex} gives the declared position of each pass. */
    PlanLists named(DeclaredNames other, int[] declaredIndex) {
        return new PlanLists(arrays, names.with(other, declaredIndex));
    }

    @Override
    public List<FramePlan.PassPlan> passes() {
        List<FramePlan.PassPlan> list = passList;
        if (list == null) {
            list = arrays.passes(names);
            passList = list;
        }
        return list;
    }

    @Override
    public List<FramePlan.ResourcePlan> resources() {
        List<FramePlan.ResourcePlan> list = resourceList;
        if (list == null) {
            list = arrays.resources(names);
            resourceList = list;
        }
        return list;
    }

    @Override
    public List<FramePlan.Batch> batches() {
        List<FramePlan.Batch> list = batchList;
        if (list == null) {
            list = arrays.batches(names);
            batchList = list;
        }
        return list;
    }

    @Override
    public List<FramePlan.RecordingGroup> recordingGroups() {
        List<FramePlan.RecordingGroup> list = groupList;
        if (list == null) {
            list = arrays.recordingGroups();
            groupList = list;
        }
        return list;
    }

    @Override
    public List<FramePlan.HeapPlan> heaps() {
        List<FramePlan.HeapPlan> list = heapList;
        if (list == null) {
            list = arrays.heaps();
            heapList = list;
        }
        return list;
    }

    @Override
    public List<FramePlan.RenderPassPlan> renderPasses() {
        List<FramePlan.RenderPassPlan> list = renderPassList;
        if (list == null) {
            list = arrays.renderPasses(names);
            renderPassList = list;
        }
        return list;
    }

    @Override
    public List<List<Integer>> physicalPasses() {
        List<List<Integer>> list = physicalList;
        if (list == null) {
            list = arrays.physicalPasses(renderPasses());
            physicalList = list;
        }
        return list;
    }

    @Override
    public List<FramePlan.ScopePlan> scopes() {
        List<FramePlan.ScopePlan> list = scopeList;
        if (list == null) {
            list = arrays.scopes(names);
            scopeList = list;
        }
        return list;
    }

    @Override
    public long transientBytesWithoutAliasing() {
        return arrays.transientBytesWithoutAliasing();
    }
}
