package io.frameloom.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The pipelines of a primitive, made of shader files of this package. Their shaders declare the Vulkan memory model
 * where a device allows it, and are otherwise the same under the memory model of GLSL.
 */
final class ComputeShaders implements AutoCloseable {
    /**
     * The pragma under the Vulkan memory model: only barriers make shared memory available and visible. Otherwise
     * glslang lets each access do so, which costs, and which some drivers cannot execute in loops whose number of turns
     * differs.
     */
    private static final String DECLARATION = "#pragma use_vulkan_memory_model\n#pragma shared_memory_by_barriers\n";

    private static final Pattern FIRST_LAYOUT = Pattern.compile("^layout", Pattern.MULTILINE);

    private final GpuDevice device;
    private final List<ComputePipeline> made = new ArrayList<>();

    ComputeShaders(GpuDevice device) {
        this.device = device;
    }

    /**
     * Compiles a shader file.
     *
     * @param name name of the pipeline, and of the shader in messages
     * @param file file among this package's resources
     * @param defines preprocessor definitions
     * @param includes files for its include lines
     * @param kernel the same for the virtual GPU
     */
    ComputePipeline compile(
            String name, String file, Map<String, String> defines, ShaderIncludes includes, CpuKernel kernel) {
        boolean declares = device.capabilities().limits().compute().vulkanMemoryModel();
        ShaderSource source = source(name, text(file), defines, includes, declares);
        ComputePipeline pipeline = device.createComputePipeline(new ComputePipelineDescription(name, source, kernel));
        made.add(pipeline);
        return pipeline;
    }

    @Override
    public void close() {
        made.forEach(ComputePipeline::close);
    }

    /** @param vulkanMemoryModel whether the shader declares it */
    static ShaderSource source(
            String name, String text, Map<String, String> defines, ShaderIncludes includes, boolean vulkanMemoryModel) {
        Map<String, String> all = new HashMap<>(defines);
        String order = "gl_SemanticsAcquireRelease";
        all.put(
                "BARRIER_SEMANTICS",
                vulkanMemoryModel ? "(" + order + " | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible)" : order);
        String declared = vulkanMemoryModel ? FIRST_LAYOUT.matcher(text).replaceFirst(DECLARATION + "layout") : text;
        return new ShaderSource(name + ".comp", ShaderStage.COMPUTE, declared, all).withIncludes(includes);
    }

    static String text(String file) {
        try (@Nullable InputStream in = ComputeShaders.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("shader file '" + file + "' is missing beside "
                        + ComputeShaders.class.getName() + "; the library's jar is incomplete");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("shader file '" + file + "' cannot be read", e);
        }
    }
}
