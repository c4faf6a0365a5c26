package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import io.frameloom.gpu.ShaderBinding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDescriptorSetLayoutBinding;
import org.lwjgl.vulkan.VkDescriptorSetLayoutCreateInfo;

/**
 * The descriptor set layouts of a device that are in use, one for each definition. Every binding is visible to all stages, so that sets
 * fit every pipeline whose shaders declare the same bindings, whichever stage uses them. Any thread.
 */
final class SetLayoutCache implements AutoCloseable {
    private final DeviceCore core;
    private final Map<List<SetLayout.Slot>, SetLayout> layouts = new HashMap<>();

    SetLayoutCache(DeviceCore core) {
        this.core = core;
    }

    /** Returns the layout of the bindings of one set, with one use more. */
    SetLayout acquire(List<ShaderBinding> bindings) {
        List<SetLayout.Slot> slots = bindings.stream().map(SetLayout.Slot::of).toList();
        synchronized (this) {
            SetLayout layout = layouts.get(slots);
            if (layout == null) {
                layout = new SetLayout(this, slots, create(slots));
                layouts.put(slots, layout);
            }
            layout.retain();
            return layout;
        }
    }

    /** Forgets a layout that nobody uses; with the lock. */
    void destroy(SetLayout layout) {
        layouts.remove(layout.slots());
        VK13.vkDestroyDescriptorSetLayout(core.handle(), layout.handle(), null);
    }

    /** Returns the number of layouts. */
    synchronized int size() {
        return layouts.size();
    }

    private long create(List<SetLayout.Slot> slots) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkDescriptorSetLayoutBinding.Buffer bindings = VkDescriptorSetLayoutBinding.calloc(slots.size(), stack);
            for (int i = 0; i < slots.size(); i++) {
                bindings.get(i)
                        .binding(slots.get(i).binding())
                        .descriptorType(type(slots.get(i).kind()))
                        .descriptorCount(slots.get(i).count())
                        .stageFlags(VK13.VK_SHADER_STAGE_ALL);
            }
            var out = stack.mallocLong(1);
            check(
                    VK13.vkCreateDescriptorSetLayout(
                            core.handle(),
                            VkDescriptorSetLayoutCreateInfo.calloc(stack)
                                    .sType$Default()
                                    .pBindings(bindings),
                            null,
                            out),
                    "create a descriptor set layout of " + slots);
            core.names().name(VK13.VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, out.get(0), "layout of " + slots);
            return out.get(0);
        }
    }

    static int type(ShaderBinding.Kind kind) {
        return switch (kind) {
            case SAMPLED_TEXTURE -> VK13.VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
            case STORAGE_TEXTURE -> VK13.VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
            case UNIFORM_BUFFER -> VK13.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
            case STORAGE_BUFFER -> VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        };
    }

    @Override
    public synchronized void close() {
        layouts.values().forEach(layout -> VK13.vkDestroyDescriptorSetLayout(core.handle(), layout.handle(), null));
        layouts.clear();
    }
}
