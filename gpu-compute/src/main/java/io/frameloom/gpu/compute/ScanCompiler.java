package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import java.util.Map;

/** Makes the pipelines of a scan, which their receiver owns. */
@FunctionalInterface
interface ScanCompiler {
    /**
     * Makes a pipeline of a file among the resources of this package.
     *
     * @param name its name
     * @param file name of the file
     * @param defines its definitions
     * @param includes further files that it may include
     * @param kernel the same for the virtual GPU
     */
    ComputePipeline compile(
            String name, String file, Map<String, String> defines, ShaderIncludes includes, CpuKernel kernel);
}
