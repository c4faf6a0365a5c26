package io.frameloom.gpu;

import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.record.VertexInputs;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a pipeline can stand in for another: what is recorded for the wanted one must be valid for both. Stateless.
 */
final class FallbackRules {
    private FallbackRules() {}

    /**
     * Checks what two descriptions say, before anything is compiled.
     *
     * @param wanted description of the pipeline that is meant
     * @throws IllegalArgumentException naming both pipelines and what differs
     */
    static void check(String name, Object wanted, Pipeline fallback) {
        List<String> differences = new ArrayList<>();
        compare(differences, "kinds", kind(wanted), kind(fallback));
        if (wanted instanceof RayTracingPipelineDescription) {
            differ(differences, "binding tables", "of the one", "of the other");
        }
        if (wanted instanceof GraphicsPipelineDescription own && fallback instanceof GraphicsPipeline stand) {
            compare(differences, own, stand.description());
        }
        if (wanted instanceof ComputePipelineDescription own && fallback instanceof ComputePipeline stand) {
            compare(
                    differences,
                    "pushed sets",
                    own.pushDescriptorSet(),
                    stand.description().pushDescriptorSet());
        }
        require(name, fallback, differences);
    }

    private static String kind(Object pipeline) {
        if (pipeline instanceof RayTracingPipelineDescription || pipeline instanceof RayTracingPipeline) {
            return "ray tracing";
        }
        return pipeline instanceof GraphicsPipelineDescription || pipeline instanceof GraphicsPipeline
                ? "graphics"
                : "compute";
    }

    /**
     * Checks what two pipelines need to be bound. Sizes of blocks do not matter: ranges are checked against the
     * pipeline that is bound in the end.
     *
     * @throws IllegalArgumentException naming both pipelines and what differs
     */
    static void check(String name, Pipeline wanted, Pipeline fallback) {
        List<String> differences = new ArrayList<>();
        compare(differences, "bindings", slots(wanted), slots(fallback));
        compare(differences, "bytes of push constants", wanted.pushConstantBytes(), fallback.pushConstantBytes());
        require(name, fallback, differences);
    }

    private static List<ShaderBinding> slots(Pipeline pipeline) {
        return pipeline.bindings().stream()
                .map(binding -> binding.withMinBytes(0))
                .toList();
    }

    private static void compare(
            List<String> differences, GraphicsPipelineDescription wanted, GraphicsPipelineDescription fallback) {
        compare(differences, "draws", draws(wanted), draws(fallback));
        compare(differences, "colour formats", wanted.colorFormats(), fallback.colorFormats());
        compare(differences, "depth formats", wanted.depthFormat(), fallback.depthFormat());
        compare(differences, "stencil formats", wanted.stencilFormat(), fallback.stencilFormat());
        compare(
                differences,
                "samples",
                wanted.multisample().samples(),
                fallback.multisample().samples());
        if (!fits(wanted, fallback)) {
            differ(differences, "vertex buffers", wanted.vertexBuffers(), fallback.vertexBuffers());
        }
        compare(differences, "views", wanted.views(), fallback.views());
        compare(differences, "pushed sets", wanted.pushDescriptorSet(), fallback.pushDescriptorSet());
        if (fallback.viewports() > wanted.viewports()) {
            differ(differences, "viewports", wanted.viewports(), fallback.viewports());
        }
        // A state that is set but not dynamic is left alone; one that is dynamic must be set.
        if (!wanted.dynamicStates().containsAll(fallback.dynamicStates())) {
            differ(differences, "dynamic states", wanted.dynamicStates(), fallback.dynamicStates());
        }
    }

    private static String draws(GraphicsPipelineDescription description) {
        if (!description.drawsMeshes()) {
            return "of vertices";
        }
        return description.taskShader() == null ? "of mesh shaders" : "of task shaders";
    }

    /**
     * Returns whether a fallback reads vertices that are bound for the wanted pipeline. If a list sets where they lie,
     * it does so for both; until then they lie as each pipeline says.
     */
    private static boolean fits(GraphicsPipelineDescription wanted, GraphicsPipelineDescription fallback) {
        if (fallback.dynamicStates().contains(DynamicState.VERTEX_INPUT)) {
            return VertexInputs.missing(fallback.vertexBuffers(), wanted.vertexBuffers()) == null
                    && fits(wanted.vertexBuffers(), fallback.vertexBuffers());
        }
        return wanted.dynamicStates().contains(DynamicState.VERTEX_INPUT)
                ? fallback.vertexBuffers().isEmpty()
                : fits(wanted.vertexBuffers(), fallback.vertexBuffers());
    }

    /** Returns whether every vertex buffer of a fallback is bound for the wanted pipeline, with elements as large. */
    private static boolean fits(List<VertexBuffer> wanted, List<VertexBuffer> fallback) {
        if (fallback.size() > wanted.size()) {
            return false;
        }
        for (int i = 0; i < fallback.size(); i++) {
            VertexBuffer own = wanted.get(i);
            VertexBuffer other = fallback.get(i);
            if (own.stride() != other.stride() || own.perInstance() != other.perInstance()) {
                return false;
            }
        }
        return true;
    }

    private static void compare(
            List<String> differences, String what, @Nullable Object wanted, @Nullable Object fallback) {
        if (wanted == null ? fallback != null : !wanted.equals(fallback)) {
            differ(differences, what, wanted, fallback);
        }
    }

    private static void differ(
            List<String> differences, String what, @Nullable Object wanted, @Nullable Object fallback) {
        differences.add("their " + what + " are " + said(wanted) + " and " + said(fallback));
    }

    private static String said(@Nullable Object value) {
        return value == null ? "none" : value.toString();
    }

    private static void require(String name, Pipeline fallback, List<String> differences) {
        if (!differences.isEmpty()) {
            throw new IllegalArgumentException("pipeline '" + fallback.name() + "' cannot stand in for '" + name + "': "
                    + String.join("; ", differences) + " (those of '" + name
                    + "' first); give a fallback that draws or dispatches recorded for '" + name + "' fit");
        }
    }
}
