package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.BindlessTable.Kind;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDescriptorSetLayoutBinding;
import org.lwjgl.vulkan.VkDescriptorSetLayoutBindingFlagsCreateInfo;
import org.lwjgl.vulkan.VkDescriptorSetLayoutCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Properties;

/**
 * The layout of bindless tables. A device has one, so that every table fits every pipeline that has one: what arrays of
 * tables have as length is part of the layout of a pipeline. Immutable.
 */
final class TableLayout {
    private static final int MOST_TEXTURES = 1 << 16;
    private static final int MOST_SAMPLERS = 1 << 10;
    private static final int MOST_STORAGE_TEXTURES = 1 << 14;
    private static final int MOST_BUFFERS = 1 << 16;

    private final Map<Kind, Integer> capacities = new EnumMap<>(Kind.class);

    TableLayout(DeviceCore core) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var v12 = VkPhysicalDeviceVulkan12Properties.calloc(stack).sType$Default();
            var all = VkPhysicalDeviceProperties2.calloc(stack).sType$Default().pNext(v12);
            VK13.vkGetPhysicalDeviceProperties2(core.adapter().handle(), all);
            capacities.put(
                    Kind.SAMPLED_TEXTURE,
                    least(
                            MOST_TEXTURES,
                            v12.maxPerStageDescriptorUpdateAfterBindSampledImages(),
                            v12.maxDescriptorSetUpdateAfterBindSampledImages()));
            capacities.put(
                    Kind.SAMPLER,
                    least(
                            MOST_SAMPLERS,
                            v12.maxPerStageDescriptorUpdateAfterBindSamplers(),
                            v12.maxDescriptorSetUpdateAfterBindSamplers()));
            capacities.put(
                    Kind.STORAGE_TEXTURE,
                    least(
                            MOST_STORAGE_TEXTURES,
                            v12.maxPerStageDescriptorUpdateAfterBindStorageImages(),
                            v12.maxDescriptorSetUpdateAfterBindStorageImages()));
            capacities.put(
                    Kind.STORAGE_BUFFER,
                    least(
                            MOST_BUFFERS,
                            v12.maxPerStageDescriptorUpdateAfterBindStorageBuffers(),
                            v12.maxDescriptorSetUpdateAfterBindStorageBuffers()));
        }
    }

    /** Half of what the device allows stays for what is bound beside the table. */
    private static int least(int wanted, int perStage, int perSet) {
        long allowed = Math.min(Integer.toUnsignedLong(perStage), Integer.toUnsignedLong(perSet)) / 2;
        return (int) Math.min(wanted, allowed);
    }

    int capacity(Kind kind) {
        return Objects.requireNonNull(capacities.get(kind));
    }

    static int type(Kind kind) {
        return switch (kind) {
            case SAMPLED_TEXTURE -> VK13.VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
            case SAMPLER -> VK13.VK_DESCRIPTOR_TYPE_SAMPLER;
            case STORAGE_TEXTURE -> VK13.VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
            case STORAGE_BUFFER -> VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        };
    }

    long create(DeviceCore core) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            Kind[] kinds = Kind.values();
            VkDescriptorSetLayoutBinding.Buffer bindings = VkDescriptorSetLayoutBinding.calloc(kinds.length, stack);
            var flags = stack.mallocInt(kinds.length);
            for (Kind kind : kinds) {
                bindings.get(kind.ordinal())
                        .binding(kind.ordinal())
                        .descriptorType(type(kind))
                        .descriptorCount(capacity(kind))
                        .stageFlags(VK13.VK_SHADER_STAGE_ALL);
                flags.put(
                        kind.ordinal(),
                        VK13.VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT
                                | VK13.VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT
                                | VK13.VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT);
            }
            return core.create(
                    VK13.VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT,
                    "layout of bindless tables",
                    "the descriptor set layout of bindless tables",
                    (nested, out) -> VK13.vkCreateDescriptorSetLayout(
                            core.handle(),
                            VkDescriptorSetLayoutCreateInfo.calloc(nested)
                                    .sType$Default()
                                    .flags(VK13.VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT)
                                    .pBindings(bindings)
                                    .pNext(VkDescriptorSetLayoutBindingFlagsCreateInfo.calloc(nested)
                                            .sType$Default()
                                            .bindingCount(kinds.length)
                                            .pBindingFlags(flags)),
                            null,
                            out));
        }
    }
}
