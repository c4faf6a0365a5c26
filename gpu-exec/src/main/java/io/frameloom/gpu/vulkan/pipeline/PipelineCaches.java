package io.frameloom.gpu.vulkan.pipeline;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import java.nio.ByteBuffer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkPipelineCacheCreateInfo;

/** Native pipeline caches and their contents. Stateless. */
final class PipelineCaches {
    private PipelineCaches() {}

    static long createEmpty(VkDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return create(device, VkPipelineCacheCreateInfo.calloc(stack).sType$Default(), stack);
        }
    }

    /** Creates a cache from contents whose header fits the device. */
    static long create(VkDevice device, byte[] contents) {
        ByteBuffer copy = MemoryUtil.memAlloc(contents.length);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            copy.put(contents).flip();
            return create(
                    device,
                    VkPipelineCacheCreateInfo.calloc(stack).sType$Default().pInitialData(copy),
                    stack);
        } finally {
            MemoryUtil.memFree(copy);
        }
    }

    private static long create(VkDevice device, VkPipelineCacheCreateInfo info, MemoryStack stack) {
        var out = stack.mallocLong(1);
        check(VK13.vkCreatePipelineCache(device, info, null, out), "create a pipeline cache");
        return out.get(0);
    }

    static void destroy(VkDevice device, long cache) {
        VK13.vkDestroyPipelineCache(device, cache, null);
    }

    /** Returns the contents of a cache that does not change meanwhile. */
    static byte[] contents(VkDevice device, long cache) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer size = stack.mallocPointer(1);
            check(VK13.vkGetPipelineCacheData(device, cache, size, null), "read the size of a pipeline cache");
            ByteBuffer data = MemoryUtil.memAlloc(Math.toIntExact(size.get(0)));
            try {
                check(VK13.vkGetPipelineCacheData(device, cache, size, data), "read a pipeline cache");
                byte[] contents = new byte[(int) size.get(0)];
                data.get(contents);
                return contents;
            } finally {
                MemoryUtil.memFree(data);
            }
        }
    }
}
