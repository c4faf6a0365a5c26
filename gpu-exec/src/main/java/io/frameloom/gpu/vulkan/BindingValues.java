package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.ShaderBinding.Kind;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TextureView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkDescriptorImageInfo;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/**
 * What is bound to the slots of a pipeline, checked as it is set. Four longs for each slot: handle (0: nothing bound),
 * sampler or offset, bytes, layout. One thread at a time; reused for one pipeline after another.
 */
final class BindingValues {
    private static final int WIDTH = 4;

    private final DeviceCore core;
    private long[] values = new long[WIDTH * 16];
    private @Nullable PipelineInterface pipeline;

    BindingValues(DeviceCore core) {
        this.core = core;
    }

    /** Forgets everything and takes the slots of another pipeline, or of none. */
    void reset(@Nullable PipelineInterface next) {
        pipeline = next;
        int size = next == null ? 0 : next.bindings().size() * WIDTH;
        if (size > values.length) {
            values = new long[size * 2];
        } else {
            Arrays.fill(values, 0, size, 0);
        }
    }

    /** Binds a texture with its sampler; returns the set it belongs to. */
    int texture(String name, TextureView view, Sampler sampler, int layout) {
        int slot = slot(name, Kind.SAMPLED_TEXTURE);
        VulkanTexture.View ours = viewOf(name, view, TextureUsage.SAMPLED).sampled();
        if (!(sampler instanceof SamplerCache.VulkanSampler vulkan)) {
            throw new IllegalArgumentException("the sampler bound to '" + name + "' is of another device");
        }
        return put(slot, ours.handle(), vulkan.handle(), 0, layout);
    }

    /** Binds a storage texture; returns the set it belongs to. */
    int storageTexture(String name, TextureView view, int layout) {
        int slot = slot(name, Kind.STORAGE_TEXTURE);
        return put(slot, viewOf(name, view, TextureUsage.STORAGE).handle(), 0, 0, layout);
    }

    /** Binds a range of a buffer; returns the set it belongs to. */
    int buffer(String name, Buffer buffer, long offset, long bytes) {
        Kind kind = bindingOf(slot(name)).kind();
        boolean uniform = kind == Kind.UNIFORM_BUFFER;
        if (!uniform && kind != Kind.STORAGE_BUFFER) {
            throw wrongKind(name, kind);
        }
        if (!(buffer instanceof VulkanBuffer ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException(
                    "buffer '" + buffer.name() + "' bound to '" + name + "' is of another device");
        }
        requireOpen(name, ours);
        BufferUsage usage = uniform ? BufferUsage.UNIFORM : BufferUsage.STORAGE;
        if (!ours.description().usage().contains(usage)) {
            throw new IllegalArgumentException("buffer '" + buffer.name() + "' bound to '" + name + "' of pipeline '"
                    + pipelineName() + "' was created without usage " + usage);
        }
        int alignment = uniform
                ? core.capabilities().uniformAlignment()
                : core.capabilities().storageAlignment();
        if (offset < 0 || offset % alignment != 0) {
            throw new IllegalArgumentException("offset " + offset + " of buffer '" + buffer.name() + "' bound to '"
                    + name + "' must be a multiple of " + alignment);
        }
        if (bytes < 1 || offset + bytes > ours.description().bytes()) {
            throw new IllegalArgumentException("range " + offset + "+" + bytes + " bound to '" + name
                    + "' is not within buffer '" + buffer.name() + "' of "
                    + ours.description().bytes() + " bytes");
        }
        return put(slot(name), ours.handle(), offset, bytes, 0);
    }

    private VulkanTexture.View viewOf(String name, TextureView view, TextureUsage usage) {
        if (!(view instanceof VulkanTexture.View ours) || !ours.texture().belongsTo(core)) {
            throw new IllegalArgumentException(
                    "texture '" + view.texture().name() + "' bound to '" + name + "' is of another device");
        }
        requireOpen(name, ours.texture());
        if (!ours.texture().description().usage().contains(usage)) {
            throw new IllegalArgumentException("texture '" + view.texture().name() + "' bound to '" + name
                    + "' of pipeline '" + pipelineName() + "' was created without usage " + usage);
        }
        return ours;
    }

    private void requireOpen(String name, Resource resource) {
        if (resource.isClosed()) {
            throw new IllegalStateException(
                    "'" + resource.name() + "' bound to '" + name + "' of pipeline '" + pipelineName() + "' is closed");
        }
    }

    private int put(int slot, long handle, long second, long third, long fourth) {
        int at = slot * WIDTH;
        values[at] = handle;
        values[at + 1] = second;
        values[at + 2] = third;
        values[at + 3] = fourth;
        return bindingOf(slot).set();
    }

    private int slot(String name, Kind given) {
        int slot = slot(name);
        Kind kind = bindingOf(slot).kind();
        if (kind != given) {
            throw wrongKind(name, kind);
        }
        return slot;
    }

    private int slot(String name) {
        if (pipeline == null) {
            throw new IllegalStateException("'" + name + "' is bound before any pipeline; bind the pipeline first");
        }
        Integer slot = pipeline.slot(name);
        if (slot == null) {
            StringBuilder known = new StringBuilder();
            pipeline.bindings()
                    .forEach(binding -> known.append(known.length() == 0 ? "" : ", ")
                            .append(binding.name())
                            .append(" (")
                            .append(binding.kind())
                            .append(')'));
            throw new IllegalArgumentException("pipeline '" + pipeline.pipeline() + "' has no binding '" + name
                    + "'; it has " + (known.length() == 0 ? "none" : known));
        }
        return slot;
    }

    private IllegalArgumentException wrongKind(String name, Kind kind) {
        String way = switch (kind) {
            case SAMPLED_TEXTURE -> "a texture with a sampler";
            case STORAGE_TEXTURE -> "a storage texture";
            case UNIFORM_BUFFER, STORAGE_BUFFER -> "a buffer range";
        };
        return new IllegalArgumentException(
                "binding '" + name + "' of pipeline '" + pipelineName() + "' is a " + kind + "; bind " + way);
    }

    private ShaderBinding bindingOf(int slot) {
        return current().bindings().get(slot);
    }

    private PipelineInterface current() {
        if (pipeline == null) {
            throw new IllegalStateException("no pipeline is bound");
        }
        return pipeline;
    }

    private String pipelineName() {
        return pipeline == null ? "" : pipeline.pipeline();
    }

    /** Returns whether something is bound to a slot. */
    boolean isBound(int slot) {
        return values[slot * WIDTH] != 0;
    }

    /** Returns the bindings of a set to which nothing is bound, described; empty if it is complete. */
    String missing(int set) {
        StringBuilder missing = new StringBuilder();
        for (int slot = current().setStart(set); slot < current().setStart(set + 1); slot++) {
            if (!isBound(slot)) {
                missing.append(missing.length() == 0 ? "" : ", ").append(PipelineInterface.describe(bindingOf(slot)));
            }
        }
        return missing.toString();
    }

    boolean isComplete(int set) {
        for (int slot = current().setStart(set); slot < current().setStart(set + 1); slot++) {
            if (!isBound(slot)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the first slot of a set to which something is bound, or -1. */
    int firstBound(int set) {
        for (int slot = current().setStart(set); slot < current().setStart(set + 1); slot++) {
            if (isBound(slot)) {
                return slot;
            }
        }
        return -1;
    }

    /** Returns whether {@link #copyOf} has given this before for the set. */
    boolean equalTo(int set, long[] copy) {
        int from = current().setStart(set) * WIDTH;
        int to = current().setStart(set + 1) * WIDTH;
        return Arrays.equals(values, from, to, copy, 0, copy.length);
    }

    /** Returns a copy of what is bound to a set. */
    long[] copyOf(int set) {
        return Arrays.copyOfRange(
                values, current().setStart(set) * WIDTH, current().setStart(set + 1) * WIDTH);
    }

    /** Writes what is bound to a set into a descriptor set. */
    void write(int set, long descriptorSet) {
        int first = current().setStart(set);
        int count = current().setStart(set + 1) - first;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkWriteDescriptorSet.Buffer writes = VkWriteDescriptorSet.calloc(count, stack);
            for (int i = 0; i < count; i++) {
                ShaderBinding binding = bindingOf(first + i);
                int at = (first + i) * WIDTH;
                VkWriteDescriptorSet write = writes.get(i)
                        .sType$Default()
                        .dstSet(descriptorSet)
                        .dstBinding(binding.binding())
                        .descriptorCount(1)
                        .descriptorType(SetLayoutCache.type(binding.kind()));
                switch (binding.kind()) {
                    case SAMPLED_TEXTURE, STORAGE_TEXTURE ->
                        write.pImageInfo(VkDescriptorImageInfo.calloc(1, stack)
                                .imageView(values[at])
                                .sampler(values[at + 1])
                                .imageLayout((int) values[at + 3]));
                    case UNIFORM_BUFFER, STORAGE_BUFFER ->
                        write.pBufferInfo(VkDescriptorBufferInfo.calloc(1, stack)
                                .buffer(values[at])
                                .offset(values[at + 1])
                                .range(values[at + 2]));
                }
            }
            VK13.vkUpdateDescriptorSets(core.handle(), writes, null);
        }
    }
}
