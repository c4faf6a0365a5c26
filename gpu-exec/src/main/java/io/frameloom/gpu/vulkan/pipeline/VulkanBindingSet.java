package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.record.RecordedPipeline;
import io.frameloom.gpu.record.RecordedSet;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanObject;
import org.jspecify.annotations.Nullable;

/** A persistent descriptor set. */
public final class VulkanBindingSet extends VulkanObject implements RecordedSet {
    private final BindingSetPool owner;
    private final int set;
    private final SetLayout layout;
    private final DescriptorPools.Allocation allocation;
    private final SetContents written;
    private final long[] ranges;
    private final SamplerUses samplers;
    /** The number of closings up to which nothing in it was closed. */
    private volatile long open = -1;

    /**
     * A set that was written.
     *
     * @param layout ends its use when closed
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
        super(core, name);
        this.owner = owner;
        this.set = set;
        this.layout = layout;
        this.allocation = allocation;
        written = contents;
        this.ranges = ranges;
        this.samplers = samplers;
    }

    public long handle() {
        return allocation.handle();
    }

    DescriptorPools.Allocation allocation() {
        return allocation;
    }

    SetContents written() {
        return written;
    }

    @Override
    public int set() {
        return set;
    }

    @Override
    public long[] ranges() {
        return ranges;
    }

    @Override
    public boolean fits(RecordedPipeline pipeline) {
        PipelineInterface theirs = ((VulkanPipeline) pipeline).layout();
        return set < theirs.setCount() && theirs.setLayout(set) == layout;
    }

    @Override
    public @Nullable Resource firstClosed() {
        long now = core.closings().count();
        if (open == now) {
            return null;
        }
        Resource gone = firstClosed(written.resources());
        if (gone == null) {
            open = now;
        }
        return gone;
    }

    @Override
    protected void free() {
        try {
            owner.free(this);
        } finally {
            layout.release();
            samplers.release();
        }
    }
}
