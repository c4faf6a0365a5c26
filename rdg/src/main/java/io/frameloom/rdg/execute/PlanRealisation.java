package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.execute.touch.PlanTouches;
import io.frameloom.rdg.explain.SwapchainUse;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A plan in terms of a device: native resources, translated barriers, names of tasks, but no bodies. Made on the RENDER
 * thread, read by all, and kept while plans of its shape and names repeat. One of another plan of the shape shares all
 * but the names.
 */
final class PlanRealisation {
    private final @Nullable Resource[] resources;
    private final GroupRealisation[] groups;
    private final BatchRealisation[] batches;
    private final List<TransientHeaps.Heap> heaps;
    private final List<FramePlan.HeapPlan> heapPlans;
    private final List<TransientHeaps.Entry> entries;
    private final List<Resource> extracted;
    private final int passCount;
    private final int eventCount;
    private final List<SwapchainUse> swapchainUses;
    private final PlanTouches touches;
    private final GroupTimes times;

    /**
     * A recording group.
     *
     * @param queue the queue it is recorded for; of a pass of the host, which is not recorded, the graphics queue
     * @param label name of its command list
     * @param onCaller whether a pass of it must be recorded by the thread that executes the plan
     */
    record GroupRealisation(
            int batch, GpuQueue queue, List<PassRealisation> passes, String label, String taskName, boolean onCaller) {
        static GroupRealisation of(int batch, GpuQueue queue, List<PassRealisation> passes, boolean onCaller) {
            String label = PassLabels.of(passes);
            return new GroupRealisation(batch, queue, List.copyOf(passes), label, "record " + label, onCaller);
        }
    }

    /**
     * A batch.
     *
     * @param queue the queue it is submitted to; of a pass of the host, of which nothing is submitted, the graphics
     *     queue
     * @param groups indices of its recording groups in order
     * @param waits its waits for earlier batches of the frame
     * @param head whether it is the first of its queue in the frame
     */
    record BatchRealisation(
            GpuQueue queue,
            boolean host,
            List<Integer> groups,
            List<FramePlan.BatchWait> waits,
            boolean head,
            BatchNames names) {}

    PlanRealisation(
            CompiledPlan plan,
            @Nullable Resource[] resources,
            GroupRealisation[] groups,
            BatchRealisation[] batches,
            List<TransientHeaps.Heap> heaps,
            List<TransientHeaps.Entry> entries,
            List<Resource> extracted,
            int eventCount,
            PlanTouches touches) {
        this.resources = resources;
        this.groups = groups;
        this.batches = batches;
        this.heaps = heaps;
        this.heapPlans = plan.heaps();
        this.entries = entries;
        this.extracted = List.copyOf(extracted);
        this.passCount = plan.passes().size();
        this.eventCount = eventCount;
        this.swapchainUses = SwapchainUse.of(plan);
        this.touches = touches;
        this.times = new GroupTimes(groups.length);
    }

    private PlanRealisation(PlanRealisation other, GroupRealisation[] groups) {
        this.resources = other.resources;
        this.groups = groups;
        this.batches = other.batches;
        this.heaps = other.heaps;
        this.heapPlans = other.heapPlans;
        this.entries = other.entries;
        this.extracted = other.extracted;
        this.passCount = other.passCount;
        this.eventCount = other.eventCount;
        this.swapchainUses = other.swapchainUses;
        this.touches = other.touches;
        this.times = other.times;
    }

    /** Returns the same with other groups, made of these. */
    PlanRealisation with(UnaryOperator<GroupRealisation> change) {
        GroupRealisation[] changed = groups.clone();
        for (int g = 0; g < changed.length; g++) {
            changed[g] = change.apply(changed[g]);
        }
        return new PlanRealisation(this, changed);
    }

    /** Returns what the plan does with memory that other frames use as well. */
    PlanTouches touches() {
        return touches;
    }

    /** Returns how long its groups took in former frames. */
    GroupTimes times() {
        return times;
    }

    List<SwapchainUse> swapchainUses() {
        return swapchainUses;
    }

    /** Returns the native resource at an index of the plan, or null if no surviving pass uses it. */
    @Nullable
    Resource resource(int index) {
        return resources[index];
    }

    int passCount() {
        return passCount;
    }

    /** Returns the number of events of split barriers. */
    int eventCount() {
        return eventCount;
    }

    GroupRealisation group(int index) {
        return groups[index];
    }

    /** Returns the name of the task that records a group and those after it up to another. */
    String taskName(int group, int last) {
        return group == last ? groups[group].taskName() : times.name(group, last, g -> groups[g].label());
    }

    int groupCount() {
        return groups.length;
    }

    /** Returns whether a recording group is a pass of the host, of which nothing is recorded. */
    boolean isOnHost(int group) {
        return batches[groups[group].batch()].host();
    }

    boolean hasHost() {
        for (BatchRealisation batch : batches) {
            if (batch.host()) {
                return true;
            }
        }
        return false;
    }

    BatchRealisation batch(int index) {
        return batches[index];
    }

    int batchCount() {
        return batches.length;
    }

    /** Gives back the resources that were made for a caller that does not get them. */
    void giveBackExtracted(ResourcePool pool) {
        extracted.forEach(resource -> pool.give(resource, 0));
    }

    /** Returns the tasks that a frame takes: recording, passes of the host, submission, completion. */
    int taskCount() {
        return groups.length + Math.max(1, batches.length) + 1;
    }

    /**
     * Returns whether the next frame of the plan can use this. It cannot if memory of it was retired, an external was
     * closed, or something is handed out to the caller.
     */
    boolean isRepeatable() {
        if (!extracted.isEmpty()) {
            return false;
        }
        for (int i = 0; i < heaps.size(); i++) {
            if (heaps.get(i).isRetired()) {
                return false;
            }
        }
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).isRetired()) {
                return false;
            }
        }
        for (Resource resource : resources) {
            if (resource != null && resource.isClosed()) {
                return false;
            }
        }
        return true;
    }

    /** Notes that {@code frame} uses the cached memory and resources. */
    void use(long frame) {
        for (int i = 0; i < heaps.size(); i++) {
            heaps.get(i).use(heapPlans.get(i).bytes(), frame);
        }
        for (int i = 0; i < entries.size(); i++) {
            entries.get(i).use(frame);
        }
    }
}
