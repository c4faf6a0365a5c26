package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import io.frameloom.gpu.ShaderBinding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDescriptorPoolCreateInfo;
import org.lwjgl.vulkan.VkDescriptorPoolSize;
import org.lwjgl.vulkan.VkDescriptorSetAllocateInfo;

/**
 * Descriptor pools that grow by whole pools and are emptied together. Each keeps account of what is left in it, so that
 * only pools with room are asked; a set that is larger than a pool gets one of its own size. One thread at a time.
 */
final class DescriptorPools implements AutoCloseable {
    private static final int SETS = 256;
    private static final int LEAST_OF_A_TYPE = 1024;
    private static final int[] TYPES = {
        VK13.VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        VK13.VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        VK13.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
    };

    private final DeviceCore core;
    private final String name;
    private final int flags;
    private final List<Pool> pools = new ArrayList<>();
    private final CommandScratch scratch = new CommandScratch();
    private @Nullable Pool last;

    /** A pool and what is left in it. */
    static final class Pool {
        private final long handle;
        private final int[] capacity;
        private final int[] left;
        private int sets = SETS;

        private Pool(long handle, int[] capacity) {
            this.handle = handle;
            this.capacity = capacity;
            this.left = capacity.clone();
        }

        private boolean fits(int[] needs) {
            boolean fits = sets > 0;
            for (int type = 0; type < left.length; type++) {
                fits &= needs[type] <= left[type];
            }
            return fits;
        }

        private void take(int[] needs) {
            sets--;
            for (int type = 0; type < left.length; type++) {
                left[type] -= needs[type];
            }
        }

        private void giveBack(int[] needs) {
            sets++;
            for (int type = 0; type < left.length; type++) {
                left[type] += needs[type];
            }
        }

        private void empty() {
            sets = SETS;
            System.arraycopy(capacity, 0, left, 0, left.length);
        }
    }

    DescriptorPools(DeviceCore core, String name, boolean freeable) {
        this.core = core;
        this.name = name;
        this.flags = freeable ? VK13.VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT : 0;
    }

    /** Returns what a set of some bindings needs: numbers of descriptors by type, as the other methods take them. */
    static int[] needs(List<ShaderBinding> bindings) {
        int[] needs = new int[TYPES.length];
        for (ShaderBinding binding : bindings) {
            int type = SetLayoutCache.type(binding.kind());
            for (int i = 0; i < TYPES.length; i++) {
                needs[i] += TYPES[i] == type ? binding.count() : 0;
            }
        }
        return needs;
    }

    /** Allocates a set. */
    long allocate(long layout, int[] needs) {
        for (int i = 0; i < pools.size(); i++) {
            long set = pools.get(i).fits(needs) ? tryAllocate(pools.get(i), layout, needs, true) : 0;
            if (set != 0) {
                return set;
            }
        }
        int[] capacity = new int[TYPES.length];
        for (int i = 0; i < capacity.length; i++) {
            capacity[i] = Math.max(LEAST_OF_A_TYPE, needs[i]);
        }
        Pool fresh = new Pool(create(capacity), capacity);
        pools.add(fresh);
        return tryAllocate(fresh, layout, needs, false);
    }

    /**
     * Asks one pool.
     *
     * @return the set, or 0 if the pool turns out to be full or fragmented and there may be others
     */
    private long tryAllocate(Pool pool, long layout, int[] needs, boolean others) {
        long info = scratch.zeroed(VkDescriptorSetAllocateInfo.SIZEOF + 2 * Long.BYTES);
        long layouts = info + VkDescriptorSetAllocateInfo.SIZEOF;
        long out = layouts + Long.BYTES;
        VkDescriptorSetAllocateInfo.nsType(info, VK13.VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
        VkDescriptorSetAllocateInfo.ndescriptorPool(info, pool.handle);
        VkDescriptorSetAllocateInfo.ndescriptorSetCount(info, 1);
        MemoryUtil.memPutAddress(info + VkDescriptorSetAllocateInfo.PSETLAYOUTS, layouts);
        MemoryUtil.memPutLong(layouts, layout);
        int result = VK13.nvkAllocateDescriptorSets(core.handle(), info, out);
        boolean full = result == VK13.VK_ERROR_OUT_OF_POOL_MEMORY || result == VK13.VK_ERROR_FRAGMENTED_POOL;
        if (full && others) {
            return 0;
        }
        if (result != VK13.VK_SUCCESS) {
            check(result, "allocate a descriptor set of " + name);
        }
        pool.take(needs);
        last = pool;
        return MemoryUtil.memGetLong(out);
    }

    /** Returns the pool that the last set came from. */
    Pool lastPool() {
        if (last == null) {
            throw new IllegalStateException("no set was allocated yet");
        }
        return last;
    }

    private long create(int[] capacity) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkDescriptorPoolSize.Buffer sizes = VkDescriptorPoolSize.calloc(TYPES.length, stack);
            for (int i = 0; i < TYPES.length; i++) {
                sizes.get(i).type(TYPES[i]).descriptorCount(capacity[i]);
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

    /** Returns the number of pools. */
    int count() {
        return pools.size();
    }

    /** Takes all sets back. */
    void reset() {
        for (int i = 0; i < pools.size(); i++) {
            Pool pool = pools.get(i);
            if (pool.sets < SETS) {
                int result = VK13.vkResetDescriptorPool(core.handle(), pool.handle, 0);
                if (result != VK13.VK_SUCCESS) {
                    check(result, "reset a descriptor pool of " + name);
                }
                pool.empty();
            }
        }
    }

    /** Takes one set back. */
    void free(Pool pool, long set, int[] needs, String what) {
        check(VK13.vkFreeDescriptorSets(core.handle(), pool.handle, set), "free " + what);
        pool.giveBack(needs);
    }

    @Override
    public void close() {
        scratch.close();
        pools.forEach(pool -> VK13.vkDestroyDescriptorPool(core.handle(), pool.handle, null));
    }
}
