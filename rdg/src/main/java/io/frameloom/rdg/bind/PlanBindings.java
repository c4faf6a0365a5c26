package io.frameloom.rdg.bind;

import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.declare.BoundPass;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.DeclaredResources;
import io.frameloom.rdg.declare.GraphDeclaration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The part of a plan that is one frame's own: the name of the graph; bodies, uniform buffers and setup tasks by pass of
 * the plan; external resources and extractions. Plans of equal graphs share everything else. Immutable.
 */
public final class PlanBindings {
    private static final PassBody NOTHING = context -> {};
    private static final @Nullable String[][] NO_SITES = {};

    private final String name;
    private final PassBody[] bodies;
    private final @Nullable List<RdgUniformBuffer>[] uniforms;
    private final @Nullable List<RdgSetupTask>[] setups;
    private final List<DeclaredResources.Outside> outside;
    /** By pass where it and then each of its uses was declared; of no pass unless sites are kept. */
    private final @Nullable String[][] sites;
    /** By resource where it was declared; of none unless sites are kept. */
    private final @Nullable String[] resourceSites;
    /** Resources that may stay unused. */
    private final BitSet unwarned;

    private PlanBindings(
            String name,
            PassBody[] bodies,
            @Nullable List<RdgUniformBuffer>[] uniforms,
            @Nullable List<RdgSetupTask>[] setups,
            List<DeclaredResources.Outside> outside,
            @Nullable String[][] sites,
            @Nullable String[] resourceSites,
            BitSet unwarned) {
        this.name = name;
        this.bodies = bodies;
        this.uniforms = uniforms;
        this.setups = setups;
        this.outside = outside;
        this.sites = sites;
        this.resourceSites = resourceSites;
        this.unwarned = unwarned;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static PlanBindings of(
            PlanStructure structure,
            String name,
            IntFunction<? extends BoundPass> passes,
            List<DeclaredResources.Outside> outside,
            @Nullable String[] resourceSites,
            BitSet unwarned) {
        int count = structure.declaredPasses();
        PassBody[] bodies = new PassBody[count];
        @Nullable List<RdgUniformBuffer>[] uniforms = new List[0];
        @Nullable List<RdgSetupTask>[] setups = new List[0];
        @Nullable String[][] sites = NO_SITES;
        for (int p = 0; p < count; p++) {
            BoundPass pass = passes.apply(structure.declaredIndex(p));
            PassBody body = pass.body();
            bodies[p] = body == null ? NOTHING : body;
            List<RdgUniformBuffer> read = pass.uniforms();
            if (!read.isEmpty()) {
                uniforms = uniforms.length == 0 ? new List[count] : uniforms;
                uniforms[p] = List.copyOf(read);
            }
            List<RdgSetupTask> awaited = pass.setups();
            if (!awaited.isEmpty()) {
                setups = setups.length == 0 ? new List[count] : setups;
                setups[p] = List.copyOf(awaited);
            }
            String site = pass.site();
            if (site != null) {
                sites = sites.length == 0 ? new String[count][] : sites;
                sites[p] = sites(site, pass.uses());
            }
        }
        return new PlanBindings(name, bodies, uniforms, setups, outside, sites, resourceSites, unwarned);
    }

    /** Returns the site of a pass and those of its uses. */
    private static @Nullable String[] sites(String pass, List<DeclaredGraph.Use> uses) {
        @Nullable String[] result = new String[1 + uses.size()];
        result[0] = pass;
        for (int u = 0; u < uses.size(); u++) {
            result[1 + u] = uses.get(u).site();
        }
        return result;
    }

    /** Binds a graph to the structure of an equal one. */
    public static PlanBindings of(PlanStructure structure, GraphDeclaration graph) {
        if (graph.hasOnlyBodies() && structure.isInDeclaredOrder()) {
            return onlyBodies(structure, graph);
        }
        DeclaredResources resources = graph.resources();
        return of(
                structure,
                graph.name(),
                graph.passes()::get,
                resources.outside(),
                resources.sites(),
                resources.unwarned());
    }

    /** As the general way, without a look at each pass: at 10,000 passes their objects are not in the cache. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static PlanBindings onlyBodies(PlanStructure structure, GraphDeclaration graph) {
        @Nullable PassBody[] known = graph.bodies();
        PassBody[] bodies = new PassBody[structure.declaredPasses()];
        for (int p = 0; p < bodies.length; p++) {
            PassBody body = known[p];
            bodies[p] = body == null ? NOTHING : body;
        }
        return new PlanBindings(
                graph.name(),
                bodies,
                new List[0],
                new List[0],
                graph.resources().outside(),
                NO_SITES,
                graph.resources().sites(),
                graph.resources().unwarned());
    }

    /**
     * Binds a graph to its structure.
     *
     * @param unwarned resources that may stay unused
     */
    public static PlanBindings of(PlanStructure structure, DeclaredGraph graph, BitSet unwarned) {
        List<DeclaredResources.Outside> outside = new ArrayList<>();
        for (DeclaredGraph.Declared resource : graph.resources()) {
            if (resource.external() != null || resource.extraction() != null) {
                outside.add(
                        new DeclaredResources.Outside(resource.index(), resource.external(), resource.extraction()));
            }
        }
        return of(
                structure,
                graph.name(),
                graph.passes()::get,
                outside,
                graph.resources().stream().map(DeclaredGraph.Declared::site).toArray(String[]::new),
                unwarned);
    }

    /** Returns the name of the graph. */
    String name() {
        return name;
    }

    /** Returns where a pass was declared, null unless sites are kept. */
    @Nullable
    String site(int pass) {
        @Nullable String[] known = pass < sites.length ? sites[pass] : null;
        return known == null ? null : known[0];
    }

    /** Returns where a resource was declared, null unless sites are kept. */
    @Nullable
    String resourceSite(int resource) {
        return resource < resourceSites.length ? resourceSites[resource] : null;
    }

    /** Returns the site of a pass, nothing unless sites are kept. */
    public List<String> siteOf(int pass) {
        String known = site(pass);
        return known == null ? List.of() : List.of(known);
    }

    /** Returns the site of a resource, nothing unless sites are kept. */
    public List<String> siteOfResource(int resource) {
        String known = resourceSite(resource);
        return known == null ? List.of() : List.of(known);
    }

    /** Returns whether a resource should be used. */
    public boolean warnsOfUnused(int resource) {
        return !unwarned.get(resource);
    }

    /** Returns where a pass and one of its uses were declared, nothing unless sites are kept. */
    public List<String> sites(int pass, int use) {
        @Nullable String[] known = pass < sites.length ? sites[pass] : null;
        List<String> result = new ArrayList<>(2);
        if (known != null && known[0] != null) {
            result.add(known[0]);
        }
        if (known != null && known[1 + use] != null) {
            result.add(known[1 + use]);
        }
        return result;
    }

    PassBody body(int pass) {
        return pass < bodies.length ? bodies[pass] : NOTHING;
    }

    List<RdgUniformBuffer> uniforms(int pass) {
        List<RdgUniformBuffer> read = pass < uniforms.length ? uniforms[pass] : null;
        return read == null ? List.of() : read;
    }

    List<RdgSetupTask> setups(int pass) {
        List<RdgSetupTask> awaited = pass < setups.length ? setups[pass] : null;
        return awaited == null ? List.of() : awaited;
    }

    /** Returns those of the bound resources to which something is bound. */
    List<ResourcePlan> outside(List<ResourcePlan> bound) {
        List<ResourcePlan> result = new ArrayList<>(outside.size());
        for (DeclaredResources.Outside one : outside) {
            result.add(bound.get(one.resource()));
        }
        return result;
    }

    /** Returns the resources of a structure with what is bound to them. */
    List<ResourcePlan> bound(List<ResourcePlan> resources) {
        if (outside.isEmpty()) {
            return resources;
        }
        ResourcePlan[] result = resources.toArray(ResourcePlan[]::new);
        for (DeclaredResources.Outside bound : outside) {
            result[bound.resource()] = with(result[bound.resource()], bound);
        }
        return List.of(result);
    }

    private static ResourcePlan with(ResourcePlan resource, DeclaredResources.Outside bound) {
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
}
