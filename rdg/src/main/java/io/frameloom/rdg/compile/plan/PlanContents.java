package io.frameloom.rdg.compile.plan;

import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.HeapPlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.RecordingGroup;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.ScopePlan;
import java.util.List;

/** The lists of a plan, which are there or are made when somebody asks; equal at every time. Any thread. */
interface PlanContents {
    /** Returns the passes, those that the compiler added behind the declared ones. */
    List<PassPlan> passes();

    /** Returns the resources, without what is bound to them. */
    List<ResourcePlan> resources();

    /** Returns the batches. */
    List<Batch> batches();

    /** Returns the recording groups. */
    List<RecordingGroup> recordingGroups();

    /** Returns the heaps. */
    List<HeapPlan> heaps();

    /** Returns the render passes. */
    List<RenderPassPlan> renderPasses();

    /** Returns the passes of each render pass as a device runs them that goes on with targets on tiles. */
    List<List<Integer>> physicalPasses();

    /** Returns the scopes. */
    List<ScopePlan> scopes();

    /** Returns the bytes if each transient had memory of its own. */
    long transientBytesWithoutAliasing();
}
