package io.frameloom.rdg;

import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.rdg.declare.ParameterLayout;
import java.util.HashSet;
import java.util.Set;

/** Records of parameters as shaders see them. Any thread. */
public final class RdgParameters {
    private RdgParameters() {}

    /**
     * Drops what shaders do not use, so a pass does not depend on what a variant of its shader leaves out. Returns a
     * record whose {@code @Sampled}, {@code @Storage} and {@code @Uniform} components are null if no pipeline has a
     * binding of their name. Unreal's ClearUnusedGraphResources. Allocates a record; for declaration, not recording.
     *
     * @throws RdgException if the record's annotations do not fit
     */
    @SuppressWarnings("unchecked")
    public static <P extends Record> P withoutUnused(P parameters, Pipeline... pipelines) {
        Set<String> used = new HashSet<>();
        for (Pipeline pipeline : pipelines) {
            for (ShaderBinding binding : pipeline.bindings()) {
                used.add(binding.name());
            }
        }
        return (P) ParameterLayout.of(parameters.getClass(), "dropping unused parameters")
                .without(parameters, used);
    }
}
