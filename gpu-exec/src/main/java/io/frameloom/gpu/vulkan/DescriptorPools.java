package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import java.util.ArrayList;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDescriptorPoolCreateInfo;
import org.lwjgl.vulkan.VkDescriptorPoolSize;
import org.lwjgl.vulkan.VkDescriptorSetAllocateInfo;

/** Descriptor pools that grow by whole pools and are emptied together. One thread at a time. */
final class DescriptorPools implements AutoCloseable {
    private static final int SETS = 256;
    private static final int PER_SET = 4;

    private final DeviceCore core;
    private final String name;
    private final int flags;
    private final List<Long> pools = new ArrayList<>();
    private final CommandScratch scratch = new CommandScratch();
    private int current;

    DescriptorPools(DeviceCore core, String name, boolean freeable) {
        this.core = core;
        this.name = name;
        this.flags = freeable ? VK13.VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT : 0;
    }

    /** Allocates a set. */
    long allocate(long layout) {
        long info = scratch.zeroed(VkDescriptorSetAllocateInfo.SIZEOF + 2 * Long.BYTES);
        long layouts = info + VkDescriptorSetAllocateInfo.SIZEOF;
        long out = layouts + Long.BYTES;
        VkDescriptorSetAllocateInfo.nsType(info, VK13.VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
        VkDescriptorSetAllocateInfo.ndescriptorSetCount(info, 1);
        MemoryUtil.memPutAddress(info + VkDescriptorSetAllocateInfo.PSETLAYOUTS, layouts);
        MemoryUtil.memPutLong(layouts, layout);
        for (boolean fresh = false; ; current++) {
            if (current == pools.size()) {
                pools.add(create());
                fresh = true;
            }
            VkDescriptorSetAllocateInfo.ndescriptorPool(info, pools.get(current));
            int result = VK13.nvkAllocateDescriptorSets(core.handle(), info, out);
            boolean full = result == VK13.VK_ERROR_OUT_OF_POOL_MEMORY || result == VK13.VK_ERROR_FRAGMENTED_POOL;
            if (result == VK13.VK_SUCCESS) {
                return MemoryUtil.memGetLong(out);
            }
            if (!full || fresh) {
                check(result, "allocate a descriptor set of " + name);
            }
        }
    }

    /** Returns the pool that the last set came from. */
    long currentPool() {
        return pools.get(current);
    }

    private long create() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            int[] types = {
                VK13.VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                VK13.VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                VK13.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
            };
            VkDescriptorPoolSize.Buffer sizes = VkDescriptorPoolSize.calloc(types.length, stack);
            for (int i = 0; i < types.length; i++) {
                sizes.get(i).type(types[i]).descriptorCount(SETS * PER_SET);
            }
            var out = stack.mallocLong(1);
            check(
                    VK13.vkCreateDescriptorPool(
                            core.handle(),
                            VkDescriptorPoolCreateInfo.calloc(stack)
                                    .sType$Default()
                                    .flags(flags)
                                    .maxSets(SETS)
                                    .pPoolSizes(sizes),
                            null,
                            out),
                    "create a descriptor pool of " + name);
            core.names().name(VK13.VK_OBJECT_TYPE_DESCRIPTOR_POOL, out.get(0), name);
            return out.get(0);
        }
    }

    /** Takes all sets back. */
    void reset() {
        for (int i = 0; i <= current && i < pools.size(); i++) {
            check(VK13.vkResetDescriptorPool(core.handle(), pools.get(i), 0), "reset a descriptor pool of " + name);
        }
        current = 0;
    }

    /** Looks for room from the first pool on again, after sets were freed. */
    void rewind() {
        current = 0;
    }

    @Override
    public void close() {
        scratch.close();
        pools.forEach(pool -> VK13.vkDestroyDescriptorPool(core.handle(), pool, null));
    }
}
