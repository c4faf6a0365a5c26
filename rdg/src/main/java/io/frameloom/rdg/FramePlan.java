package io.frameloom.rdg;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A compiled frame: what runs where, in which order, behind which barriers and in which memory, with the reason of every
 * decision. Immutable data; any thread.
 */
public final class FramePlan {
    private final String name;
    private final QueueTopology queues;
    private final RdgOptions options;
    private final List<PassPlan> passes;
    private final List<ResourcePlan> resources;
    private final List<Batch> batches;
    private final List<RecordingGroup> recordingGroups;
    private final List<HeapPlan> heaps;
    private final List<Dependency> dependencies;
    private final List<Epoch> epochs;
    private final List<RenderPassPlan> renderPasses;
    private final List<List<Integer>> forkRuleRenderPasses;
    private final List<AsyncRegion> asyncRegions;
    private final long transientBytesWithoutAliasing;
    private final List<ScopePlan> scopes;
    private final int barrierCount;
    private final int waitCount;
    private final int culledCount;

    FramePlan(
            String name,
            QueueTopology queues,
            RdgOptions options,
            List<PassPlan> passes,
            List<ResourcePlan> resources,
            List<Batch> batches,
            List<RecordingGroup> recordingGroups,
            List<HeapPlan> heaps,
            List<Dependency> dependencies,
            List<Epoch> epochs,
            List<RenderPassPlan> renderPasses,
            List<List<Integer>> forkRuleRenderPasses,
            List<AsyncRegion> asyncRegions,
            long transientBytesWithoutAliasing,
            List<ScopePlan> scopes) {
        this.name = name;
        this.queues = queues;
        this.options = options;
        this.passes = List.copyOf(passes);
        this.resources = List.copyOf(resources);
        this.batches = List.copyOf(batches);
        this.recordingGroups = List.copyOf(recordingGroups);
        this.heaps = List.copyOf(heaps);
        this.dependencies = List.copyOf(dependencies);
        this.epochs = List.copyOf(epochs);
        this.renderPasses = List.copyOf(renderPasses);
        this.forkRuleRenderPasses = List.copyOf(forkRuleRenderPasses);
        this.asyncRegions = List.copyOf(asyncRegions);
        this.transientBytesWithoutAliasing = transientBytesWithoutAliasing;
        this.scopes = List.copyOf(scopes);
        int barriers = 0;
        int culled = 0;
        for (PassPlan pass : this.passes) {
            barriers += pass.before.size() + pass.after.size();
            culled += pass.culled ? 1 : 0;
        }
        int waits = 0;
        for (Batch batch : this.batches) {
            waits += batch.waits.size();
        }
        this.barrierCount = barriers;
        this.waitCount = waits;
        this.culledCount = culled;
    }

    /** Returns the name of the graph. */
    public String name() {
        return name;
    }

    /** Returns the queues that the plan is for. */
    public QueueTopology queues() {
        return queues;
    }

    /** Returns whether passes that no output needs were removed. */
    public boolean cullsPasses() {
        return options.cullPasses();
    }

    /** Returns the options that the plan was compiled with, what they imply included. */
    public RdgOptions options() {
        return options;
    }

    /**
     * Returns all declared passes in order, culled ones included, and after them the passes that the compiler added:
     * those have no commands, only barriers.
     */
    public List<PassPlan> passes() {
        return passes;
    }

    /** Returns the resources in order of declaration. */
    public List<ResourcePlan> resources() {
        return resources;
    }

    /** Returns the batches in order of submission, a topological order of all queues together. */
    public List<Batch> batches() {
        return batches;
    }

    /** Returns the recording groups in order of their batches. */
    public List<RecordingGroup> recordingGroups() {
        return recordingGroups;
    }

    /** Returns the heaps of the transients. */
    public List<HeapPlan> heaps() {
        return heaps;
    }

    /** Returns every ordering that the accesses of the passes ask for, with what became of it. */
    public List<Dependency> dependencies() {
        return dependencies;
    }

    /** Returns the states that the ranges of the resources go through. */
    public List<Epoch> epochs() {
        return epochs;
    }

    /** Returns the render passes in order, with the raster passes that share each. */
    public List<RenderPassPlan> renderPasses() {
        return renderPasses;
    }

    /**
     * Returns the raster passes that Unreal's rule would put into one render pass: it begins a new one before a pass
     * behind which another queue forks. Only a report; {@link #renderPasses} is what runs.
     */
    public List<List<Integer>> forkRuleRenderPasses() {
        return forkRuleRenderPasses;
    }

    /** Returns, for each pass beside the graphics queue, between which graphics passes it runs. */
    public List<AsyncRegion> asyncRegions() {
        return asyncRegions;
    }

    /** Returns the scopes of the passes in the order in which they were opened. */
    public List<ScopePlan> scopes() {
        return scopes;
    }

    /** Returns the number of barriers. */
    public int barrierCount() {
        return barrierCount;
    }

    /** Returns the number of waits of a queue for another one. */
    public int waitCount() {
        return waitCount;
    }

    /** Returns the number of passes that were removed. */
    public int culledCount() {
        return culledCount;
    }

    /** Returns the bytes of all heaps. */
    public long heapBytes() {
        long bytes = 0;
        for (HeapPlan heap : heaps) {
            bytes += heap.bytes;
        }
        return bytes;
    }

    /** Returns the bytes that the same transients take if each has memory of its own. */
    public long transientBytesWithoutAliasing() {
        return transientBytesWithoutAliasing;
    }

    /** Returns the layout in which a texture is left. */
    public TextureLayout finalLayout(RdgTexture texture) {
        return resources.get(texture.index()).finalLayout;
    }

    /**
     * Says of every pass and resource of a name why it is as it is: queue, order, waits, barriers, render pass, memory.
     *
     * @return lines of text; none if nothing has the name
     */
    public List<String> explain(String name) {
        return new PlanExplanation(this).of(name);
    }

    /** Returns what is allowed but looks like a mistake. */
    public List<PlanWarning> warnings() {
        return PlanWarning.of(this);
    }

    /**
     * Writes the declared graph in the form {@code rdg-case/1} together with the plan, as JSON in UTF-8 text.
     *
     * @throws IOException if the writer throws it
     */
    public void writeJson(Writer writer) throws IOException {
        new PlanJson(this).write(writer);
    }

    @Override
    public String toString() {
        return "FramePlan[" + name + ": " + passes.size() + " passes, " + culledCount + " culled, " + batches.size()
                + " batches, " + waitCount + " waits, " + barrierCount + " barriers, " + heapBytes() + " heap bytes]";
    }

    /**
     * A pass.
     *
     * @param index position in {@link FramePlan#passes}
     * @param name name
     * @param kind kind
     * @param flags flags
     * @param queue index of its queue, or -1 if culled
     * @param level longest chain of dependencies before it, or -1 if culled or added by the compiler
     * @param culled whether it was removed
     * @param cullReason why, or empty
     * @param uses declared uses
     * @param targets render targets of a raster pass that does not skip its render pass, or null
     * @param body commands
     * @param before barriers before it, recorded as one command
     * @param after barriers after it, recorded as one command
     * @param scope index of the innermost scope around it, or -1
     * @param uniforms uniform buffers of the frame that it reads
     */
    public record PassPlan(
            int index,
            String name,
            PassKind kind,
            Set<PassFlag> flags,
            int queue,
            int level,
            boolean culled,
            String cullReason,
            List<UsePlan> uses,
            @Nullable RenderTargets targets,
            PassBody body,
            List<PlanBarrier> before,
            List<PlanBarrier> after,
            int scope,
            List<RdgUniformBuffer> uniforms) {
        /** Copies the lists. */
        public PassPlan {
            uses = List.copyOf(uses);
            before = List.copyOf(before);
            after = List.copyOf(after);
            uniforms = List.copyOf(uniforms);
        }
    }

    /**
     * Passes that belong together for people, such as those of a feature.
     *
     * @param index position in {@link FramePlan#scopes}
     * @param name name
     * @param parent index of the scope around it, smaller than its own, or -1
     */
    public record ScopePlan(int index, String name, int parent) {}

    /**
     * A use of a resource.
     *
     * @param resource index of the resource
     * @param range range of a texture, or null for a buffer
     * @param offset first byte of a buffer
     * @param bytes length in a buffer, or 0 for a texture
     * @param access access
     * @param discard whether the old contents are not needed
     * @param layout the layout the texture is in during the pass
     * @param overlapGroup number of the {@link OverlapGroup} of a write, or -1
     */
    public record UsePlan(
            int resource,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            Access access,
            boolean discard,
            TextureLayout layout,
            int overlapGroup) {
        /** Returns whether the two uses touch something in common. */
        boolean overlaps(UsePlan other) {
            if (range != null && other.range != null) {
                return resource == other.resource && range.overlaps(other.range);
            }
            return resource == other.resource && offset < other.offset + other.bytes && other.offset < offset + bytes;
        }
    }

    /**
     * A barrier.
     *
     * @param resource index of the resource
     * @param range range of a texture, or null for a buffer
     * @param offset first byte of a buffer
     * @param bytes length in a buffer, or 0 for a texture
     * @param scope what must have happened and what waits
     * @param oldLayout layout before
     * @param newLayout layout after
     * @param ownership transfer between queue families; null as long as resources are shared by all families
     * @param allMemory whether the scope is one of all memory, too: the resource takes over what others wrote, which a
     *     barrier of one resource does not reach
     * @param reason why it is there
     */
    public record PlanBarrier(
            int resource,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            BarrierBatch.Scope scope,
            TextureLayout oldLayout,
            TextureLayout newLayout,
            BarrierBatch.@Nullable OwnershipTransfer ownership,
            boolean allMemory,
            String reason) {}

    /**
     * A resource.
     *
     * @param index position in {@link FramePlan#resources}
     * @param name name
     * @param texture whether it is a texture
     * @param textureDescription shape of a texture with its usage completed, or null
     * @param bufferDescription shape of a buffer with its usage completed, or null
     * @param lifetime lifetime
     * @param external the application's resource, or null
     * @param heap index of its heap, or -1
     * @param offset first byte in the heap
     * @param bytes size in the heap
     * @param initialLayout layout at the start of the frame
     * @param finalLayout layout at the end of the frame
     * @param extraction where it goes after the frame, or null
     * @param used whether a pass that runs uses it
     */
    public record ResourcePlan(
            int index,
            String name,
            boolean texture,
            @Nullable TextureDescription textureDescription,
            @Nullable BufferDescription bufferDescription,
            Lifetime lifetime,
            @Nullable Resource external,
            int heap,
            long offset,
            long bytes,
            TextureLayout initialLayout,
            TextureLayout finalLayout,
            @Nullable Extraction extraction,
            boolean used) {}

    /**
     * Passes of one queue that are submitted together.
     *
     * @param index position in {@link FramePlan#batches}
     * @param queue index of the queue
     * @param passes passes in order
     * @param waits batches of other queues to wait for
     * @param signals whether a batch waits for this one
     */
    public record Batch(int index, int queue, List<Integer> passes, List<BatchWait> waits, boolean signals) {
        /** Copies the lists. */
        public Batch {
            passes = List.copyOf(passes);
            waits = List.copyOf(waits);
        }
    }

    /**
     * A wait for another queue.
     *
     * @param batch index of the batch to wait for
     * @param stages mask of the stages that wait
     * @param reason the pair of passes that would race without it
     */
    public record BatchWait(int batch, int stages, String reason) {}

    /**
     * Consecutive passes of one batch that are recorded into one command list by one task.
     *
     * @param index position in {@link FramePlan#recordingGroups}
     * @param batch index of the batch
     * @param passes passes in order
     * @param serial whether a task of its own is not worth it or not allowed
     */
    public record RecordingGroup(int index, int batch, List<Integer> passes, boolean serial) {
        /** Copies the list. */
        public RecordingGroup {
            passes = List.copyOf(passes);
        }
    }

    /**
     * Raster passes that share a render pass.
     *
     * @param index position in {@link FramePlan#renderPasses}
     * @param passes passes in order
     * @param refusal why the first does not join the render pass before, or empty for the first of the frame
     */
    public record RenderPassPlan(int index, List<Integer> passes, String refusal) {
        /** Copies the list. */
        public RenderPassPlan {
            passes = List.copyOf(passes);
        }
    }

    /**
     * Where a pass beside the graphics queue runs.
     *
     * @param pass pass
     * @param fork graphics pass behind which it may start, or -1 for the start of the frame
     * @param join graphics pass before which it must be complete, or -1 for the end of the frame
     */
    public record AsyncRegion(int pass, int fork, int join) {}

    /**
     * Memory of transients.
     *
     * @param memoryTypes mask of the memory types that fit everything in it
     * @param bytes size
     * @param lowerBound bytes that no placement can go below
     */
    public record HeapPlan(int memoryTypes, long bytes, long lowerBound) {}

    /** Why a pass must run after another one. */
    public enum DependencyKind {
        /** It reads what the other one wrote. */
        READ_AFTER_WRITE,
        /** It overwrites what the other one read. */
        WRITE_AFTER_READ,
        /** It writes what the other one wrote. */
        WRITE_AFTER_WRITE,
        /** It reads in another layout than the other one. */
        LAYOUT,
        /** The application says so. */
        DECLARED
    }

    /**
     * An ordering between two passes that both run.
     *
     * @param from earlier pass
     * @param to later pass
     * @param resource resource of the first access that asks for it, or -1 if the application declared the order
     * @param kinds why
     * @param crossQueue whether the passes run on different queues
     * @param waited whether it became a wait; a cross-queue dependency without one is implied by other waits
     */
    public record Dependency(
            int from, int to, int resource, Set<DependencyKind> kinds, boolean crossQueue, boolean waited) {}

    /**
     * A state of a range: passes that use it without a barrier in between.
     *
     * @param resource index of the resource
     * @param range range of a texture, or null for a buffer
     * @param offset first byte of a buffer
     * @param bytes length in a buffer, or 0 for a texture
     * @param write whether the passes write
     * @param layout layout
     * @param passes passes in order
     */
    public record Epoch(
            int resource,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            boolean write,
            TextureLayout layout,
            List<Integer> passes) {
        /** Copies the list. */
        public Epoch {
            passes = List.copyOf(passes);
        }
    }
}
