package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.util.Map;
import org.lwjgl.vulkan.VK13;

/** Where persistent binding sets come from. Any thread. */
public final class BindingSetPool implements AutoCloseable {
    private final DeviceCore core;
    private final DescriptorPools pools;
    private final BindingValues values;

    public BindingSetPool(DeviceCore core) {
        this.core = core;
        this.pools = new DescriptorPools(core, "binding sets");
        this.values = new BindingValues(core);
    }

    /** Makes a set; see {@code GpuDevice.createBindingSet}. */
    public synchronized VulkanBindingSet create(
            String name, Pipeline pipeline, int set, Map<String, BoundResource> resources) {
        BindingRules.of(pipeline, name, core).checkSet(name, set, resources);
        PipelineInterface layout = ((VulkanPipeline) pipeline).layout();
        SamplerUses samplers = new SamplerUses();
        values.reset(layout, samplers);
        try {
            return create(name, layout, set, resources, samplers);
        } catch (RuntimeException | Error e) {
            samplers.release();
            throw e;
        }
    }

    private VulkanBindingSet create(
            String name,
            PipelineInterface layout,
            int set,
            Map<String, BoundResource> resources,
            SamplerUses samplers) {
        values.putSet(resources);
        SetLayout setLayout = layout.setLayout(set);
        SetContents contents = values.contents(set);
        long[] ranges = layout.rules().ranges(set, resources);
        DescriptorPools.Allocation allocation = pools.allocate(setLayout.handle(), layout.setNeeds(set));
        try {
            core.names().name(VK13.VK_OBJECT_TYPE_DESCRIPTOR_SET, allocation.handle(), name);
            values.write(set, allocation.handle());
            VulkanBindingSet made =
                    new VulkanBindingSet(core, this, name, set, setLayout, allocation, contents, ranges, samplers);
            setLayout.retain();
            return made;
        } catch (RuntimeException | Error e) {
            pools.free(allocation, "binding set '" + name + "'");
            throw e;
        }
    }

    synchronized void free(VulkanBindingSet set) {
        pools.free(set.allocation(), "binding set '" + set.name() + "'");
    }

    @Override
    public void close() {
        values.close();
        pools.close();
    }
}
