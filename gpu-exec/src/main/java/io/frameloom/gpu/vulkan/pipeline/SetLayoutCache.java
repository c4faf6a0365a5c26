package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.record.BindingSlot;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.KHRAccelerationStructure;
import org.lwjgl.vulkan.KHRPushDescriptor;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDescriptorSetLayoutBinding;
import org.lwjgl.vulkan.VkDescriptorSetLayoutCreateInfo;
import org.lwjgl.vulkan.VkDescriptorUpdateTemplateCreateInfo;
import org.lwjgl.vulkan.VkDescriptorUpdateTemplateEntry;

/**
 * The descriptor set layouts of a device that are in use, one for each definition. Every binding is visible to all
 * stages that Vulkan allows it in. So sets fit every pipeline whose shaders declare the same bindings, whichever stage
 * uses them. Any thread.
 */
public final class SetLayoutCache implements AutoCloseable {
    private final DeviceCore core;
    private final Map<Key, SetLayout> layouts = new HashMap<>();
    private @Nullable TableLayout tableSizes;
    /** It stays until the end, with a use of this cache. */
    private @Nullable SetLayout table;

    /** What a layout is made of; the bindings of a pushed one are written into command lists. */
    private record Key(List<BindingSlot> slots, boolean pushed) {}

    public SetLayoutCache(DeviceCore core) {
        this.core = core;
    }

    /**
     * Returns the layout of the bindings of one set, with one use more.
     *
     * @param pushed whether the bindings are written into command lists
     */
    public SetLayout acquire(List<ShaderBinding> bindings, boolean pushed) {
        Key key = new Key(bindings.stream().map(BindingSlot::of).toList(), pushed);
        synchronized (this) {
            SetLayout layout = layouts.get(key);
            if (layout == null) {
                layout = create(key);
                layouts.put(key, layout);
            }
            layout.retain();
            return layout;
        }
    }

    /** Returns the layout of bindless tables, with one use more. */
    synchronized SetLayout table() {
        SetLayout made = table;
        if (made == null) {
            made = new SetLayout(this, List.of(), false, tableSizes().create(core), VK13.VK_NULL_HANDLE);
            made.retain();
            table = made;
        }
        made.retain();
        return made;
    }

    synchronized TableLayout tableSizes() {
        TableLayout sizes = tableSizes;
        if (sizes == null) {
            sizes = new TableLayout(core);
            tableSizes = sizes;
        }
        return sizes;
    }

    /** Forgets an unused layout; with the lock. */
    void destroy(SetLayout layout) {
        layouts.remove(new Key(layout.slots(), layout.pushed()));
        destroyHandles(layout);
    }

    private void destroyHandles(SetLayout layout) {
        VK13.vkDestroyDescriptorUpdateTemplate(core.handle(), layout.template(), null);
        VK13.vkDestroyDescriptorSetLayout(core.handle(), layout.handle(), null);
    }

    synchronized int size() {
        return layouts.size();
    }

    private SetLayout create(Key key) {
        List<BindingSlot> slots = key.slots;
        long handle = createLayout(key);
        try {
            long template = slots.isEmpty() || key.pushed
                    ? VK13.VK_NULL_HANDLE
                    : template(
                            core,
                            slots,
                            info -> info.templateType(VK13.VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET)
                                    .descriptorSetLayout(handle));
            return new SetLayout(this, slots, key.pushed, handle, template);
        } catch (RuntimeException | Error e) {
            VK13.vkDestroyDescriptorSetLayout(core.handle(), handle, null);
            throw e;
        }
    }

    /**
     * Creates what writes all elements of a set, {@link SetLayout#INFO_BYTES} each.
     *
     * @param target sets where to
     */
    static long template(
            DeviceCore core, List<BindingSlot> slots, Consumer<VkDescriptorUpdateTemplateCreateInfo> target) {
        // On the heap: a shader may have more bindings than a thread's memory stack holds.
        try (VkDescriptorUpdateTemplateEntry.Buffer entries = VkDescriptorUpdateTemplateEntry.calloc(slots.size())) {
            long elements = 0;
            for (int i = 0; i < slots.size(); i++) {
                entries.get(i)
                        .dstBinding(slots.get(i).binding())
                        .descriptorType(type(slots.get(i).kind()))
                        .descriptorCount(slots.get(i).count())
                        .offset(elements * SetLayout.INFO_BYTES)
                        .stride(SetLayout.INFO_BYTES);
                elements += slots.get(i).count();
            }
            return core.create(
                    VK13.VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE,
                    "template of " + slots,
                    "a descriptor update template of " + slots,
                    (stack, out) -> {
                        VkDescriptorUpdateTemplateCreateInfo info = VkDescriptorUpdateTemplateCreateInfo.calloc(stack)
                                .sType$Default()
                                .pDescriptorUpdateEntries(entries);
                        target.accept(info);
                        return VK13.vkCreateDescriptorUpdateTemplate(core.handle(), info, null, out);
                    });
        }
    }

    private long createLayout(Key key) {
        List<BindingSlot> slots = key.slots;
        int flags = key.pushed ? KHRPushDescriptor.VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0;
        try (VkDescriptorSetLayoutBinding.Buffer bindings = VkDescriptorSetLayoutBinding.calloc(slots.size())) {
            for (int i = 0; i < slots.size(); i++) {
                bindings.get(i)
                        .binding(slots.get(i).binding())
                        .descriptorType(type(slots.get(i).kind()))
                        .descriptorCount(slots.get(i).count())
                        .stageFlags(
                                slots.get(i).kind() == ShaderBinding.Kind.INPUT_ATTACHMENT
                                        ? VK13.VK_SHADER_STAGE_FRAGMENT_BIT
                                        : VK13.VK_SHADER_STAGE_ALL);
            }
            return core.create(
                    VK13.VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT,
                    "layout of " + slots,
                    "a descriptor set layout of " + slots,
                    (stack, out) -> VK13.vkCreateDescriptorSetLayout(
                            core.handle(),
                            VkDescriptorSetLayoutCreateInfo.calloc(stack)
                                    .sType$Default()
                                    .flags(flags)
                                    .pBindings(bindings),
                            null,
                            out));
        }
    }

    static int type(ShaderBinding.Kind kind) {
        return switch (kind) {
            case SAMPLED_TEXTURE -> VK13.VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
            case SAMPLED_IMAGE -> VK13.VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
            case SAMPLER -> VK13.VK_DESCRIPTOR_TYPE_SAMPLER;
            case STORAGE_TEXTURE -> VK13.VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
            case UNIFORM_BUFFER -> VK13.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
            case STORAGE_BUFFER -> VK13.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
            case INPUT_ATTACHMENT -> VK13.VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
            case ACCELERATION_STRUCTURE -> KHRAccelerationStructure.VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
        };
    }

    @Override
    public synchronized void close() {
        SetLayout tables = table;
        if (tables != null) {
            destroyHandles(tables);
            table = null;
        }
        layouts.values().forEach(this::destroyHandles);
        layouts.clear();
    }
}
