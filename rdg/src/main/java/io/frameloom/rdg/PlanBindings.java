package io.frameloom.rdg;

import io.frameloom.gpu.Resource;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.compile.DeclaredGraph;
import io.frameloom.rdg.compile.PlanStructure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of a plan is one frame's own, while everything else is shared with the plans of equal graphs: bodies and uniform
 * buffers by pass of the plan; external resources and extractions. Immutable.
 */
final class PlanBindings {
    private static final PassBody NOTHING = context -> {};

    private final PassBody[] bodies;
    private final @Nullable List<RdgUniformBuffer>[] uniforms;
    private final List<Outside> outside;

    /** What the application has to do with one resource; one of the two may be null. */
    record Outside(
            int resource,
            @Nullable Resource external,
            @Nullable Extraction extraction) {}

    private PlanBindings(PassBody[] bodies, @Nullable List<RdgUniformBuffer>[] uniforms, List<Outside> outside) {
        this.bodies = bodies;
        this.uniforms = uniforms;
        this.outside = outside;
    }

    /** Where bindings come from: a graph as declared. */
    interface Source {
        /** Returns the body of a declared pass, or null if it has none. */
        @Nullable
        PassBody body(int pass);

        /** Returns the uniform buffers of a declared pass. */
        List<RdgUniformBuffer> uniforms(int pass);

        /** Returns the resources that come from outside or go there, in order. */
        List<Outside> outside();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static PlanBindings of(PlanStructure structure, Source source) {
        int count = structure.declaredPasses();
        PassBody[] bodies = new PassBody[count];
        @Nullable List<RdgUniformBuffer>[] uniforms = new List[0];
        for (int p = 0; p < count; p++) {
            int declared = structure.declaredIndex(p);
            PassBody body = source.body(declared);
            bodies[p] = body == null ? NOTHING : body;
            List<RdgUniformBuffer> read = source.uniforms(declared);
            if (!read.isEmpty()) {
                uniforms = uniforms.length == 0 ? new List[count] : uniforms;
                uniforms[p] = List.copyOf(read);
            }
        }
        return new PlanBindings(bodies, uniforms, source.outside());
    }

    /** Binds a graph to the structure of an equal one. */
    static PlanBindings of(PlanStructure structure, RenderGraph graph) {
        List<PassBuilder> passes = graph.passes();
        return of(structure, new Source() {
            @Override
            public @Nullable PassBody body(int pass) {
                return passes.get(pass).body();
            }

            @Override
            public List<RdgUniformBuffer> uniforms(int pass) {
                return passes.get(pass).uniforms();
            }

            @Override
            public List<Outside> outside() {
                return graph.resources().outside();
            }
        });
    }

    static Source of(DeclaredGraph graph) {
        return new Source() {
            @Override
            public @Nullable PassBody body(int pass) {
                return graph.passes().get(pass).body();
            }

            @Override
            public List<RdgUniformBuffer> uniforms(int pass) {
                return graph.passes().get(pass).uniforms();
            }

            @Override
            public List<Outside> outside() {
                List<Outside> result = new ArrayList<>();
                for (DeclaredGraph.Declared resource : graph.resources()) {
                    if (resource.external() != null || resource.extraction() != null) {
                        result.add(new Outside(resource.index(), resource.external(), resource.extraction()));
                    }
                }
                return result;
            }
        };
    }

    PassBody body(int pass) {
        return pass < bodies.length ? bodies[pass] : NOTHING;
    }

    List<RdgUniformBuffer> uniforms(int pass) {
        List<RdgUniformBuffer> read = pass < uniforms.length ? uniforms[pass] : null;
        return read == null ? List.of() : read;
    }

    /** Returns those of the bound resources to which something is bound. */
    List<ResourcePlan> outside(List<ResourcePlan> bound) {
        List<ResourcePlan> result = new ArrayList<>(outside.size());
        for (Outside one : outside) {
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
        for (Outside bound : outside) {
            result[bound.resource()] = result[bound.resource()].with(bound.external(), bound.extraction());
        }
        return List.of(result);
    }
}
