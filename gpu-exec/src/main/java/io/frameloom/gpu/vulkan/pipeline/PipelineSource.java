package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.cache.program.ProgramKey;
import java.nio.LongBuffer;
import java.util.function.Function;

/** Where native pipelines come from. Any thread. */
interface PipelineSource extends AutoCloseable {
    /**
     * Returns a new native pipeline, which the caller destroys.
     *
     * @param what kind and name, for messages
     * @param key its key for a device, if it is wanted
     */
    long obtain(String what, Function<Compatibility, ProgramKey> key, Creation creation);

    @Override
    void close();

    /** A call of the driver that creates one pipeline. */
    @FunctionalInterface
    interface Creation {
        /**
         * Calls the driver.
         *
         * @param pipelineCache native pipeline cache to use
         * @param extension address of a structure to chain to the creation info, or 0
         * @param out receives the pipeline
         * @return the result of the call
         */
        int create(long pipelineCache, long extension, LongBuffer out);
    }
}
