package io.frameloom.gpu.vulkan;

import static org.lwjgl.system.MemoryUtil.memPutAddress;

import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.ShaderBinding.Kind;
import io.frameloom.gpu.TextureView;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.Mentions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkDescriptorImageInfo;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/**
 * What is bound to the slots of a pipeline, checked by {@link BindingRules} as it is set. Five longs for each element of each slot: handle (0:
 * nothing bound), sampler or offset, bytes, layout, and the serial number of what the handle belongs to, without which
 * equal values need not mean equal things. One thread at a time; reused for one pipeline after another.
 */
final class BindingValues implements AutoCloseable {
    private static final int WIDTH = 5;
    private static final int INFO_BYTES = Math.max(VkDescriptorImageInfo.SIZEOF, VkDescriptorBufferInfo.SIZEOF);

    private final CommandScratch scratch = new CommandScratch();

    private final DeviceCore core;
    private long[] values = new long[WIDTH * 16];
    /** By element: what is bound, to see whether it is still open when it is used. */
    private @Nullable Resource[] resources = new @Nullable Resource[16];

    private @Nullable PipelineInterface pipeline;
    private @Nullable SamplerUses samplers;

    BindingValues(DeviceCore core) {
        this.core = core;
    }

    /**
     * Forgets everything and takes the slots of another pipeline, or of none.
     *
     * @param uses what keeps the samplers that are bound from here on
     */
    void reset(@Nullable PipelineInterface next, SamplerUses uses) {
        pipeline = next;
        samplers = uses;
        int elements = next == null ? 0 : next.elementStart(next.bindings().size());
        Arrays.fill(resources, null);
        if (elements > resources.length) {
            values = new long[elements * WIDTH * 2];
            resources = new @Nullable Resource[elements * 2];
        } else {
            Arrays.fill(values, 0, elements * WIDTH, 0);
        }
    }

    /** Binds a texture with its sampler; returns the set it belongs to. */
    int texture(String name, int index, TextureView view, Sampler sampler, int layout) {
        return putTexture(rules(name).texture(name, index, view, sampler), index, view, sampler, layout);
    }

    /** Binds a storage texture; returns the set it belongs to. */
    int storageTexture(String name, int index, TextureView view, int layout) {
        return putStorageTexture(rules(name).storageTexture(name, index, view), index, view, layout);
    }

    /** Binds a range of a buffer; returns the set it belongs to. */
    int buffer(String name, int index, Buffer buffer, long offset, long bytes) {
        return putBuffer(rules(name).buffer(name, index, buffer, offset, bytes), index, buffer, offset, bytes);
    }

    /** Binds what a binding set has, which was checked before. */
    void putSet(Map<String, BoundResource> resources) {
        resources.forEach((name, resource) -> {
            int slot = rules(name).slot(name);
            List<BoundResource> elements =
                    resource instanceof BoundResource.Elements array ? array.elements() : List.of(resource);
            for (int i = 0; i < elements.size(); i++) {
                put(slot, i, elements.get(i));
            }
        });
    }

    private void put(int slot, int index, BoundResource resource) {
        if (resource instanceof BoundResource.SampledTexture sampled) {
            int layout = VK13.VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
            putTexture(slot, index, sampled.view(), sampled.sampler(), layout);
        } else if (resource instanceof BoundResource.StorageTexture storage) {
            putStorageTexture(slot, index, storage.view(), VK13.VK_IMAGE_LAYOUT_GENERAL);
        } else if (resource instanceof BoundResource.BufferRange range) {
            putBuffer(slot, index, range.buffer(), range.offset(), range.bytes());
        }
    }

    private int putTexture(int slot, int index, TextureView view, Sampler sampler, int layout) {
        VulkanTexture.View ours = ((VulkanTexture.View) view).sampled();
        long handle = Objects.requireNonNull(samplers).use((SamplerCache.VulkanSampler) sampler);
        return put(slot, index, ours.texture(), ours.serial(), ours.handle(), handle, 0, layout);
    }

    private int putStorageTexture(int slot, int index, TextureView view, int layout) {
        VulkanTexture.View ours = (VulkanTexture.View) view;
        return put(slot, index, ours.texture(), ours.serial(), ours.handle(), 0, 0, layout);
    }

    private int putBuffer(int slot, int index, Buffer buffer, long offset, long bytes) {
        VulkanBuffer ours = (VulkanBuffer) buffer;
        return put(slot, index, ours, ours.serial(), ours.handle(), offset, bytes, 0);
    }

    private int put(
            int slot, int index, Resource resource, long serial, long handle, long second, long third, long fourth) {
        int element = current().elementStart(slot) + index;
        int at = element * WIDTH;
        resources[element] = resource;
        values[at] = handle;
        values[at + 1] = second;
        values[at + 2] = third;
        values[at + 3] = fourth;
        values[at + 4] = serial;
        return bindingOf(slot).set();
    }

    private BindingRules rules(String name) {
        if (pipeline == null) {
            throw new IllegalStateException("'" + name + "' is bound before any pipeline; bind the pipeline first");
        }
        return pipeline.rules();
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

    /** Returns the first element of a slot to which nothing is bound, or -1 if there is none. */
    private int firstMissing(int slot) {
        int start = current().elementStart(slot);
        for (int element = start; element < current().elementStart(slot + 1); element++) {
            if (values[element * WIDTH] == 0) {
                return element - start;
            }
        }
        return -1;
    }

    private boolean isAnyBound(int slot) {
        for (int element = current().elementStart(slot); element < current().elementStart(slot + 1); element++) {
            if (values[element * WIDTH] != 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the bindings of a set to which nothing is bound, described; empty if it is complete. */
    String missing(int set) {
        StringBuilder missing = new StringBuilder();
        for (int slot = current().setStart(set); slot < current().setStart(set + 1); slot++) {
            int element = firstMissing(slot);
            if (element >= 0) {
                missing.append(missing.length() == 0 ? "" : ", ").append(BindingRules.describe(bindingOf(slot)));
                if (bindingOf(slot).count() > 1) {
                    missing.append(" element ").append(element);
                }
            }
        }
        return missing.toString();
    }

    boolean isComplete(int set) {
        for (int slot = current().setStart(set); slot < current().setStart(set + 1); slot++) {
            if (firstMissing(slot) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns something bound to a set that was closed since, or null. */
    @Nullable
    Resource firstClosed(int set) {
        int end = current().elementStart(current().setStart(set + 1));
        for (int element = current().elementStart(current().setStart(set)); element < end; element++) {
            Resource resource = resources[element];
            if (resource != null && resource.isClosed()) {
                return resource;
            }
        }
        return null;
    }

    /** Notes what is bound to a complete set. */
    void mention(int set, Mentions mentions) {
        int end = current().elementStart(current().setStart(set + 1));
        for (int element = current().elementStart(current().setStart(set)); element < end; element++) {
            // No cast to the interface: one to a final class is a comparison.
            if (resources[element] instanceof VulkanBuffer buffer) {
                mentions.add(buffer);
            } else if (resources[element] instanceof VulkanTexture texture) {
                mentions.add(texture);
            }
        }
    }

    /** Returns what is bound to a complete set, each thing once. */
    List<Resource> resources(int set) {
        int from = current().elementStart(current().setStart(set));
        int to = current().elementStart(current().setStart(set + 1));
        return Arrays.stream(resources, from, to)
                .map(Objects::requireNonNull)
                .distinct()
                .toList();
    }

    /** Returns the first slot of a set to which something is bound, or -1. */
    int firstBound(int set) {
        for (int slot = current().setStart(set); slot < current().setStart(set + 1); slot++) {
            if (isAnyBound(slot)) {
                return slot;
            }
        }
        return -1;
    }

    /** Returns the number of words that a set's values take. */
    int words(int set) {
        return to(set) - from(set);
    }

    /** Returns whether the values of a set are those that {@link #copy} has copied. */
    boolean equalTo(int set, long[] copy) {
        int from = from(set);
        int words = words(set);
        return words <= copy.length && Arrays.equals(values, from, from + words, copy, 0, words);
    }

    /** Copies what is bound to a set. */
    void copy(int set, long[] target) {
        System.arraycopy(values, from(set), target, 0, words(set));
    }

    private int from(int set) {
        return current().elementStart(current().setStart(set)) * WIDTH;
    }

    private int to(int set) {
        return current().elementStart(current().setStart(set + 1)) * WIDTH;
    }

    /** Writes what is bound to a set into a descriptor set. Sets of frames have no names: a driver takes a lock to name one. */
    void write(int set, long descriptorSet) {
        int first = current().setStart(set);
        int count = current().setStart(set + 1) - first;
        int elements = words(set) / WIDTH;
        long write = scratch.zeroed(count * VkWriteDescriptorSet.SIZEOF + elements * INFO_BYTES);
        long writes = write;
        long info = write + (long) count * VkWriteDescriptorSet.SIZEOF;
        for (int slot = first; slot < first + count; slot++, write += VkWriteDescriptorSet.SIZEOF) {
            ShaderBinding binding = bindingOf(slot);
            boolean image = binding.kind() == Kind.SAMPLED_TEXTURE || binding.kind() == Kind.STORAGE_TEXTURE;
            VkWriteDescriptorSet.nsType(write, VK13.VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
            VkWriteDescriptorSet.ndstSet(write, descriptorSet);
            VkWriteDescriptorSet.ndstBinding(write, binding.binding());
            VkWriteDescriptorSet.ndescriptorCount(write, binding.count());
            VkWriteDescriptorSet.ndescriptorType(write, SetLayoutCache.type(binding.kind()));
            memPutAddress(write + (image ? VkWriteDescriptorSet.PIMAGEINFO : VkWriteDescriptorSet.PBUFFERINFO), info);
            for (int element = current().elementStart(slot); element < current().elementStart(slot + 1); element++) {
                info += image ? image(info, element * WIDTH) : buffer(info, element * WIDTH);
            }
        }
        VK13.nvkUpdateDescriptorSets(core.handle(), count, writes, 0, MemoryUtil.NULL);
    }

    private int image(long info, int at) {
        VkDescriptorImageInfo.nimageView(info, values[at]);
        VkDescriptorImageInfo.nsampler(info, values[at + 1]);
        VkDescriptorImageInfo.nimageLayout(info, (int) values[at + 3]);
        return VkDescriptorImageInfo.SIZEOF;
    }

    private int buffer(long info, int at) {
        VkDescriptorBufferInfo.nbuffer(info, values[at]);
        VkDescriptorBufferInfo.noffset(info, values[at + 1]);
        VkDescriptorBufferInfo.nrange(info, values[at + 2]);
        return VkDescriptorBufferInfo.SIZEOF;
    }

    @Override
    public void close() {
        scratch.close();
    }
}
