package io.frameloom.gpu.compute;

import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.CpuKernel;
import io.frameloom.gpu.ShaderIncludes;
import java.util.Map;

/** Makes the pipelines of a scan, which belong to whoever hands this out. */
@FunctionalInterface
interface ScanCompiler {
    /**
     * Makes a pipeline.
     *
     * @param file file among this package's resources
     */
    ComputePipeline compile(
            String name, String file, Map<String, String> defines, ShaderIncludes includes, CpuKernel kernel);
}
