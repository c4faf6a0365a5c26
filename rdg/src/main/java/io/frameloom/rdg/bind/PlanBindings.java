package io.frameloom.rdg.bind;

import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.declare.BoundFrame;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
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
    private final List<BoundFrame.Outside> outside;
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
            List<BoundFrame.Outside> outside,
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

    /** Binds a frame of a graph to the structure of an equal one. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public static PlanBindings of(PlanStructure structure, DeclaredGraph graph, BoundFrame frame) {
        int count = structure.declaredPasses();
        PassBody[] bodies = new PassBody[count];
        @Nullable List<RdgUniformBuffer>[] uniforms = new List[frame.anyUniforms() ? count : 0];
        @Nullable List<RdgSetupTask>[] setups = new List[frame.anySetups() ? count : 0];
        @Nullable String[][] sites = graph.hasSites() ? new String[count][] : NO_SITES;
        boolean inOrder = structure.isInDeclaredOrder();
        for (int p = 0; p < count; p++) {
            PassBody body = frame.body(inOrder ? p : structure.declaredIndex(p));
            bodies[p] = body == null ? NOTHING : body;
        }
        for (int p = 0; p < uniforms.length; p++) {
            uniforms[p] = List.copyOf(frame.uniforms(structure.declaredIndex(p)));
        }
        for (int p = 0; p < setups.length; p++) {
            setups[p] = List.copyOf(frame.setups(structure.declaredIndex(p)));
        }
        for (int p = 0; p < sites.length; p++) {
            sites[p] = sites(graph, structure.declaredIndex(p));
        }
        @Nullable String[] resourceSites = new String[graph.hasSites() ? graph.resources() : 0];
        for (int r = 0; r < resourceSites.length; r++) {
            resourceSites[r] = graph.resourceSite(r);
        }
        return new PlanBindings(
                graph.name(), bodies, uniforms, setups, frame.outside(), sites, resourceSites, frame.unwarned());
    }

    /** Returns the site of a pass and those of its uses. */
    private static @Nullable String[] sites(DeclaredGraph graph, int pass) {
        int first = graph.firstUse(pass);
        @Nullable String[] result = new String[1 + graph.firstUse(pass + 1) - first];
        result[0] = graph.site(pass);
        for (int u = 1; u < result.length; u++) {
            result[u] = graph.useSite(first + u - 1);
        }
        return result;
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
        for (BoundFrame.Outside one : outside) {
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
        for (BoundFrame.Outside bound : outside) {
            result[bound.resource()] = with(result[bound.resource()], bound);
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
}
