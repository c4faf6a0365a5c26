package io.frameloom.gpu.vulkan;

import static org.lwjgl.system.MemoryUtil.memPutAddress;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.ShaderBinding.Kind;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TextureView;
import io.frameloom.gpu.record.Mentions;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkDescriptorImageInfo;
import org.lwjgl.vulkan.VkWriteDescriptorSet;

/**
 * What is bound to the slots of a pipeline, checked as it is set. Five longs for each element of each slot: handle (0:
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
        int slot = slot(name, Kind.SAMPLED_TEXTURE);
        VulkanTexture.View ours = viewOf(name, view, TextureUsage.SAMPLED).sampled();
        if (!(sampler instanceof SamplerCache.VulkanSampler vulkan)
                || vulkan.cache().core() != core) {
            throw new IllegalArgumentException("the sampler bound to '" + name + "' is of another device");
        }
        requireElement(slot, index);
        long handle = Objects.requireNonNull(samplers).use(vulkan);
        return put(slot, index, ours.texture(), ours.serial(), ours.handle(), handle, 0, layout);
    }

    /** Binds a storage texture; returns the set it belongs to. */
    int storageTexture(String name, int index, TextureView view, int layout) {
        int slot = slot(name, Kind.STORAGE_TEXTURE);
        VulkanTexture.View ours = viewOf(name, view, TextureUsage.STORAGE);
        Format declared = bindingOf(slot).storageFormat();
        if (declared != null && declared != ours.format()) {
            throw new IllegalArgumentException("texture '" + view.texture().name() + "' bound to '" + name
                    + "' of pipeline '" + pipelineName() + "' is seen as " + ours.format() + ", the shader declares "
                    + declared + "; use a view or a texture of that format");
        }
        if (ours.range().mipCount() != 1) {
            throw new IllegalArgumentException("texture '" + view.texture().name() + "' bound to '" + name
                    + "' of pipeline '" + pipelineName() + "' as storage needs a view of one mip, got "
                    + ours.range());
        }
        return put(slot, index, ours.texture(), ours.serial(), ours.handle(), 0, 0, layout);
    }

    /** Binds a range of a buffer; returns the set it belongs to. */
    int buffer(String name, int index, Buffer buffer, long offset, long bytes) {
        int slot = slot(name);
        Kind kind = bindingOf(slot).kind();
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
        if (bytes < 1 || offset > ours.description().bytes() - bytes) {
            throw new IllegalArgumentException("range " + offset + "+" + bytes + " bound to '" + name
                    + "' is not within buffer '" + buffer.name() + "' of "
                    + ours.description().bytes() + " bytes");
        }
        long most = uniform
                ? core.capabilities().limits().memory().maxUniformRange()
                : core.capabilities().maxStorageRange();
        if (bytes > most) {
            throw new IllegalArgumentException("range " + offset + "+" + bytes + " of buffer '" + buffer.name()
                    + "' bound to '" + name + "' of pipeline '" + pipelineName() + "' is larger than the " + most
                    + " bytes that the device allows; bind a part of it");
        }
        return put(slot, index, ours, ours.serial(), ours.handle(), offset, bytes, 0);
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

    private int put(
            int slot, int index, Resource resource, long serial, long handle, long second, long third, long fourth) {
        requireElement(slot, index);
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

    private void requireElement(int slot, int index) {
        ShaderBinding binding = bindingOf(slot);
        if (index < 0 || index >= binding.count()) {
            throw new IllegalArgumentException("binding '" + binding.name() + "' of pipeline '" + pipelineName()
                    + "' has " + binding.count() + (binding.count() == 1 ? " element" : " elements")
                    + ", not one of number "
                    + index);
        }
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
                missing.append(missing.length() == 0 ? "" : ", ").append(PipelineInterface.describe(bindingOf(slot)));
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

    /** Writes what is bound to a set into a descriptor set. */
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
