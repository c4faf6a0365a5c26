package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.record.DeviceObject;
import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A persistent descriptor set. */
public final class VulkanBindingSet implements BindingSet, DeviceObject, Perishable {
    private final DeviceCore core;
    private final BindingSetPool owner;
    private final String name;
    private final int set;
    private final SetLayout layout;
    private final DescriptorPools.Allocation allocation;
    private final SetContents written;
    private final long[] ranges;
    private final SamplerUses samplers;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** The number of closings up to which nothing in it was closed. */
    private volatile long open = -1;

    /**
     * A set that was written.
     *
     * @param layout ends its use when closed
     * @param contents its contents
     * @param ranges sizes of its ranges; not to be changed
     * @param samplers releases them when closed
     */
    VulkanBindingSet(
            DeviceCore core,
            BindingSetPool owner,
            String name,
            int set,
            SetLayout layout,
            DescriptorPools.Allocation allocation,
            SetContents contents,
            long[] ranges,
            SamplerUses samplers) {
        this.core = core;
        this.owner = owner;
        this.name = name;
        this.set = set;
        this.layout = layout;
        this.allocation = allocation;
        written = contents;
        this.ranges = ranges;
        this.samplers = samplers;
    }

    public boolean belongsTo(DeviceCore device) {
        return core == device;
    }

    long handle() {
        return allocation.handle();
    }

    DescriptorPools.Allocation allocation() {
        return allocation;
    }

    /** Returns the set layout: a pipeline with the same one at {@link #set} takes this set. */
    public SetLayout layout() {
        return layout;
    }

    SetContents written() {
        return written;
    }

    /** Returns the ranges for {@link io.frameloom.gpu.record.BindingRules#checkRanges}. Not to be changed. */
    long[] ranges() {
        return ranges;
    }

    boolean isClosed() {
        return closed.get();
    }

    /** Returns a resource in it that was closed since, or null. */
    @Nullable
    Resource firstClosed() {
        long now = core.closings().count();
        if (open == now) {
            return null;
        }
        List<Resource> resources = written.resources();
        for (int i = 0; i < resources.size(); i++) {
            if (resources.get(i).isClosed()) {
                return resources.get(i);
            }
        }
        open = now;
        return null;
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
        core.gate().closing(this::destroy);
    }

    private void destroy() {
        if (closed.compareAndSet(false, true)) {
            core.closings().add();
            core.objects().remove(this);
            core.retired().add(this::free);
        }
    }

    private void free() {
        try {
            owner.free(this);
        } finally {
            layout.release();
            samplers.release();
        }
    }
}
