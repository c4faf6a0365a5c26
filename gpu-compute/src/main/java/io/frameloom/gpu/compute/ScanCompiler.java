package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import java.util.Map;

/** Makes the pipelines of a scan, which belong to whoever hands this out. */
@FunctionalInterface
interface ScanCompiler {
    /**
     * Makes a pipeline of a file among the resources of this package.
     *
     * @param name what it is called
     * @param file name of the file
     * @param defines what is defined for it
     * @param includes what it may include besides
     * @param kernel the same for the virtual GPU
     */
    ComputePipeline compile(
            String name, String file, Map<String, String> defines, ShaderIncludes includes, CpuKernel kernel);
}
