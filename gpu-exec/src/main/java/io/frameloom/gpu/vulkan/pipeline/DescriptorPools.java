package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.KHRAccelerationStructure;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDescriptorPoolCreateInfo;
import org.lwjgl.vulkan.VkDescriptorPoolSize;
import org.lwjgl.vulkan.VkDescriptorSetAllocateInfo;

/**
 * Descriptor pools that grow by whole pools. Each counts its remaining room, so that only pools with room are asked; a
 * set that is larger than a pool gets one of its own size. One thread at a time.
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
        VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        VK13.VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
        // The last one: a device without such has no room for them.
        KHRAccelerationStructure.VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR
    };

    private final DeviceCore core;
    private final String name;
    private final List<Pool> pools = new ArrayList<>();
    private final CommandScratch scratch = new CommandScratch();
    private @Nullable Pool newest;

    /** A pool and its remaining room. */
    private static final class Pool {
        private final long handle;
        private final int[] left;
        private int sets = SETS;

        Pool(long handle, int[] capacity) {
            this.handle = handle;
            this.left = capacity;
        }

        private boolean hasRoom(int[] needs) {
            boolean room = sets > 0;
            for (int type = 0; type < left.length; type++) {
                room &= needs[type] <= left[type];
            }
            return room;
        }

        private void take(int[] needs, int count) {
            sets -= count;
            for (int type = 0; type < left.length; type++) {
                left[type] -= needs[type] * count;
            }
        }
    }

    public DescriptorPools(DeviceCore core, String name) {
        this.core = core;
        this.name = name;
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

    /** A set, and what it takes from a pool. */
    public static final class Allocation {
        private final long handle;
        private final Pool pool;
        private final int[] needs;

        private Allocation(long handle, Pool pool, int[] needs) {
            this.handle = handle;
            this.pool = pool;
            this.needs = needs;
        }

        public long handle() {
            return handle;
        }
    }

    /**
     * Allocates a set.
     *
     * @param needs its needs; not to be changed
     */
    public Allocation allocate(long layout, int[] needs) {
        // The pools before the last are usually full.
        Allocation made = newest == null ? null : allocate(newest, layout, needs, true);
        for (int i = 0; i < pools.size() && made == null; i++) {
            made = allocate(pools.get(i), layout, needs, true);
        }
        if (made == null) {
            int[] capacity = new int[TYPES.length];
            for (int i = 0; i < capacity.length; i++) {
                capacity[i] = Math.max(LEAST_OF_A_TYPE, needs[i]);
            }
            Pool fresh = new Pool(create(capacity), capacity);
            pools.add(fresh);
            made = allocate(fresh, layout, needs, false);
        }
        return Objects.requireNonNull(made);
    }

    /** Asks one pool; returns null if it is full or fragmented and there may be {@code others}. */
    private @Nullable Allocation allocate(Pool pool, long layout, int[] needs, boolean others) {
        if (!pool.hasRoom(needs)) {
            return null;
        }
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
            return null;
        }
        if (result != VK13.VK_SUCCESS) {
            core.check(result, "allocate a descriptor set of " + name);
        }
        pool.take(needs, 1);
        newest = pool;
        return new Allocation(MemoryUtil.memGetLong(out), pool, needs);
    }

    private long create(int[] capacity) {
        return core.create(VK13.VK_OBJECT_TYPE_DESCRIPTOR_POOL, name, "a descriptor pool of " + name, (stack, out) -> {
            boolean structures = core.capabilities().has(Capability.ACCELERATION_STRUCTURES);
            int types = structures ? TYPES.length : TYPES.length - 1;
            VkDescriptorPoolSize.Buffer sizes = VkDescriptorPoolSize.calloc(types, stack);
            for (int i = 0; i < types; i++) {
                sizes.get(i).type(TYPES[i]).descriptorCount(capacity[i]);
            }
            VkDescriptorPoolCreateInfo info = VkDescriptorPoolCreateInfo.calloc(stack)
                    .sType$Default()
                    .flags(VK13.VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT)
                    .maxSets(SETS)
                    .pPoolSizes(sizes);
            return VK13.vkCreateDescriptorPool(core.handle(), info, null, out);
        });
    }

    public int count() {
        return pools.size();
    }

    public void free(Allocation set, String what) {
        core.check(VK13.vkFreeDescriptorSets(core.handle(), set.pool.handle, set.handle), "free " + what);
        set.pool.take(set.needs, -1);
    }

    @Override
    public void close() {
        scratch.close();
        pools.forEach(pool -> VK13.vkDestroyDescriptorPool(core.handle(), pool.handle, null));
    }
}
