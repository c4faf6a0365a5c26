package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkPipelineCacheCreateInfo;

/** Native pipeline caches and their contents. Stateless. */
final class PipelineCaches {
    private PipelineCaches() {}

    static long createEmpty(DeviceCore core, String name) {
        return create(core, name, (ByteBuffer) null);
    }

    /** Creates a cache from contents whose header fits the device. */
    static long create(DeviceCore core, String name, byte[] contents) {
        ByteBuffer copy = MemoryUtil.memAlloc(contents.length);
        try {
            return create(core, name, copy.put(contents).flip());
        } finally {
            MemoryUtil.memFree(copy);
        }
    }

    private static long create(DeviceCore core, String name, @Nullable ByteBuffer contents) {
        return core.create(VK13.VK_OBJECT_TYPE_PIPELINE_CACHE, name, "a pipeline cache", (stack, out) -> {
            VkPipelineCacheCreateInfo info =
                    VkPipelineCacheCreateInfo.calloc(stack).sType$Default().pInitialData(contents);
            return VK13.vkCreatePipelineCache(core.handle(), info, null, out);
        });
    }

    static void destroy(VkDevice device, long cache) {
        VK13.vkDestroyPipelineCache(device, cache, null);
    }

    /** Returns the contents of a cache that does not change meanwhile. */
    static byte[] contents(DeviceCore core, long cache) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer size = stack.mallocPointer(1);
            core.check(
                    VK13.vkGetPipelineCacheData(core.handle(), cache, size, null), "read the size of a pipeline cache");
            ByteBuffer data = MemoryUtil.memAlloc(Math.toIntExact(size.get(0)));
            try {
                core.check(VK13.vkGetPipelineCacheData(core.handle(), cache, size, data), "read a pipeline cache");
                byte[] contents = new byte[(int) size.get(0)];
                data.get(contents);
                return contents;
            } finally {
                MemoryUtil.memFree(data);
            }
        }
    }
}
