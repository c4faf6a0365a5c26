package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.program.CachedPrograms;
import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.cache.program.ProgramDriver;
import io.frameloom.gpu.cache.program.ProgramKey;
import io.frameloom.gpu.cache.program.ProgramKind;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPipelineCreationFeedback;
import org.lwjgl.vulkan.VkPipelineCreationFeedbackCreateInfo;

/**
 * Pipelines from the program cache. Each is kept with the contents of a native pipeline cache of its own, so that
 * programs can be found, replaced and evicted one by one.
 */
final class CachedPipelines implements PipelineSource {
    private final DeviceCore core;
    private final CachedPrograms programs;
    private final DriverIdentity driver;

    CachedPipelines(DeviceCore core, ProgramCache programs) {
        this.core = core;
        this.programs = CachedPrograms.of(programs);
        this.driver = DriverIdentity.of(core);
        this.programs.prepare(ProgramKind.PIPELINE, driver.compatibility());
    }

    @Override
    public long obtain(String what, Function<Compatibility, ProgramKey> key, Creation creation) {
        try (Program program = new Program(what, creation)) {
            return programs.obtain(key.apply(driver.compatibility()), program);
        }
    }

    @Override
    public void close() {
        // The program cache is the application's.
    }

    /** One pipeline on its way from the driver or the cache to its owner. One thread. */
    private final class Program implements ProgramDriver<Long>, AutoCloseable {
        private final String what;
        private final Creation creation;
        /**
         * The pipeline that {@link #load} has made although the driver had no use for the binary, for {@link #build} to
         * take.
         */
        private @Nullable Built<Long> made;

        Program(String what, Creation creation) {
            this.what = what;
            this.creation = creation;
        }

        @Override
        public @Nullable Long load(byte[] binary) {
            close();
            if (!driver.canRead(binary)) {
                return null;
            }
            long cache = PipelineCaches.create(core, what, binary);
            try (MemoryStack stack = MemoryStack.stackPush()) {
                VkPipelineCreationFeedback feedback = VkPipelineCreationFeedback.create(
                        stack.ncalloc(VkPipelineCreationFeedback.ALIGNOF, 1, VkPipelineCreationFeedback.SIZEOF));
                VkPipelineCreationFeedbackCreateInfo extension = VkPipelineCreationFeedbackCreateInfo.calloc(stack)
                        .sType$Default()
                        .pPipelineCreationFeedback(feedback);
                long pipeline = create(cache, extension.address(), stack);
                if (!wasMissed(feedback.flags())) {
                    return pipeline;
                }
                byte[] fresh = contents(cache, pipeline);
                if (Arrays.equals(fresh, binary)) {
                    // The driver keeps nothing in its caches.
                    return pipeline;
                }
                made = new Built<>(pipeline, fresh);
                return null;
            } finally {
                PipelineCaches.destroy(core.handle(), cache);
            }
        }

        private static boolean wasMissed(int flags) {
            return (flags & VK13.VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT) != 0
                    && (flags & VK13.VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT) == 0;
        }

        @Override
        public Built<Long> build() {
            Built<Long> ready = made;
            if (ready != null) {
                made = null;
                return ready;
            }
            long cache = PipelineCaches.createEmpty(core, what);
            try (MemoryStack stack = MemoryStack.stackPush()) {
                long pipeline = create(cache, 0, stack);
                return new Built<>(pipeline, contents(cache, pipeline));
            } finally {
                PipelineCaches.destroy(core.handle(), cache);
            }
        }

        private long create(long cache, long extension, MemoryStack stack) {
            var out = stack.mallocLong(1);
            core.check(creation.create(cache, extension, out), "create " + what);
            return out.get(0);
        }

        private byte[] contents(long cache, long pipeline) {
            try {
                return PipelineCaches.contents(core, cache);
            } catch (RuntimeException | Error e) {
                VK13.vkDestroyPipeline(core.handle(), pipeline, null);
                throw e;
            }
        }

        @Override
        public void close() {
            Built<Long> left = made;
            made = null;
            if (left != null) {
                VK13.vkDestroyPipeline(core.handle(), left.program(), null);
            }
        }
    }
}
