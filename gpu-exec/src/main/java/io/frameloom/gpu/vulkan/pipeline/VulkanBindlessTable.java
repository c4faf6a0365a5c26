package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.record.SlotsByKind;
import io.frameloom.gpu.record.TableRules;
import io.frameloom.gpu.record.TableSlot;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanObject;
import io.frameloom.gpu.vulkan.resource.SamplerCache;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkDescriptorImageInfo;
import org.lwjgl.vulkan.VkDescriptorPoolCreateInfo;
import org.lwjgl.vulkan.VkDescriptorPoolSize;
import org.lwjgl.vulkan.VkDescriptorSetAllocateInfo;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/**
 * A bindless table: one descriptor set that is updated after it was bound. A number is written again when the device has
 * finished with what it stood for, so no write meets a use.
 */
public final class VulkanBindlessTable extends VulkanObject implements BindlessTable {
    private final SetLayout layout;
    private final long pool;
    private final long set;
    private final SlotsByKind slots;
    /** By number: the samplers of open slots. With the lock of the slots. */
    private final Map<Integer, SamplerUses> samplers = new HashMap<>();

    VulkanBindlessTable(DeviceCore core, SetLayout layout, TableLayout sizes, String name) {
        super(core, name);
        this.layout = layout;
        this.slots = new SlotsByKind(name, sizes::capacity, false, core.closings());
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkDescriptorPoolSize.Buffer counts = VkDescriptorPoolSize.calloc(Kind.values().length, stack);
            for (Kind kind : Kind.values()) {
                counts.get(kind.ordinal()).type(TableLayout.type(kind)).descriptorCount(sizes.capacity(kind));
            }
            pool = core.create(
                    VK13.VK_OBJECT_TYPE_DESCRIPTOR_POOL,
                    name,
                    "the descriptor pool of bindless table '" + name + "'",
                    (nested, out) -> VK13.vkCreateDescriptorPool(
                            core.handle(),
                            VkDescriptorPoolCreateInfo.calloc(nested)
                                    .sType$Default()
                                    .flags(VK13.VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT)
                                    .maxSets(1)
                                    .pPoolSizes(counts),
                            null,
                            out));
            try {
                var out = stack.mallocLong(1);
                VkDescriptorSetAllocateInfo info = VkDescriptorSetAllocateInfo.calloc(stack)
                        .sType$Default()
                        .descriptorPool(pool)
                        .pSetLayouts(stack.longs(layout.handle()));
                core.check(
                        VK13.vkAllocateDescriptorSets(core.handle(), info, out),
                        "allocate the descriptor set of bindless table '" + name + "'");
                set = out.get(0);
                core.names().name(VK13.VK_OBJECT_TYPE_DESCRIPTOR_SET, set, name);
            } catch (RuntimeException | Error e) {
                VK13.vkDestroyDescriptorPool(core.handle(), pool, null);
                throw e;
            }
        }
    }

    long handle() {
        return set;
    }

    @Override
    public int capacity(Kind kind) {
        return slots.of(kind).capacity();
    }

    @Override
    public BindlessSlot sampledTexture(TextureView view) {
        TableRules.texture(this, core, view, Kind.SAMPLED_TEXTURE);
        VulkanTexture.View ours = ((VulkanTexture.View) view).sampled();
        return put(
                Kind.SAMPLED_TEXTURE,
                (VulkanTexture) view.texture(),
                (write, stack) -> write.pImageInfo(
                        image(stack, ours.handle(), 0, VK13.VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)));
    }

    @Override
    public BindlessSlot storageTexture(TextureView view) {
        TableRules.texture(this, core, view, Kind.STORAGE_TEXTURE);
        long handle = ((VulkanTexture.View) view).handle();
        return put(
                Kind.STORAGE_TEXTURE,
                (VulkanTexture) view.texture(),
                (write, stack) -> write.pImageInfo(image(stack, handle, 0, VK13.VK_IMAGE_LAYOUT_GENERAL)));
    }

    @Override
    public BindlessSlot sampler(Sampler sampler) {
        TableRules.sampler(this, core, sampler);
        return put(Kind.SAMPLER, null, (write, stack) -> {
            SamplerUses uses = new SamplerUses();
            long handle = uses.use((SamplerCache.VulkanSampler) sampler).handle();
            samplers.put(write.dstArrayElement(), uses);
            write.pImageInfo(image(stack, 0, handle, VK13.VK_IMAGE_LAYOUT_UNDEFINED));
        });
    }

    @Override
    public BindlessSlot storageBuffer(Buffer buffer, long offset, long bytes) {
        TableRules.buffer(this, core, buffer, offset, bytes);
        long handle = ((VulkanBuffer) buffer).handle();
        return put(
                Kind.STORAGE_BUFFER,
                (VulkanBuffer) buffer,
                (write, stack) -> write.pBufferInfo(VkDescriptorBufferInfo.calloc(1, stack)
                        .buffer(handle)
                        .offset(offset)
                        .range(bytes)));
    }

    private static VkDescriptorImageInfo.Buffer image(MemoryStack stack, long view, long sampler, int layout) {
        return VkDescriptorImageInfo.calloc(1, stack)
                .imageView(view)
                .sampler(sampler)
                .imageLayout(layout);
    }

    /** Gives a write the description of a resource. */
    @FunctionalInterface
    private interface Description {
        void describe(VkWriteDescriptorSet.Buffer write, MemoryStack stack);
    }

    private BindlessSlot put(Kind kind, @Nullable Perishable resource, Description description) {
        return core.gate().inside(() -> {
            core.retired().sweep();
            synchronized (slots) {
                requireOpen("filled");
                int index = slots.of(kind).take(resource);
                try (MemoryStack stack = MemoryStack.stackPush()) {
                    VkWriteDescriptorSet.Buffer write = VkWriteDescriptorSet.calloc(1, stack)
                            .sType$Default()
                            .dstSet(set)
                            .dstBinding(kind.ordinal())
                            .dstArrayElement(index)
                            .descriptorCount(1)
                            .descriptorType(TableLayout.type(kind));
                    description.describe(write, stack);
                    VK13.vkUpdateDescriptorSets(core.handle(), write, null);
                } catch (RuntimeException | Error failure) {
                    slots.of(kind).forget(index);
                    slots.of(kind).give(index);
                    throw failure;
                }
                return new Slot(kind, index);
            }
        });
    }

    private final class Slot extends TableSlot {
        Slot(Kind kind, int index) {
            super(VulkanBindlessTable.this, kind, index);
        }

        @Override
        protected void free(int number) {
            synchronized (slots) {
                slots.of(kind()).forget(number);
            }
            core.gate()
                    .closing(() -> core.retired().add(() -> {
                        synchronized (slots) {
                            SamplerUses uses = kind() == Kind.SAMPLER ? samplers.remove(number) : null;
                            if (uses != null) {
                                uses.release();
                            }
                            slots.of(kind()).give(number);
                        }
                    }));
        }
    }

    @Override
    public @Nullable Resource firstClosed() {
        return slots.firstClosed();
    }

    @Override
    protected void free() {
        VK13.vkDestroyDescriptorPool(core.handle(), pool, null);
        layout.release();
        synchronized (slots) {
            slots.clear();
            samplers.values().forEach(SamplerUses::release);
            samplers.clear();
        }
    }
}
