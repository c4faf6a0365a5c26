package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.cache.program.ProgramKey;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.util.function.Function;
import org.lwjgl.system.MemoryStack;

/** Pipelines that the driver compiles, with one native cache as long as the device lives. */
final class DriverPipelines implements PipelineSource {
    private final DeviceCore core;
    private final long cache;

    DriverPipelines(DeviceCore core) {
        this.core = core;
        this.cache = PipelineCaches.createEmpty(core, "all pipelines");
    }

    @Override
    public long obtain(String what, Function<Compatibility, ProgramKey> key, Creation creation) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            core.check(creation.create(cache, 0, out), "create " + what);
            return out.get(0);
        }
    }

    @Override
    public void close() {
        PipelineCaches.destroy(core.handle(), cache);
    }
}
