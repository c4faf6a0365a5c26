package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.Pipeline;
import java.util.Map;
import org.lwjgl.vulkan.VK13;

/** Where persistent binding sets come from. Any thread. */
final class BindingSetPool implements AutoCloseable {
    private final DeviceCore core;
    private final DescriptorPools pools;
    private final BindingValues values;

    BindingSetPool(DeviceCore core) {
        this.core = core;
        this.pools = new DescriptorPools(core, "binding sets", true);
        this.values = new BindingValues(core);
    }

    /** Makes a set; see {@code GpuDevice.createBindingSet}. */
    synchronized VulkanBindingSet create(
            String name, Pipeline pipeline, int set, Map<String, BoundResource> resources) {
        if (!(pipeline instanceof VulkanPipeline ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException(
                    "binding set '" + name + "' is made for pipeline '" + pipeline.name() + "' of another device");
        }
        if (ours.isClosed()) {
            throw new IllegalStateException("binding set '" + name + "' is made for pipeline '" + pipeline.name()
                    + "', which is closed; make the set before");
        }
        PipelineInterface layout = ours.layout();
        if (set < 0 || set >= layout.setCount() || layout.isEmpty(set)) {
            throw new IllegalArgumentException("binding set '" + name + "' is for set " + set + " of pipeline '"
                    + pipeline.name() + "', which has nothing there; its bindings are " + layout.bindings());
        }
        SamplerUses samplers = new SamplerUses();
        values.reset(layout, samplers);
        try {
            return create(name, ours, set, resources, samplers);
        } catch (RuntimeException | Error e) {
            samplers.release();
            throw e;
        }
    }

    private VulkanBindingSet create(
            String name, VulkanPipeline pipeline, int set, Map<String, BoundResource> resources, SamplerUses samplers) {
        PipelineInterface layout = pipeline.layout();
        resources.forEach((binding, resource) -> {
            int actual = bind(binding, resource);
            if (actual != set) {
                throw new IllegalArgumentException("binding set '" + name + "' is for set " + set + ", but '" + binding
                        + "' of pipeline '" + pipeline.name() + "' is in set " + actual);
            }
        });
        if (!values.isComplete(set)) {
            throw new IllegalArgumentException(
                    "binding set '" + name + "' for pipeline '" + pipeline.name() + "' lacks " + values.missing(set));
        }
        SetLayout setLayout = layout.setLayout(set);
        long handle = pools.allocate(setLayout.handle(), layout.setNeeds(set));
        values.write(set, handle);
        core.names().name(VK13.VK_OBJECT_TYPE_DESCRIPTOR_SET, handle, name);
        VulkanBindingSet.Allocation allocation =
                new VulkanBindingSet.Allocation(handle, pools.lastPool(), layout.setNeeds(set));
        setLayout.retain();
        return new VulkanBindingSet(core, this, name, set, setLayout, allocation, values.resources(set), samplers);
    }

    private int bind(String binding, BoundResource resource) {
        if (!(resource instanceof BoundResource.Elements array)) {
            return bind(binding, 0, resource);
        }
        int set = -1;
        for (int i = 0; i < array.elements().size(); i++) {
            set = bind(binding, i, array.elements().get(i));
        }
        if (set < 0) {
            throw new IllegalArgumentException("an empty array is bound to '" + binding + "'; give it its elements");
        }
        return set;
    }

    private int bind(String binding, int index, BoundResource resource) {
        if (resource instanceof BoundResource.Elements) {
            throw new IllegalArgumentException(
                    "element " + index + " of '" + binding + "' is an array itself; give single resources");
        }
        if (resource instanceof BoundResource.SampledTexture texture) {
            return values.texture(
                    binding, index, texture.view(), texture.sampler(), VK13.VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
        }
        if (resource instanceof BoundResource.StorageTexture texture) {
            return values.storageTexture(binding, index, texture.view(), VK13.VK_IMAGE_LAYOUT_GENERAL);
        }
        BoundResource.BufferRange range = (BoundResource.BufferRange) resource;
        return values.buffer(binding, index, range.buffer(), range.offset(), range.bytes());
    }

    synchronized void free(VulkanBindingSet set) {
        set.allocation().free(pools, "binding set '" + set.name() + "'");
    }

    @Override
    public void close() {
        values.close();
        pools.close();
    }
}
