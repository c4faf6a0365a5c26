package io.frameloom.gpu.vulkan.pipeline;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
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
 * Descriptor pools that grow by whole pools and are emptied together. Each counts its remaining room, so that only
 * pools with room are asked; a set that is larger than a pool gets one of its own size. One thread at a time.
 */
public final class DescriptorPools implements AutoCloseable {
    private static final int SETS = 256;
    private static final int LEAST_OF_A_TYPE = 1024;
    private static final int[] TYPES = {
        VK13.VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        VK13.VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        VK13.VK_DESCRIPTOR_TYPE_SAMPLER,
        VK13.VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        VK13.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
    };

    private final DeviceCore core;
    private final String name;
    private final int flags;
    private final List<Pool> pools = new ArrayList<>();
    private final CommandScratch scratch = new CommandScratch();
    private final long[] single = new long[1];
    private @Nullable Pool last;

    /** A pool and its remaining room. */
    public static final class Pool {
        private final long handle;
        private final int[] capacity;
        private final int[] left;
        private int sets = SETS;

        private Pool(long handle, int[] capacity) {
            this.handle = handle;
            this.capacity = capacity;
            this.left = capacity.clone();
        }

        /** Returns how many sets fit, up to a number. */
        private int room(int[] needs, int most) {
            int room = Math.min(sets, most);
            for (int type = 0; type < left.length; type++) {
                if (needs[type] * room > left[type]) {
                    room = left[type] / needs[type];
                }
            }
            return room;
        }

        private void take(int[] needs, int count) {
            sets -= count;
            for (int type = 0; type < left.length; type++) {
                left[type] -= needs[type] * count;
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

    public DescriptorPools(DeviceCore core, String name, boolean freeable) {
        this.core = core;
        this.name = name;
        this.flags = freeable ? VK13.VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT : 0;
    }

    /** Returns the needs of a set of some bindings: numbers of descriptors by type, as the other methods take them. */
    public static int[] needs(List<ShaderBinding> bindings) {
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
    public long allocate(long layout, int[] needs) {
        allocate(layout, needs, single, 1);
        return single[0];
    }

    /**
     * Allocates sets of one layout.
     *
     * @param needs needs of one of them
     * @param sets takes them
     * @param most how many at most, 1 or more
     * @return how many, 1 or more
     */
    int allocate(long layout, int[] needs, long[] sets, int most) {
        // The pools before the last are usually full.
        Pool newest = last;
        int count = newest == null ? 0 : tryAllocate(newest, layout, needs, sets, newest.room(needs, most), true);
        for (int i = 0; i < pools.size() && count == 0; i++) {
            count = tryAllocate(pools.get(i), layout, needs, sets, pools.get(i).room(needs, most), true);
        }
        if (count > 0) {
            return count;
        }
        int[] capacity = new int[TYPES.length];
        for (int i = 0; i < capacity.length; i++) {
            capacity[i] = Math.max(LEAST_OF_A_TYPE, needs[i]);
        }
        Pool fresh = new Pool(create(capacity), capacity);
        pools.add(fresh);
        return tryAllocate(fresh, layout, needs, sets, 1, false);
    }

    /**
     * Asks one pool.
     *
     * @return how many sets there are, or 0 if the pool turns out to be full or fragmented and there may be others
     */
    private int tryAllocate(Pool pool, long layout, int[] needs, long[] sets, int count, boolean others) {
        if (count == 0) {
            return 0;
        }
        long info = scratch.zeroed(VkDescriptorSetAllocateInfo.SIZEOF + 2 * count * Long.BYTES);
        long layouts = info + VkDescriptorSetAllocateInfo.SIZEOF;
        long out = layouts + (long) count * Long.BYTES;
        VkDescriptorSetAllocateInfo.nsType(info, VK13.VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
        VkDescriptorSetAllocateInfo.ndescriptorPool(info, pool.handle);
        VkDescriptorSetAllocateInfo.ndescriptorSetCount(info, count);
        MemoryUtil.memPutAddress(info + VkDescriptorSetAllocateInfo.PSETLAYOUTS, layouts);
        for (int i = 0; i < count; i++) {
            MemoryUtil.memPutLong(layouts + (long) i * Long.BYTES, layout);
        }
        int result = VK13.nvkAllocateDescriptorSets(core.handle(), info, out);
        boolean full = result == VK13.VK_ERROR_OUT_OF_POOL_MEMORY || result == VK13.VK_ERROR_FRAGMENTED_POOL;
        if (full && others) {
            return 0;
        }
        if (result != VK13.VK_SUCCESS) {
            check(result, "allocate a descriptor set of " + name);
        }
        pool.take(needs, count);
        last = pool;
        for (int i = 0; i < count; i++) {
            sets[i] = MemoryUtil.memGetLong(out + (long) i * Long.BYTES);
        }
        return count;
    }

    /** Returns the pool that the last set came from. */
    public Pool lastPool() {
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
    public int count() {
        return pools.size();
    }

    /** Takes all sets back. */
    public void reset() {
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
        last = pools.isEmpty() ? null : pools.get(0);
    }

    /** Takes one set back. */
    public void free(Pool pool, long set, int[] needs, String what) {
        check(VK13.vkFreeDescriptorSets(core.handle(), pool.handle, set), "free " + what);
        pool.giveBack(needs);
    }

    @Override
    public void close() {
        scratch.close();
        pools.forEach(pool -> VK13.vkDestroyDescriptorPool(core.handle(), pool.handle, null));
    }
}
