package io.frameloom.rdg.bind;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PlanDerivation;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.async.AsyncDecision;
import io.frameloom.rdg.async.RegionDecision;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.compile.plan.ScheduleQuality;
import io.frameloom.rdg.declare.DeclarationSite;
import io.frameloom.rdg.diagnostics.CompilePhase;
import io.frameloom.rdg.diagnostics.PlanWarning;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A plan as the engine sees it: what it shares with plans of equal graphs, and what is bound to one frame. */
public class CompiledPlan extends FramePlan {
    private final PlanStructure structure;
    private final PlanBindings bindings;
    private final @Nullable AsyncDecision decision;
    private final List<PlanWarning> captureWarnings;
    /** Made on request; two threads that ask first at the same time get equal ones. */
    private volatile @Nullable List<ResourcePlan> resources;

    public CompiledPlan(PlanStructure structure, PlanBindings bindings) {
        this(structure, bindings, null, List.of());
    }

    /**
     * Makes a plan.
     *
     * @param decision which passes run beside the graphics queue, if that is measured
     * @param captureWarnings what is to be said of the captures in it
     */
    public CompiledPlan(
            PlanStructure structure,
            PlanBindings bindings,
            @Nullable AsyncDecision decision,
            List<PlanWarning> captureWarnings) {
        this.structure = structure;
        this.bindings = bindings;
        this.decision = decision;
        this.captureWarnings = captureWarnings;
    }

    /** Returns a plan as the engine sees it. */
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

    public final PlanBindings bindings() {
        return bindings;
    }

    /** Returns what is to be said of the captures in it. */
    public final List<PlanWarning> captureWarnings() {
        return captureWarnings;
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

    /** Returns what stands for all that this plan has in common with other plans of equal graphs. */
    public final Object shape() {
        return structure.arrays();
    }

    /** Returns the commands of a pass; those of a pass that the compiler added do nothing. */
    public final PassBody body(int pass) {
        return bindings.body(pass);
    }

    /** Returns the uniform buffers that a pass reads. */
    public final List<RdgUniformBuffer> uniforms(int pass) {
        return bindings.uniforms(pass);
    }

    /** Returns the setup tasks that a pass is recorded after. */
    public final List<RdgSetupTask> setups(int pass) {
        return bindings.setups(pass);
    }

    /** Returns where a pass was declared, as the end of a message; nothing unless that is kept. */
    public final String siteOf(PassPlan pass) {
        return DeclarationSite.suffix(bindings.site(pass.index()));
    }

    /** Returns where a pass, one of its uses and what that uses were declared, each line once. */
    public final List<String> sites(PassPlan pass, int use) {
        Set<String> sites = new LinkedHashSet<>(bindings.sites(pass.index(), use));
        sites.addAll(bindings.siteOfResource(pass.uses().get(use).resource()));
        return List.copyOf(sites);
    }

    /** Returns whether two uses touch something in common. */
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
        return bindings.name();
    }

    @Override
    public final QueueTopology queues() {
        return structure.queues();
    }

    @Override
    public final RdgOptions options() {
        return structure.options();
    }

    @Override
    public final Map<CompilePhase, Long> compileTimes() {
        return structure.arrays().compileTimes();
    }

    @Override
    public List<PassPlan> passes() {
        return structure.passes();
    }

    @Override
    public final List<ResourcePlan> resources() {
        List<ResourcePlan> known = resources;
        if (known == null) {
            known = bindings.bound(structure.resources());
            resources = known;
        }
        return known;
    }

    @Override
    public final List<ResourcePlan> outsideResources() {
        return bindings.outside(resources());
    }

    @Override
    public final List<Batch> batches() {
        return structure.batches();
    }

    @Override
    public final List<RecordingGroup> recordingGroups() {
        return structure.recordingGroups();
    }

    @Override
    public final List<HeapPlan> heaps() {
        return structure.heaps();
    }

    @Override
    public final List<PlanDerivation.Dependency> dependencies() {
        return structure.arrays().dependencies();
    }

    @Override
    public final List<PlanDerivation.Epoch> epochs() {
        return structure.arrays().epochs();
    }

    @Override
    public final List<RenderPassPlan> renderPasses() {
        return structure.renderPasses();
    }

    @Override
    public final List<List<Integer>> physicalPasses() {
        return structure.physicalPasses();
    }

    @Override
    public final List<List<Integer>> forkRuleRenderPasses() {
        return structure.arrays().forkRuleRenderPasses();
    }

    @Override
    public final List<PlanDerivation.AsyncRegion> asyncRegions() {
        return structure.arrays().asyncRegions();
    }

    @Override
    public final List<ScopePlan> scopes() {
        return structure.scopes();
    }

    @Override
    public final int barrierCount() {
        return structure.barrierCount();
    }

    @Override
    public final int waitCount() {
        return structure.waitCount();
    }

    @Override
    public final int culledCount() {
        return structure.culledCount();
    }

    @Override
    public final int kindSwitches() {
        return ScheduleQuality.kindSwitches(structure);
    }

    @Override
    public final String scheduleRefusal() {
        return structure.scheduleRefusal();
    }

    @Override
    public final long transientBytesWithoutAliasing() {
        return structure.arrays().transientBytesWithoutAliasing();
    }
}
