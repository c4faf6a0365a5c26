package io.frameloom.gpu.compute;

import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.CpuKernel;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.ShaderIncludes;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes pipelines of the shader files of this package. */
final class ComputeShaders {
    private ComputeShaders() {}

    /**
     * Compiles a shader file.
     *
     * @param name name of the pipeline, and of the shader in messages
     * @param file file among this package's resources
     * @param defines preprocessor definitions
     * @param includes files for its include lines
     */
    static ComputePipeline compile(
            GpuDevice device,
            String name,
            String file,
            Map<String, String> defines,
            ShaderIncludes includes,
            CpuKernel kernel) {
        ShaderSource source =
                new ShaderSource(name + ".comp", ShaderStage.COMPUTE, text(file), defines).withIncludes(includes);
        return device.createComputePipeline(new ComputePipelineDescription(name, source, kernel));
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
