package io.frameloom.rdg.bind;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.async.AsyncDecision;
import io.frameloom.rdg.async.RegionDecision;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.declare.BoundFrame;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.rdg.declare.Counting;
import io.frameloom.rdg.declare.DeclarationSite;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.FrameUse;
import io.frameloom.rdg.declare.GraphLease;
import io.frameloom.rdg.declare.NativePassBody;
import io.frameloom.rdg.diagnostics.PlanWarning;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A plan as the engine sees it: the structure that it shares with plans of equal graphs, and what is one frame's own.
 * That is the name of the graph; bodies, uniform buffers and setup tasks by pass of the plan; external resources and
 * extractions. Immutable but for its release and the frames that read it; any thread.
 */
public class CompiledPlan extends FramePlan {
    private static final PassBody NOTHING = context -> {};
    private static final @Nullable String[][] NO_SITES = {};
    private static final @Nullable String[] NO_RESOURCE_SITES = {};

    private final PlanStructure structure;
    private final String name;
    private final PassBody[] bodies;
    private final List<RdgUniformBuffer>[] uniforms;
    private final List<RdgSetupTask>[] setups;
    private final List<Counting>[] countings;
    private final boolean conditional;
    private final boolean anyNative;
    private final List<BoundFrame.Outside> outside;
    private final List<FrameUse> uses;
    /** By pass where it and then each of its uses was declared; of no pass unless sites are kept. */
    private final @Nullable String[][] sites;
    /** By resource where it was declared; of none unless sites are kept. */
    private final @Nullable String[] resourceSites;
    /** Resources that may stay unused. */
    private final BitSet unwarned;

    private final @Nullable AsyncDecision decision;
    private final List<PlanWarning> captureWarnings;
    /** Set once, before any other thread has the plan. */
    private @Nullable CompileTimes compiled;
    /** Made on request; two threads that ask first at the same time get equal ones. */
    private volatile @Nullable List<ResourcePlan> resources;

    /** Of what follows. Applications have the plan, so it is not its own lock. */
    private final Object lock = new Object();
    /** Written under the lock. */
    private volatile boolean released;
    // Executions whose slots were not taken again; mostly there is one at most. Guarded by the lock.
    private @Nullable Execution executing;
    private List<Execution> others = List.of();

    /** A frame that executes a plan. */
    public interface Execution {
        long number();

        /** Returns whether neither the device nor the host touches what the frame uses. */
        boolean isReleased();

        /** Reads what was measured of a frame that is over, if that is needed without a question. */
        void measure();
    }

    /**
     * Binds a frame of a graph to the structure of an equal one.
     *
     * @param decision which passes run beside the graphics queue, null unless that is measured
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public CompiledPlan(
            PlanStructure structure, DeclaredGraph graph, BoundFrame frame, @Nullable AsyncDecision decision) {
        this.structure = structure;
        this.name = graph.name();
        int count = structure.declaredPasses();
        bodies = new PassBody[count];
        uniforms = new List[frame.anyUniforms() ? count : 0];
        setups = new List[frame.anySetups() ? count : 0];
        countings = new List[frame.anyCountings() ? count : 0];
        sites = graph.hasSites() ? new String[count][] : NO_SITES;
        boolean inOrder = structure.isInDeclaredOrder();
        boolean anyConditional = false;
        boolean anyNativeBody = false;
        for (int p = 0; p < count; p++) {
            PassBody body = frame.body(inOrder ? p : structure.declaredIndex(p));
            bodies[p] = body == null ? NOTHING : body;
            anyConditional |= body instanceof ConditionalPass;
            anyNativeBody |= NativePassBody.isNative(bodies[p]);
        }
        conditional = anyConditional;
        anyNative = anyNativeBody;
        for (int p = 0; p < uniforms.length; p++) {
            uniforms[p] = List.copyOf(frame.uniforms(structure.declaredIndex(p)));
        }
        for (int p = 0; p < setups.length; p++) {
            setups[p] = List.copyOf(frame.setups(structure.declaredIndex(p)));
        }
        for (int p = 0; p < countings.length; p++) {
            countings[p] = List.copyOf(frame.countings(structure.declaredIndex(p)));
        }
        for (int p = 0; p < sites.length; p++) {
            sites[p] = sites(graph, structure.declaredIndex(p));
        }
        resourceSites = graph.hasSites() ? new String[graph.resources()] : NO_RESOURCE_SITES;
        for (int r = 0; r < resourceSites.length; r++) {
            resourceSites[r] = graph.resourceSite(r);
        }
        this.outside = frame.outside();
        this.uses = frame.uses();
        this.unwarned = frame.unwarned();
        this.decision = decision;
        this.captureWarnings = List.of();
    }

    private static @Nullable String[] sites(DeclaredGraph graph, int pass) {
        int first = graph.firstUse(pass);
        @Nullable String[] result = new String[1 + graph.firstUse(pass + 1) - first];
        result[0] = graph.site(pass);
        for (int u = 1; u < result.length; u++) {
            result[u] = graph.useSite(first + u - 1);
        }
        return result;
    }

    /** A plan like another one. */
    protected CompiledPlan(CompiledPlan other) {
        this(other, other.captureWarnings);
    }

    private CompiledPlan(CompiledPlan other, List<PlanWarning> captureWarnings) {
        this.structure = other.structure;
        this.name = other.name;
        this.bodies = other.bodies;
        this.uniforms = other.uniforms;
        this.setups = other.setups;
        this.countings = other.countings;
        this.conditional = other.conditional;
        this.anyNative = other.anyNative;
        this.outside = other.outside;
        this.uses = other.uses;
        this.sites = other.sites;
        this.resourceSites = other.resourceSites;
        this.unwarned = other.unwarned;
        this.decision = other.decision;
        this.captureWarnings = captureWarnings;
    }

    /** Returns the same plan with what is to be said of the captures in it. */
    public final CompiledPlan withCaptureWarnings(List<PlanWarning> warnings) {
        return new CompiledPlan(this, warnings);
    }

    public static CompiledPlan of(FramePlan plan) {
        return (CompiledPlan) plan;
    }

    /** Returns the plan of the graph as it was declared, of which this may be only the rest. */
    public CompiledPlan asDeclared() {
        return this;
    }

    public final PlanStructure structure() {
        return structure;
    }

    /** Throws for a call of the application on a plan that was released. */
    public final void requireHeld(String call) {
        if (released) {
            throw new IllegalStateException(
                    call + "() is called for plan '" + name + "', which was released; compile the graph again");
        }
    }

    public final boolean isReleased() {
        return released;
    }

    /** Notes a frame that reads the plan from now on, until {@link #end}. */
    public final void begin(Execution frame) {
        synchronized (lock) {
            requireHeld("execute");
            if (executing == null) {
                executing = frame;
                return;
            }
            if (others.isEmpty()) {
                others = new ArrayList<>(2);
            }
            others.add(frame);
        }
    }

    /** Notes that a frame no longer reads the plan: another one has its slot. */
    public final void end(Execution frame) {
        synchronized (lock) {
            if (executing == frame) {
                executing = null;
            } else if (!others.isEmpty()) {
                others.remove(frame);
            }
        }
    }

    /** Releases the plan, see {@link FramePlan#release}. */
    public final void giveBack() {
        // Not under the lock: this asks the driver.
        executionsAtRelease().forEach(Execution::measure);
        synchronized (lock) {
            executionsAtRelease();
            released = true;
        }
        GraphLease lease = structure.arrays().lease();
        if (lease != null) {
            lease.letGo();
        }
    }

    /** Returns the frames that may read the plan for the last time, if it can be released. */
    private List<Execution> executionsAtRelease() {
        synchronized (lock) {
            requireHeld("release");
            List<Execution> all = new ArrayList<>(1 + others.size());
            if (executing != null) {
                all.add(executing);
            }
            all.addAll(others);
            for (Execution frame : all) {
                if (!frame.isReleased()) {
                    throw new IllegalStateException("plan '" + name + "' is released while frame " + frame.number()
                            + " executes it; await the completion of that frame, or close the frame executor, before");
                }
            }
            return all;
        }
    }

    /** Returns what stands for all that this plan has in common with other plans of equal graphs. */
    public final Object shape() {
        return structure.arrays();
    }

    public final List<PlanWarning> captureWarnings() {
        return captureWarnings;
    }

    /** Notes when the plan was made, before it is handed out. */
    public final void setCompiled(CompileTimes times) {
        compiled = times;
    }

    /** Returns when the plan was made, or null for one that is part of another. */
    public final @Nullable CompileTimes compiled() {
        return compiled;
    }

    /** Returns the decision that it was compiled by, null unless that is measured. */
    public final @Nullable AsyncDecision decision() {
        return decision;
    }

    /** Returns what is decided about the region of a pass, or null. */
    public final @Nullable RegionDecision decisionOf(int pass) {
        return decision == null || pass >= structure.declaredPasses()
                ? null
                : decision.of(structure.declaredIndex(pass));
    }

    /** Returns the commands of a pass; those of a pass that the compiler added do nothing. */
    public final PassBody body(int pass) {
        return pass < bodies.length ? bodies[pass] : NOTHING;
    }

    public final boolean isConditional() {
        return conditional;
    }

    /** Returns the first pass that is not culled and needs a Vulkan device, or null. */
    public final @Nullable PassPlan firstNative() {
        if (anyNative) {
            for (PassPlan pass : passes()) {
                if (!pass.culled() && NativePassBody.isNative(body(pass.index()))) {
                    return pass;
                }
            }
        }
        return null;
    }

    public final boolean hasUniforms() {
        return uniforms.length > 0;
    }

    /** Returns whether any pass is recorded after setup tasks. */
    public final boolean hasSetups() {
        return setups.length > 0;
    }

    public final List<RdgUniformBuffer> uniforms(int pass) {
        return pass < uniforms.length ? uniforms[pass] : List.of();
    }

    public final List<RdgSetupTask> setups(int pass) {
        return pass < setups.length ? setups[pass] : List.of();
    }

    /** Returns what takes part in the execution of the plan. */
    public final List<FrameUse> uses() {
        return uses;
    }

    public final boolean hasCountings() {
        return countings.length > 0;
    }

    public final List<Counting> countings(int pass) {
        return pass < countings.length ? countings[pass] : List.of();
    }

    public final boolean warnsOfUnused(int resource) {
        return !unwarned.get(resource);
    }

    /** Returns where a pass was declared, as the end of a message; nothing unless that is kept. */
    public final String siteOf(PassPlan pass) {
        List<String> site = sitesOf(pass.index(), -1);
        return DeclarationSite.suffix(site.isEmpty() ? null : site.get(0));
    }

    /** Returns where a pass and one of its uses, -1 for none, were declared; nothing unless sites are kept. */
    public final List<String> sitesOf(int pass, int use) {
        @Nullable String[] known = pass < sites.length ? sites[pass] : null;
        List<String> result = new ArrayList<>(2);
        if (known != null && known[0] != null) {
            result.add(known[0]);
        }
        if (known != null && use >= 0 && known[1 + use] != null) {
            result.add(known[1 + use]);
        }
        return result;
    }

    /** Returns where a resource was declared, nothing unless sites are kept. */
    public final List<String> siteOfResource(int resource) {
        String known = resource < resourceSites.length ? resourceSites[resource] : null;
        return known == null ? List.of() : List.of(known);
    }

    /** Returns where a pass, one of its uses and what that uses were declared, each line once. */
    public final List<String> sites(PassPlan pass, int use) {
        Set<String> all = new LinkedHashSet<>(sitesOf(pass.index(), use));
        all.addAll(siteOfResource(pass.uses().get(use).resource()));
        return List.copyOf(all);
    }

    public static boolean overlap(UsePlan one, UsePlan other) {
        SubresourceRange range = one.range();
        SubresourceRange otherRange = other.range();
        if (one.resource() != other.resource()) {
            return false;
        }
        if (range != null && otherRange != null) {
            return range.overlaps(otherRange);
        }
        return one.offset() < other.offset() + other.bytes() && other.offset() < one.offset() + one.bytes();
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final List<ResourcePlan> resources() {
        requireHeld("resources");
        List<ResourcePlan> known = resources;
        if (known == null) {
            known = bound(structure.resources());
            resources = known;
        }
        return known;
    }

    private List<ResourcePlan> bound(List<ResourcePlan> shared) {
        if (outside.isEmpty()) {
            return shared;
        }
        ResourcePlan[] result = shared.toArray(ResourcePlan[]::new);
        for (BoundFrame.Outside one : outside) {
            result[one.resource()] = with(result[one.resource()], one);
        }
        return List.of(result);
    }

    private static ResourcePlan with(ResourcePlan resource, BoundFrame.Outside bound) {
        return new ResourcePlan(
                resource.index(),
                resource.name(),
                resource.texture(),
                resource.textureDescription(),
                resource.bufferDescription(),
                resource.lifetime(),
                bound.external(),
                resource.heap(),
                resource.offset(),
                resource.bytes(),
                resource.lazy(),
                resource.initialLayout(),
                resource.finalLayout(),
                bound.extraction(),
                resource.used());
    }

    @Override
    public final List<ResourcePlan> outsideResources() {
        requireHeld("outsideResources");
        if (outside.isEmpty()) {
            return List.of();
        }
        List<ResourcePlan> result = new ArrayList<>(outside.size());
        for (BoundFrame.Outside one : outside) {
            result.add(resources().get(one.resource()));
        }
        return result;
    }
}
