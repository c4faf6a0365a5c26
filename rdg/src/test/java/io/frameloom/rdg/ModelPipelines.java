package io.frameloom.rdg;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.MultisampleState;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.TargetBlend;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Pipelines of a virtual device for passes of any model: what they write follows from the pass and from the contents of all
 * that is bound. The shaders only say what that is; the device makes the contents.
 */
final class ModelPipelines implements AutoCloseable {
    /** Elements of each array that a pipeline reads. */
    static final int READS = 8;

    private static final String TRIANGLE = """
            #version 450
            void main() {
                vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
                gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
            }
            """;

    private static final String QUERY = """
                rayQueryEXT query;
                rayQueryInitializeEXT(query, scene, 0, 0xFF, vec3(0), 0.0, vec3(1), 1.0);
            """;

    private final GpuDevice device;
    private final Map<String, Pipeline> made = new ConcurrentHashMap<>();

    ModelPipelines(GpuDevice device) {
        this.device = device;
    }

    /** What a dispatch reads, rays traced through a structure among it, and whether it writes an image, otherwise a buffer. */
    record Signature(
            boolean buffers, boolean textures, boolean stencils, boolean images, boolean rays, boolean toImage) {
        private String glsl() {
            StringBuilder declarations = new StringBuilder("#version 460\n");
            declarations.append(rays ? "#extension GL_EXT_ray_query : require\n" : "");
            declarations.append("layout(local_size_x = 1) in;\n");
            StringBuilder sum = new StringBuilder("number");
            int binding = 0;
            if (buffers) {
                array(declarations, binding++, ", std430) readonly buffer Data { uint data[]; } buffers");
                terms(sum, " + buffers[%d].data[0]");
            }
            if (textures) {
                array(declarations, binding++, ") uniform sampler2D textures");
                terms(sum, " + uint(texelFetch(textures[%d], ivec2(0), 0).x)");
            }
            if (stencils) {
                array(declarations, binding++, ") uniform usampler2D stencils");
                terms(sum, " + texelFetch(stencils[%d], ivec2(0), 0).x");
            }
            if (images) {
                array(declarations, binding++, ", rgba8) readonly uniform image2D images");
                terms(sum, " + uint(imageLoad(images[%d], ivec2(0)).x)");
            }
            if (rays) {
                declarations
                        .append("layout(set = 0, binding = ")
                        .append(binding++)
                        .append(") uniform accelerationStructureEXT scene;\n");
                sum.append(" + (rayQueryProceedEXT(query) ? 1u : 0u)");
            }
            declarations.append("layout(set = 0, binding = ").append(binding);
            declarations.append(
                    toImage
                            ? ", rgba8) uniform image2D result;\n"
                            : ", std430) buffer Result { uint words[]; } result;\n");
            declarations.append("layout(push_constant) uniform Push { uint number; };\nvoid main() {\n");
            declarations.append(rays ? QUERY : "");
            declarations
                    .append(
                            toImage
                                    ? "imageStore(result, ivec2(0), imageLoad(result, ivec2(0)) + vec4("
                                    : "result.words[0] += (")
                    .append(sum)
                    .append(toImage ? "));\n}\n" : ");\n}\n");
            return declarations.toString();
        }

        private static void array(StringBuilder into, int binding, String rest) {
            into.append("layout(set = 0, binding = ")
                    .append(binding)
                    .append(rest)
                    .append('[')
                    .append(READS)
                    .append("];\n");
        }

        private static void terms(StringBuilder into, String term) {
            for (int i = 0; i < READS; i++) {
                into.append(String.format(term, i));
            }
        }
    }

    ComputePipeline compute(Signature signature) {
        String name = signature.toString();
        return (ComputePipeline) made.computeIfAbsent(
                name,
                key -> device.createComputePipeline(new ComputePipelineDescription(
                        key, new ShaderSource(key, ShaderStage.COMPUTE, signature.glsl()), null)));
    }

    GraphicsPipeline graphics(RenderingFormats formats) {
        int colors = formats.colors().size();
        String name = "draw to " + formats;
        return (GraphicsPipeline) made.computeIfAbsent(
                name,
                key -> device.createGraphicsPipeline(new GraphicsPipelineDescription(
                        key,
                        new ShaderSource("triangle", ShaderStage.VERTEX, TRIANGLE),
                        null,
                        null,
                        fragment(colors),
                        List.of(),
                        RasterState.TRIANGLES,
                        GraphicsPipelineDescription.CullMode.NONE,
                        null,
                        null,
                        MultisampleState.of(formats.samples()),
                        Collections.nCopies(colors, TargetBlend.REPLACE),
                        formats.colors(),
                        formats.depth(),
                        formats.stencil(),
                        Set.of(),
                        1,
                        0,
                        -1)));
    }

    private static @Nullable ShaderSource fragment(int colors) {
        if (colors == 0) {
            return null;
        }
        StringBuilder glsl = new StringBuilder("#version 450\n");
        StringBuilder body = new StringBuilder("void main() {\n");
        for (int i = 0; i < colors; i++) {
            glsl.append("layout(location = ")
                    .append(i)
                    .append(") out vec4 color")
                    .append(i)
                    .append(";\n");
            body.append("color").append(i).append(" = vec4(1);\n");
        }
        return new ShaderSource(
                colors + " colours",
                ShaderStage.FRAGMENT,
                glsl.append(body).append("}\n").toString());
    }

    @Override
    public void close() {
        made.values().forEach(Pipeline::close);
    }
}
