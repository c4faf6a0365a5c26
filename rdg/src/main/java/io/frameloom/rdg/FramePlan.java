package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.async.AsyncDecision;
import io.frameloom.rdg.async.RegionDecision;
import io.frameloom.rdg.compile.PlanStructure;
import io.frameloom.rdg.compile.ScheduleQuality;
import io.frameloom.rdg.execute.PlanWork;
import io.frameloom.rdg.facts.PlacementReasons;
import io.frameloom.rdg.facts.WaitChains;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A compiled frame: what runs where, in which order, behind which barriers and in which memory, with the reason of every
 * decision. Immutable data; any thread.
 */
public final class FramePlan {
    private final PlanStructure structure;
    private final PlanBindings bindings;
    private final @Nullable AsyncDecision decision;
    private final ImmediateRun.@Nullable Origin restOf;
    private final List<PlanWarning> captureWarnings;
    /** Made when somebody asks; two threads that ask first at once get equal ones. */
    private volatile @Nullable List<ResourcePlan> resources;

    private volatile @Nullable WaitChains chains;
    private volatile @Nullable PlacementReasons placements;

    FramePlan(PlanStructure structure, PlanBindings bindings) {
        this(structure, bindings, null, null, List.of());
    }

    /** A plan that was compiled by a decision which passes run beside the graphics queue. */
    FramePlan(PlanStructure structure, PlanBindings bindings, @Nullable AsyncDecision decision) {
        this(structure, bindings, decision, null, List.of());
    }

    /** A plan with captures, of which there is something to be said. */
    FramePlan(PlanStructure structure, PlanBindings bindings, List<PlanWarning> captureWarnings) {
        this(structure, bindings, null, null, captureWarnings);
    }

    private FramePlan(
            PlanStructure structure,
            PlanBindings bindings,
            @Nullable AsyncDecision decision,
            ImmediateRun.@Nullable Origin restOf,
            List<PlanWarning> captureWarnings) {
        this.structure = structure;
        this.bindings = bindings;
        this.decision = decision;
        this.restOf = restOf;
        this.captureWarnings = captureWarnings;
    }

    /** Returns this as what is left of a graph whose passes ran while they were declared. */
    FramePlan restOf(ImmediateRun.Origin graph) {
        return new FramePlan(structure, bindings, decision, graph, captureWarnings);
    }

    /** Returns the run of which this is what is left, or null. */
    @Nullable
    ImmediateRun immediate() {
        return restOf == null ? null : restOf.run();
    }

    PlanStructure structure() {
        return structure;
    }

    PlanBindings bindings() {
        return bindings;
    }

    /** Returns what is to be said of the captures in it. */
    List<PlanWarning> captureWarnings() {
        return captureWarnings;
    }

    /** Returns the decision that it was compiled by, null unless that is measured. */
    @Nullable
    AsyncDecision decision() {
        return decision;
    }

    /** Returns what is decided about the region of a pass, or null. */
    @Nullable
    RegionDecision decisionOf(int pass) {
        return decision == null || pass >= structure.declaredPasses()
                ? null
                : decision.of(structure.declaredIndex(pass));
    }

    /** Returns what those who execute the plan need of it besides. */
    PlanWork work() {
        return new BoundWork(this);
    }

    /** Returns what stands for all that this plan has in common with other plans of equal graphs. */
    Object shape() {
        return structure.shape();
    }

    /** Returns the commands of a pass; those of a pass that the compiler added do nothing. */
    PassBody body(int pass) {
        return bindings.body(pass);
    }

    /** Returns the name of the graph. */
    public String name() {
        return bindings.name();
    }

    /** Returns the queues that the plan is for. */
    public QueueTopology queues() {
        return structure.queues();
    }

    /** Returns whether passes that no output needs were removed. */
    public boolean cullsPasses() {
        return structure.cullsPasses();
    }

    /** Returns the options that the plan was compiled with, what they imply included. */
    public RdgOptions options() {
        return structure.options();
    }

    /**
     * Returns the nanoseconds that each phase of the compiler took when the plan, or the one whose structure it has, was
     * compiled, in the order of the phases; nothing unless {@link RdgDiagnostics#compileTimes} asks for it.
     */
    public Map<CompilePhase, Long> compileTimes() {
        return structure.compileTimes();
    }

    /**
     * Returns all declared passes in order, culled ones included, and after them the passes that the compiler added:
     * those have no commands, only barriers.
     */
    public List<PassPlan> passes() {
        return structure.passes();
    }

    /** Returns the resources in order of declaration. */
    public List<ResourcePlan> resources() {
        List<ResourcePlan> known = resources;
        if (known == null) {
            known = bindings.bound(structure.resources());
            resources = known;
        }
        return known;
    }

    /**
     * Returns the resources that come from outside of the frame or go there: external, history and extracted ones, in
     * order of declaration.
     */
    public List<ResourcePlan> outsideResources() {
        return bindings.outside(resources());
    }

    /** Returns the batches in order of submission, a topological order of all queues together. */
    public List<Batch> batches() {
        return structure.batches();
    }

    /** Returns the recording groups in order of their batches. */
    public List<RecordingGroup> recordingGroups() {
        return structure.recordingGroups();
    }

    /** Returns the heaps of the transients. */
    public List<HeapPlan> heaps() {
        return structure.heaps();
    }

    /** Returns every ordering that the accesses of the passes ask for, with what became of it. */
    public List<PlanDerivation.Dependency> dependencies() {
        return structure.derivation().dependencies();
    }

    /**
     * Returns in words by which waits a dependency between queues is met that has no wait of its own, from pass to pass over
     * which queues; nothing for one that is waited for, or within one queue.
     */
    public String impliedBy(PlanDerivation.Dependency dependency) {
        return chains().describe(dependency);
    }

    WaitChains chains() {
        WaitChains known = chains;
        if (known == null) {
            known = new WaitChains(this);
            chains = known;
        }
        return known;
    }

    /**
     * Returns in words why a resource lies where it lies: whose memory it takes over, or why it shares with nobody; to follow
     * the name of the resource.
     */
    public String placementReason(ResourcePlan resource) {
        PlacementReasons known = placements;
        if (known == null) {
            known = new PlacementReasons(this);
            placements = known;
        }
        return known.of(resource);
    }

    /** Returns the states that the ranges of the resources go through. */
    public List<PlanDerivation.Epoch> epochs() {
        return structure.derivation().epochs();
    }

    /** Returns the render passes with the raster passes that share each: those of one queue in order, then those of the next. */
    public List<RenderPassPlan> renderPasses() {
        return structure.renderPasses();
    }

    /**
     * Returns the render passes, each a list of passes, as a device runs them that goes on with targets on tiles; on others
     * what {@link #renderPasses} says.
     */
    public List<List<Integer>> physicalPasses() {
        return structure.physicalPasses();
    }

    /**
     * Returns the raster passes that Unreal's rule would put into one render pass: it begins a new one before a pass
     * behind which another queue forks. Only a report; {@link #renderPasses} is what runs.
     */
    public List<List<Integer>> forkRuleRenderPasses() {
        return structure.derivation().forkRuleRenderPasses();
    }

    /** Returns, for each pass beside the graphics queue, between which graphics passes it runs. */
    public List<PlanDerivation.AsyncRegion> asyncRegions() {
        return structure.derivation().asyncRegions();
    }

    /** Returns the scopes of the passes in the order in which they were opened. */
    public List<ScopePlan> scopes() {
        return structure.scopes();
    }

    /** Returns the number of barriers. */
    public int barrierCount() {
        return structure.barrierCount();
    }

    /** Returns the number of waits of a queue for another one. */
    public int waitCount() {
        return structure.waitCount();
    }

    /** Returns the number of passes that were removed. */
    public int culledCount() {
        return structure.culledCount();
    }

    /** Returns how often the kind of pass changes on a queue, all queues together. */
    public int kindSwitches() {
        return ScheduleQuality.kindSwitches(structure);
    }

    /**
     * Returns in words why the passes are in the program's order though {@link PlanPolicy#schedule} asks for another one,
     * which would be worse; nothing if they are as asked.
     */
    public String scheduleRefusal() {
        return structure.scheduleRefusal();
    }

    /** Returns the bytes of all heaps. */
    public long heapBytes() {
        long bytes = 0;
        for (HeapPlan heap : heaps()) {
            bytes += heap.bytes();
        }
        return bytes;
    }

    /** Returns the bytes that the same transients take if each has memory of its own. */
    public long transientBytesWithoutAliasing() {
        return structure.transientBytesWithoutAliasing();
    }

    /** Returns the layout in which a texture is left. */
    public TextureLayout finalLayout(RdgTexture texture) {
        return resources().get(texture.index()).finalLayout;
    }

    /**
     * Says of every pass and resource of a name why it is as it is: queue, order, waits, barriers, render pass, memory.
     *
     * @return lines of text
     * @throws IllegalArgumentException if nothing has the name; the message has the nearest ones
     */
    public List<String> explain(String name) {
        return new PlanExplanation(this).of(name);
    }

    /** Returns what is allowed but looks like a mistake; in immediate mode of the whole graph, not of what is left of it. */
    public List<PlanWarning> warnings() {
        return PlanWarning.of(restOf == null ? this : restOf.asDeclared());
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
        return "FramePlan[" + name() + ": " + Plural.of(passes().size(), "pass") + ", " + culledCount() + " culled, "
                + Plural.of(batches().size(), "batch") + ", " + Plural.of(waitCount(), "wait") + ", "
                + Plural.of(barrierCount(), "barrier") + ", " + Plural.of(heapBytes(), "heap byte") + "]";
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
        /** Copies the lists. */
        public PassPlan {
            uses = List.copyOf(uses);
            before = List.copyOf(before);
            after = List.copyOf(after);
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
     * @param discardIfRun whether the pass, which has a condition, needs none of the old contents of what it touches if it
     *     runs; they are kept if it is left out, so {@code discard} is false
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
            boolean discardIfRun) {
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
     * @param ownership transfer between queue families, or null; its release stands on a queue of the one family, its
     *     acquire on one of the other
     * @param allMemory whether the scope is one of all memory, too: the resource takes over what others wrote, which a
     *     barrier of one resource does not reach, or it is a buffer of one queue family at a time that takes over memory,
     *     whichever family had it in the frame before
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
            ResourcePlan whole = plan.resources().get(resource);
            TextureDescription texture = whole.textureDescription();
            BufferDescription buffer = whole.bufferDescription();
            List<String> parts = new ArrayList<>();
            if (range != null && texture != null) {
                parts.add(part("mip", range.baseMip(), range.mipCount(), texture.mips()));
                parts.add(part("layer", range.baseLayer(), range.layerCount(), texture.layers()));
                parts.add(part(
                        "plane",
                        range.basePlane(),
                        range.planeCount(),
                        texture.format().planes()));
            } else if (buffer != null) {
                parts.add(part("byte", offset, bytes, buffer.bytes()));
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

        /** Returns in words why it is there. */
        public String reason() {
            return why.text();
        }
    }

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
     * @param bytes size in the heap, or that lazily allocated memory has at most
     * @param lazy whether it is a target that no render pass leaves behind, in lazily allocated memory of its own
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
        ResourcePlan with(@Nullable Resource otherExternal, @Nullable Extraction otherExtraction) {
            return new ResourcePlan(
                    index,
                    name,
                    texture,
                    textureDescription,
                    bufferDescription,
                    lifetime,
                    otherExternal,
                    heap,
                    offset,
                    bytes,
                    lazy,
                    initialLayout,
                    finalLayout,
                    otherExtraction,
                    used);
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
     * @param why the pair of passes that would race without it
     */
    public record BatchWait(int batch, int stages, Reason why) {
        /** Returns in words why it is there. */
        public String reason() {
            return why.text();
        }
    }

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
     * @param why why the first does not join the render pass before on its queue; null for the first of a queue
     */
    public record RenderPassPlan(
            int index, List<Integer> passes, @Nullable Reason why) {
        /** Copies the list. */
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
     * @param bound finds the bytes that no placement can go below, in use by {@link #lowerBound}
     */
    public record HeapPlan(int memoryTypes, long bytes, LongSupplier bound) {
        /** Returns the bytes that no placement can go below; the first call may take long. Any thread. */
        public long lowerBound() {
            return bound.getAsLong();
        }
    }
}
