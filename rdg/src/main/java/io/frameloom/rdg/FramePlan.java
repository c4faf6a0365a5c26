package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.plan.ListOnRequest;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.compile.plan.ScheduleQuality;
import io.frameloom.rdg.diagnostics.CompilePhase;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.explain.PlacementReasons;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.explain.PlanExplanation;
import io.frameloom.rdg.explain.PlanFindings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A compiled frame: what runs where, in which order, after which barriers and in which memory, with the reason of every
 * decision. Immutable data until {@link #release}; any thread.
 */
public abstract class FramePlan {
    private volatile @Nullable PlanClocks clocks;

    /** For the compiler alone: an executor takes only its plans. */
    protected FramePlan() {}

    /** Returns this for a call, unless it was released. */
    private CompiledPlan held(String call) {
        CompiledPlan plan = CompiledPlan.of(this);
        plan.requireHeld(call);
        return plan;
    }

    private PlanStructure structure(String call) {
        return held(call).structure();
    }

    /** Returns the name of the graph. */
    public abstract String name();

    /** Returns the queues that the plan is for. */
    public final QueueTopology queues() {
        return structure("queues").queues();
    }

    /** Returns the options that the plan was compiled with, what they imply included. */
    public final RdgOptions options() {
        return structure("options").options();
    }

    /**
     * Returns the nanoseconds that each phase of the compiler took, in the order of the phases; nothing unless {@link
     * RdgDiagnostics#compileTimes} is on. A plan that has the structure of another one returns the times of that.
     */
    public final Map<CompilePhase, Long> compileTimes() {
        return structure("compileTimes").arrays().compileTimes();
    }

    /**
     * Returns all declared passes in order, culled ones included, and after them the passes that the compiler added:
     * those have no commands, only barriers.
     */
    public List<PassPlan> passes() {
        return structure("passes").passes();
    }

    /** Returns the resources in order of declaration. */
    public abstract List<ResourcePlan> resources();

    /**
     * Returns the resources that come from outside of the frame or go there: external, history and extracted ones, in
     * order of declaration.
     */
    public abstract List<ResourcePlan> outsideResources();

    /** Returns the batches in order of submission, a topological order of all queues together. */
    public final List<Batch> batches() {
        return structure("batches").batches();
    }

    /** Returns the recording groups in order of their batches. */
    public final List<RecordingGroup> recordingGroups() {
        return structure("recordingGroups").recordingGroups();
    }

    /** Returns the heaps of the transients. */
    public final List<HeapPlan> heaps() {
        return structure("heaps").arrays().heaps();
    }

    /** Returns every ordering that the accesses of the passes ask for, with what became of it. */
    public final List<PlanDerivation.Dependency> dependencies() {
        return structure("dependencies").arrays().dependencies();
    }

    /**
     * Returns in words which waits meet a dependency between queues that has no wait of its own: from pass to pass,
     * over which queues. Returns nothing for one that is waited for, or within one queue.
     *
     * @param dependency one of {@link #dependencies}
     * @throws IllegalArgumentException if the plan has not its passes
     */
    public String impliedBy(PlanDerivation.Dependency dependency) {
        held("impliedBy");
        int first = Math.min(dependency.from(), dependency.to());
        int last = Math.max(dependency.from(), dependency.to());
        if (first < 0 || last >= passes().size()) {
            throw new IllegalArgumentException("plan '" + name() + "' has passes 0 to " + (passes().size() - 1)
                    + "; a dependency from pass " + dependency.from() + " to pass " + dependency.to()
                    + " is none of its dependencies()");
        }
        return clocks().describe(dependency);
    }

    private PlanClocks clocks() {
        PlanClocks known = clocks;
        if (known == null) {
            known = new PlanClocks(this);
            clocks = known;
        }
        return known;
    }

    /**
     * Returns in words why a resource lies where it lies: whose memory it takes over, or why it shares none. The words
     * follow the name of the resource.
     */
    public String placementReason(ResourcePlan resource) {
        return new PlacementReasons(held("placementReason"), clocks()).of(resource);
    }

    /** Returns the states that the ranges of the resources go through. */
    public final List<PlanDerivation.Epoch> epochs() {
        return structure("epochs").arrays().epochs();
    }

    /**
     * Returns the render passes with the raster passes that share each: those of one queue in order, then those of the
     * next.
     */
    public final List<RenderPassPlan> renderPasses() {
        return structure("renderPasses").renderPasses();
    }

    /**
     * Returns the raster passes that Unreal's rule would put into one render pass: it begins a new one before a pass
     * after which another queue forks. Only a report; {@link #renderPasses} is what runs.
     */
    public final List<List<Integer>> forkRuleRenderPasses() {
        return structure("forkRuleRenderPasses").arrays().forkRuleRenderPasses();
    }

    /** Returns, for each pass beside the graphics queue, between which graphics passes it runs. */
    public final List<PlanDerivation.AsyncRegion> asyncRegions() {
        return structure("asyncRegions").arrays().asyncRegions();
    }

    /** Returns the scopes of the passes in the order in which they were opened. */
    public final List<ScopePlan> scopes() {
        return structure("scopes").scopes();
    }

    /** Returns the number of barriers. */
    public final int barrierCount() {
        return structure("barrierCount").barrierCount();
    }

    /** Returns the number of waits of a queue for another one. */
    public final int waitCount() {
        return structure("waitCount").waitCount();
    }

    /** Returns the number of passes that were removed. */
    public final int culledCount() {
        return structure("culledCount").culledCount();
    }

    /** Returns how often the kind of pass changes on a queue, all queues together. */
    public final int kindSwitches() {
        return ScheduleQuality.kindSwitches(structure("kindSwitches"));
    }

    /**
     * Returns in words why the passes are in the program's order though {@link PlanPolicy#schedule} asks for another
     * one; nothing if they are as asked. The other order would be worse.
     */
    public final String scheduleRefusal() {
        return structure("scheduleRefusal").scheduleRefusal();
    }

    /** Returns the bytes of all heaps. */
    public final long heapBytes() {
        return structure("heapBytes").arrays().heapBytes();
    }

    /** Returns the bytes that the same transients take if each has memory of its own. */
    public final long transientBytesWithoutAliasing() {
        return structure("transientBytesWithoutAliasing").arrays().transientBytesWithoutAliasing();
    }

    /** Returns the layout in which a texture is left. */
    public TextureLayout finalLayout(RdgTexture texture) {
        return held("finalLayout").resources().get(texture.index()).finalLayout;
    }

    /**
     * Says of every pass and resource of a name why it is as it is: queue, order, waits, barriers, render pass, memory.
     *
     * @return lines of text
     * @throws IllegalArgumentException if nothing has the name; the message has the nearest ones
     */
    public List<String> explain(String name) {
        return new PlanExplanation(held("explain")).of(name);
    }

    /**
     * Returns what is allowed but looks like a mistake; in immediate mode of the whole graph, not of what is left of
     * it.
     */
    public List<PlanWarning> warnings() {
        return PlanFindings.of(held("warnings").asDeclared());
    }

    /**
     * Gives the memory of the plan back to its compiler, which writes later plans there. Only for plans that are not to
     * be executed again; without this call the garbage collector frees a plan. Any thread, while no other uses the plan.
     *
     * <p>The compiler goes on to give the plan to equal graphs, as another {@code FramePlan}. Each of these is released
     * by itself. The memory is used again when all are, and the compiler no longer keeps the plan.
     *
     * <p>Afterwards every call but {@link #name} and {@link #toString} throws. Statistics of its frames that were not
     * asked for before throw, too. So do lists and reasons that are read for the first time.
     *
     * @throws IllegalStateException if the plan was released before, or one of its frames is not over: await {@link
     *     FrameHandle#completed}, or close the executor. Nothing is released then
     */
    public final void release() {
        CompiledPlan.of(this).giveBack();
    }

    @Override
    public String toString() {
        if (CompiledPlan.of(this).isReleased()) {
            return "FramePlan[" + name() + ": released]";
        }
        return "FramePlan[" + name() + ": " + Plural.of(passes().size(), "pass") + ", " + culledCount() + " culled, "
                + Plural.of(batches().size(), "batch") + ", " + Plural.of(waitCount(), "wait") + ", "
                + Plural.of(barrierCount(), "barrier") + ", " + Plural.of(heapBytes(), "heap byte") + "]";
    }

    /**
     * A pass.
     *
     * @param index position in {@link FramePlan#passes}
     * @param queue index of its queue, or -1 if culled
     * @param level longest chain of dependencies before it, or -1 if culled or added by the compiler
     * @param culled whether it was removed
     * @param cullReason why, or empty
     * @param uses declared uses
     * @param targets render targets of a raster pass that does not skip its render pass, or null
     * @param before barriers before it, recorded as one command
     * @param after barriers after it, recorded as one command
     * @param scope index of the innermost scope around it, or -1
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
            List<PlanBarrier> before,
            List<PlanBarrier> after,
            int scope) {
        public PassPlan {
            uses = ListOnRequest.copyOf(uses);
            before = ListOnRequest.copyOf(before);
            after = ListOnRequest.copyOf(after);
        }
    }

    /**
     * Passes that belong together to the reader, such as those of a feature.
     *
     * @param index position in {@link FramePlan#scopes}
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
     * @param discard whether the old contents are not needed
     * @param layout the layout the texture is in during the pass
     * @param overlapGroup number of the {@link OverlapGroup} of a write, or -1
     * @param discardIfRun whether the pass, which has a condition, needs none of the old contents if it runs. They are
     *     kept if it is left out, so {@code discard} is false
     */
    public record UsePlan(
            int resource,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            Access access,
            boolean discard,
            TextureLayout layout,
            int overlapGroup,
            boolean discardIfRun) {}

    /**
     * A barrier. The first time that a plan is asked why one of its barriers is there, also by {@code toString} or a
     * comparison of barriers, its graph is compiled once more.
     *
     * @param resource index of the resource
     * @param range range of a texture, or null for a buffer
     * @param offset first byte of a buffer
     * @param bytes length in a buffer, or 0 for a texture
     * @param scope what must have happened and what waits
     * @param oldLayout layout before
     * @param newLayout layout after
     * @param ownership transfer between queue families, or null; its release stands on a queue of the one family, its
     *     acquire on one of the other
     * @param allMemory whether the scope is also all memory. Then the resource takes over what others wrote, which a
     *     barrier of one resource does not reach. Or it is a buffer of one queue family at a time that takes over
     *     memory, whichever family had it in the frame before
     * @param split whether it is issued in two halves, the second being where it stands; null if
     *     {@link PlanPolicy#splitBarriers} is off
     * @param why why it is there
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
            @Nullable BarrierSplit split,
            Reason why) {
        /** Returns whether it is issued in two halves. */
        public boolean isSplit() {
            return split != null && split.begin() >= 0;
        }

        /** Returns in words which part of its resource it concerns; nothing for all of it. */
        public String part(FramePlan plan) {
            return plan.resources().get(resource).part(range, offset, bytes);
        }

        /** Returns in words why it is there. */
        public String reason() {
            return why.text();
        }
    }

    /**
     * A resource.
     *
     * @param index position in {@link FramePlan#resources}
     * @param textureDescription shape of a texture with its usage completed, or null
     * @param bufferDescription shape of a buffer with its usage completed, or null
     * @param external the application's resource, or null
     * @param heap index of its heap, or -1
     * @param offset first byte in the heap
     * @param bytes size in the heap, or that lazily allocated memory has at most
     * @param lazy whether it is a target that never leaves its render pass, in lazily allocated memory of its own
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
            boolean lazy,
            TextureLayout initialLayout,
            TextureLayout finalLayout,
            @Nullable Extraction extraction,
            boolean used) {
        /**
         * Returns in words which part of it is meant; nothing for all of it.
         *
         * @param range range of a texture, or null for a buffer
         * @param offset first byte of a buffer
         * @param bytes length in a buffer
         */
        public String part(@Nullable SubresourceRange range, long offset, long bytes) {
            List<String> parts = new ArrayList<>();
            if (range != null && textureDescription != null) {
                int planes = textureDescription.format().planes();
                parts.add(part("mip", range.baseMip(), range.mipCount(), textureDescription.mips()));
                parts.add(part("layer", range.baseLayer(), range.layerCount(), textureDescription.layers()));
                parts.add(part("plane", range.basePlane(), range.planeCount(), planes));
            } else if (bufferDescription != null) {
                parts.add(part("byte", offset, bytes, bufferDescription.bytes()));
            }
            parts.removeIf(String::isEmpty);
            return String.join(", ", parts);
        }

        private static String part(String of, long first, long count, long all) {
            if (count >= all) {
                return "";
            }
            return count == 1 ? of + " " + first : of + "s " + first + " to " + (first + count - 1);
        }
    }

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
     * @param why the pair of passes that would race without it
     */
    public record BatchWait(int batch, int stages, Reason why) {
        /** Returns in words why it is there. */
        public String reason() {
            return why.text();
        }
    }

    /**
     * Consecutive passes of one batch that one task records into one command list.
     *
     * @param index position in {@link FramePlan#recordingGroups}
     * @param batch index of the batch
     * @param passes passes in order
     * @param serial whether a task of its own is not worth it or not allowed
     */
    public record RecordingGroup(int index, int batch, List<Integer> passes, boolean serial) {
        public RecordingGroup {
            passes = List.copyOf(passes);
        }
    }

    /**
     * Raster passes that share a render pass.
     *
     * @param index position in {@link FramePlan#renderPasses}
     * @param passes passes in order
     * @param why why the first does not join the render pass before on its queue; null for the first of a queue
     */
    public record RenderPassPlan(
            int index, List<Integer> passes, @Nullable Reason why) {
        public RenderPassPlan {
            passes = List.copyOf(passes);
        }

        /** Returns in words why the first does not join the render pass before, nothing for the first of the frame. */
        public String refusal() {
            return why == null ? "" : why.text();
        }
    }

    /**
     * Memory of transients.
     *
     * @param memoryTypes mask of the memory types that fit everything in it
     * @param bytes size
     * @param unsearchedBytes size before the search for lower heaps; the same if that found nothing or was not made
     * @param bound finds the bytes that no placement can go below, in use by {@link #lowerBound}
     */
    public record HeapPlan(int memoryTypes, long bytes, long unsearchedBytes, LongSupplier bound) {
        /** Returns the bytes that no placement can go below; the first call may take long. Any thread. */
        public long lowerBound() {
            return bound.getAsLong();
        }
    }
}
