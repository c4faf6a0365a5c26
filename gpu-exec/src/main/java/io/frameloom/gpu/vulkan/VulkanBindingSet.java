package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.BindingSet;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.record.Perishable;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A persistent descriptor set. */
final class VulkanBindingSet implements BindingSet, DeviceObject, Perishable {
    private final DeviceCore core;
    private final BindingSetPool owner;
    private final String name;
    private final int set;
    private final SetLayout layout;
    private final Allocation allocation;
    private final List<Resource> resources;
    private final SamplerUses samplers;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** What it has of a descriptor pool. */
    static final class Allocation {
        private final long handle;
        private final DescriptorPools.Pool pool;
        private final int[] needs;

        /**
         * A part of a pool.
         *
         * @param handle VkDescriptorSet
         * @param needs what it has taken of the pool; not to be changed
         */
        Allocation(long handle, DescriptorPools.Pool pool, int[] needs) {
            this.handle = handle;
            this.pool = pool;
            this.needs = needs;
        }

        long handle() {
            return handle;
        }

        /** Gives it back. */
        void free(DescriptorPools pools, String what) {
            pools.free(pool, handle, needs, what);
        }
    }

    /**
     * A set that was written.
     *
     * @param layout ends its use when closed
     * @param resources what it names
     * @param samplers lets them go when closed
     */
    VulkanBindingSet(
            DeviceCore core,
            BindingSetPool owner,
            String name,
            int set,
            SetLayout layout,
            Allocation allocation,
            List<Resource> resources,
            SamplerUses samplers) {
        this.core = core;
        this.owner = owner;
        this.name = name;
        this.set = set;
        this.layout = layout;
        this.allocation = allocation;
        this.resources = resources;
        this.samplers = samplers;
    }

    boolean belongsTo(DeviceCore device) {
        return core == device;
    }

    long handle() {
        return allocation.handle();
    }

    Allocation allocation() {
        return allocation;
    }

    /** Returns the set layout: a pipeline with the same one at {@link #set} takes this set. */
    SetLayout layout() {
        return layout;
    }

    boolean isClosed() {
        return closed.get();
    }

    /** Returns something in it that was closed since, or null. */
    @Nullable
    Resource firstClosed() {
        for (int i = 0; i < resources.size(); i++) {
            if (resources.get(i).isClosed()) {
                return resources.get(i);
            }
        }
        return null;
    }

    @Override
    public Kind objectKind() {
        return Kind.BINDING_SET;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int set() {
        return set;
    }

    @Override
    public @Nullable String closedPart() {
        if (closed.get()) {
            return "binding set '" + name + "'";
        }
        Resource gone = firstClosed();
        return gone == null ? null : "'" + gone.name() + "' in binding set '" + name + "'";
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            core.closings().add();
            core.objects().remove(this);
            try {
                owner.free(this);
            } finally {
                layout.release();
                samplers.release();
            }
        }
    }
}
