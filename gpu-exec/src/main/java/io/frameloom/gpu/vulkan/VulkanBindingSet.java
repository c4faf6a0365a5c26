package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.BindingSet;
import java.util.concurrent.atomic.AtomicBoolean;

/** A persistent descriptor set. */
final class VulkanBindingSet implements BindingSet, DeviceObject {
    private final DeviceCore core;
    private final BindingSetPool owner;
    private final String name;
    private final int set;
    private final long handle;
    private final long layout;
    private final DescriptorPools.Pool pool;
    private final int[] needs;
    private final AtomicBoolean closed = new AtomicBoolean();

    VulkanBindingSet(
            DeviceCore core,
            BindingSetPool owner,
            String name,
            int set,
            long handle,
            long layout,
            DescriptorPools.Pool pool,
            int[] needs) {
        this.core = core;
        this.owner = owner;
        this.name = name;
        this.set = set;
        this.handle = handle;
        this.layout = layout;
        this.pool = pool;
        this.needs = needs;
    }

    boolean belongsTo(DeviceCore device) {
        return core == device;
    }

    long handle() {
        return handle;
    }

    DescriptorPools.Pool pool() {
        return pool;
    }

    /** Returns what it has taken of its pool. */
    int[] needs() {
        return needs;
    }

    /** Returns the set layout: a pipeline with the same one at {@link #set} takes this set. */
    long layout() {
        return layout;
    }

    boolean isClosed() {
        return closed.get();
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
    public void close() {
        if (closed.compareAndSet(false, true)) {
            core.objects().remove(this);
            owner.free(this);
        }
    }
}
