package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderBinding.Kind;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.Mentions;
import io.frameloom.gpu.record.PairRules;
import io.frameloom.gpu.record.PassLayouts;
import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.record.SlotHandle;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import io.frameloom.gpu.vulkan.resource.SamplerCache;
import io.frameloom.gpu.vulkan.resource.SamplerCache.Live;
import io.frameloom.gpu.vulkan.resource.VulkanAccelerationStructure;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.KHRPushDescriptor;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkDescriptorImageInfo;

/**
 * The resources bound to the slots of a pipeline, which {@link BindingRules} has checked. Five longs for each
 * element of each slot: handle (0: nothing bound), sampler or offset, bytes or traits, layout, and the serial number of
 * the handle's object, without which equal values could mean different objects. One thread at a time; reused for one
 * pipeline after another.
 */
public final class BindingValues implements AutoCloseable {
    static final int WIDTH = 5;
    /** Where the layout is among them. */
    static final int LAYOUT = 3;
    /** Where the traits of a sampler alone are among them. */
    private static final int TRAITS = 2;
    /** In place of a layout: the layout of the texture in the pass does not allow the binding. */
    private static final int NO_LAYOUT = -1;

    /** Odd, with bits all over: the golden ratio. */
    private static final long HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private final DeviceCore core;
    private final CommandScratch scratch = new CommandScratch();
    private long[] values = new long[WIDTH * 16];
    /** By element: the bound object, to check at its use that it is still open. */
    private @Nullable Resource[] resources = new @Nullable Resource[16];

    /** By element: the view of a texture, for its layout. */
    private VulkanTexture.@Nullable View[] views = new VulkanTexture.@Nullable View[16];

    /** By element: the sampler, to keep it as long as a set names it. */
    private @Nullable Live[] lives = new @Nullable Live[16];

    /** By set: elements to which nothing is bound. */
    private final int[] unbound = new int[DescriptorBinder.MAX_SETS];

    /** Bit mask of the sets that may have a texture in no layout. */
    private int refused;

    private @Nullable PipelineInterface pipeline;
    private @Nullable SamplerUses samplers;

    public BindingValues(DeviceCore core) {
        this.core = core;
    }

    /**
     * Forgets everything and takes the slots of another pipeline, or of none.
     *
     * @param uses keeps the samplers that are bound from here on
     */
    public void reset(@Nullable PipelineInterface next, SamplerUses uses) {
        int filled = pipeline == null ? 0 : pipeline.elements();
        int elements = next == null ? 0 : next.elements();
        pipeline = next;
        samplers = uses;
        refused = 0;
        Arrays.fill(resources, 0, filled, null);
        Arrays.fill(views, 0, filled, null);
        Arrays.fill(lives, 0, filled, null);
        if (elements > resources.length) {
            values = new long[elements * WIDTH * 2];
            resources = new @Nullable Resource[elements * 2];
            views = new VulkanTexture.@Nullable View[elements * 2];
            lives = new @Nullable Live[elements * 2];
        } else {
            Arrays.fill(values, 0, filled * WIDTH, 0);
        }
        for (int set = 0; next != null && set < next.setCount(); set++) {
            unbound[set] = next.elements(set);
        }
    }

    /**
     * Binds a texture, with its sampler or without one. Shaders see its first plane alone, whose layout may differ from
     * that of the other.
     *
     * @return the bit of the set it belongs to, 0 if it was bound there before
     */
    public int texture(SlotHandle slot, TextureView view, @Nullable Sampler sampler, PassLayouts layouts) {
        VulkanTexture.View ours = ((VulkanTexture.View) view).sampled();
        return put(
                slot,
                ours,
                sampler == null ? 0 : handle(slot, sampler),
                layout(ours, slot.binding().kind(), layouts));
    }

    /** Forgets the input attachments; returns the bits of their sets. */
    int forgetAttachments() {
        int sets = 0;
        for (int slot = 0; slot < current().bindings().size(); slot++) {
            ShaderBinding binding = bindingOf(slot);
            if (binding.kind() == Kind.INPUT_ATTACHMENT) {
                forget(slot, binding.set());
                sets |= 1 << binding.set();
            }
        }
        return sets;
    }

    private void forget(int slot, int set) {
        for (int element = current().elementStart(slot); element < current().elementStart(slot + 1); element++) {
            int at = element * WIDTH;
            unbound[set] += values[at] == 0 ? 0 : 1;
            Arrays.fill(values, at, at + WIDTH, 0);
            resources[element] = null;
            views[element] = null;
        }
    }

    /** Binds a sampler alone; returns as {@link #texture}. */
    int sampler(SlotHandle slot, Sampler sampler) {
        // No serial number: its handle stays the same as long as the descriptor set that holds it.
        return put(slot, null, 0, handle(slot, sampler), 0, PairRules.traits(sampler), 0);
    }

    /** Binds a storage texture; returns as {@link #texture}. */
    int storageTexture(SlotHandle slot, TextureView view, PassLayouts layouts) {
        VulkanTexture.View ours = (VulkanTexture.View) view;
        return put(slot, ours, 0, layout(ours, Kind.STORAGE_TEXTURE, layouts));
    }

    /** Binds a range of a buffer; returns as {@link #texture}. */
    public int buffer(SlotHandle slot, VulkanBuffer buffer, long offset, long bytes) {
        return put(slot, buffer, buffer.serial(), buffer.handle(), offset, bytes, 0);
    }

    /** Binds an acceleration structure; returns as {@link #texture}. */
    int structure(SlotHandle slot, VulkanAccelerationStructure structure) {
        return put(slot, structure, structure.serial(), structure.structure(), 0, 0, 0);
    }

    /** Binds the resources of a binding set, which were checked before, in the layouts that are natural to it. */
    void putSet(Map<String, BoundResource> resources) {
        PassLayouts natural = new PassLayouts();
        resources.forEach((name, resource) -> {
            List<BoundResource> elements =
                    resource instanceof BoundResource.Elements array ? array.elements() : List.of(resource);
            for (int i = 0; i < elements.size(); i++) {
                put(current().rules().handle(name, i), elements.get(i), natural);
            }
        });
    }

    private void put(SlotHandle slot, BoundResource resource, PassLayouts natural) {
        if (resource instanceof BoundResource.SampledTexture sampled) {
            texture(slot, sampled.view(), sampled.sampler(), natural);
        } else if (resource instanceof BoundResource.SampledImage image) {
            texture(slot, image.view(), null, natural);
        } else if (resource instanceof BoundResource.SeparateSampler separate) {
            sampler(slot, separate.sampler());
        } else if (resource instanceof BoundResource.StorageTexture storage) {
            storageTexture(slot, storage.view(), natural);
        } else if (resource instanceof BoundResource.BufferRange range) {
            buffer(slot, (VulkanBuffer) range.buffer(), range.offset(), range.bytes());
        } else if (resource instanceof BoundResource.Structure bound) {
            structure(slot, (VulkanAccelerationStructure) bound.structure());
        }
    }

    private int elementOf(SlotHandle slot) {
        return current().elementStart(slot.place()) + slot.index();
    }

    private long handle(SlotHandle slot, Sampler sampler) {
        Live live = Objects.requireNonNull(samplers).use((SamplerCache.VulkanSampler) sampler);
        lives[elementOf(slot)] = live;
        return live.handle();
    }

    private int put(SlotHandle slot, VulkanTexture.View view, long sampler, int layout) {
        views[elementOf(slot)] = view;
        refused |= layout == NO_LAYOUT ? 1 << slot.binding().set() : 0;
        return put(slot, view.texture(), view.serial(), view.handle(), sampler, 0, layout);
    }

    private static int layout(VulkanTexture.View view, Kind kind, PassLayouts layouts) {
        TextureLayout layout = switch (kind) {
            case STORAGE_TEXTURE -> layouts.storage(view.texture(), view.range());
            case INPUT_ATTACHMENT -> layouts.input(view.texture(), view.range());
            default -> layouts.sampled(view.texture(), view.range());
        };
        return layout == null ? NO_LAYOUT : VulkanMasks.layout(layout);
    }

    /** Returns whether only {@link #resolve} knows that a set can be used. */
    boolean isRefused(int set) {
        return (refused >> set & 1) != 0;
    }

    /**
     * Reads the layouts of a set's textures anew.
     *
     * @throws IllegalStateException if the layout of one in the pass does not allow its binding
     */
    void resolve(int set, PassLayouts layouts, String list, String command) {
        refused |= 1 << set;
        for (int slot = current().setStart(set); slot < current().setStart(set + 1); slot++) {
            Kind kind = bindingOf(slot).kind();
            for (int element = current().elementStart(slot); element < current().elementStart(slot + 1); element++) {
                VulkanTexture.View view = views[element];
                if (view != null) {
                    int layout = layout(view, kind, layouts);
                    values[element * WIDTH + LAYOUT] = layout;
                    if (layout == NO_LAYOUT) {
                        throw layouts.refusal(command, list, view.texture(), view.range(), kind);
                    }
                }
            }
        }
        refused &= ~(1 << set);
    }

    void take(int set, SetContents contents) {
        int first = current().elementOfSet(set);
        int count = current().elements(set);
        System.arraycopy(contents.words(), 0, values, from(set), words(set));
        System.arraycopy(contents.views(), 0, views, first, count);
        contents.copy(resources, lives, first);
    }

    SetContents contents(int set) {
        int first = current().elementOfSet(set);
        int end = current().elementOfSet(set + 1);
        long[] words = Arrays.copyOfRange(values, from(set), from(set) + words(set));
        VulkanTexture.@Nullable View[] textures = Arrays.copyOfRange(views, first, end);
        int[] traits = IntStream.range(current().setStart(set), current().setStart(set + 1))
                .map(this::traits)
                .toArray();
        @Nullable Resource[] bound = Arrays.copyOfRange(resources, first, end);
        return new SetContents(words, textures, bound, Arrays.copyOfRange(lives, first, end), traits);
    }

    /** Returns the traits of all elements of a slot, for {@link PairRules}. */
    int traits(int slot) {
        int all = 0;
        if (bindingOf(slot).texture() != null || bindingOf(slot).kind() == Kind.SAMPLER) {
            int first = current().elementStart(slot);
            for (int element = first; element < current().elementStart(slot + 1); element++) {
                all |= traits(current().rules().pairs(), values, views, element);
            }
        }
        return all;
    }

    int traits(int slot, int index) {
        return traits(current().rules().pairs(), values, views, current().elementStart(slot) + index);
    }

    /** Returns the traits of an element, which is a texture, a sampler or nothing. */
    static int traits(PairRules rules, long[] values, VulkanTexture.@Nullable View[] views, int element) {
        VulkanTexture.View view = views[element];
        return view == null ? (int) values[element * WIDTH + TRAITS] : rules.traits(view);
    }

    VulkanTexture.@Nullable View view(int element) {
        return views[element];
    }

    private int put(
            SlotHandle slot,
            @Nullable Resource resource,
            long serial,
            long handle,
            long second,
            long third,
            long fourth) {
        int element = elementOf(slot);
        int at = element * WIDTH;
        if (values[at + 4] == serial
                && values[at + 1] == second
                && values[at + 2] == third
                && values[at + LAYOUT] == fourth
                && values[at] == handle) {
            return 0;
        }
        int set = slot.binding().set();
        unbound[set] -= values[at] == 0 ? 1 : 0;
        resources[element] = resource;
        values[at] = handle;
        values[at + 1] = second;
        values[at + 2] = third;
        values[at + LAYOUT] = fourth;
        values[at + 4] = serial;
        return 1 << set;
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
    int firstMissing(int slot) {
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

    boolean isComplete(int set) {
        return unbound[set] == 0;
    }

    /** Returns what is bound to a set and was closed since, in words for a message, or null. */
    @Nullable
    String closedName(int set) {
        int end = current().elementOfSet(set + 1);
        for (int element = current().elementOfSet(set); element < end; element++) {
            Resource resource = resources[element];
            String gone = resource instanceof Perishable bound ? bound.closedName() : null;
            if (gone != null) {
                return gone;
            }
        }
        return null;
    }

    void report(int set, Mentions mentions) {
        for (int slot = current().setStart(set); slot < current().setStart(set + 1); slot++) {
            for (int element = current().elementStart(slot); element < current().elementStart(slot + 1); element++) {
                Resource resource = resources[element];
                if (resource != null) {
                    mentions.reportBound(resource, bindingOf(slot).written());
                }
            }
        }
    }

    /** Reports what shaders of this pipeline find in a set that was written before. */
    void report(int set, SetContents contents, Mentions mentions) {
        int element = 0;
        for (int slot = current().setStart(set); slot < current().setStart(set + 1); slot++) {
            for (int i = 0; i < bindingOf(slot).count(); i++) {
                Resource resource = contents.resource(element++);
                if (resource != null) {
                    mentions.reportBound(resource, bindingOf(slot).written());
                }
            }
        }
    }

    /** Returns the first slot of a set to which something is bound, or -1. */
    int firstBound(int set) {
        if (unbound[set] == current().elements(set)) {
            return -1;
        }
        for (int slot = current().setStart(set); slot < current().setStart(set + 1); slot++) {
            if (isAnyBound(slot)) {
                return slot;
            }
        }
        return -1;
    }

    private int words(int set) {
        return current().elements(set) * WIDTH;
    }

    /** Returns whether the values of a set are those that {@link #copy} has copied. */
    public boolean equalTo(int set, long[] copy) {
        int from = from(set);
        return Arrays.equals(values, from, from + words(set), copy, 0, words(set));
    }

    int hash(int set) {
        long hash = 0;
        int end = from(set) + words(set);
        for (int i = from(set); i < end; i++) {
            hash = hash * HASH_FACTOR + values[i];
        }
        // The place in a table comes from the lower bits, the mixing of which goes up.
        return (int) (hash ^ hash >>> 32);
    }

    /** Copies the values, resources and samplers of a set. */
    public void copy(int set, long[] words, @Nullable Resource[] bound, @Nullable Live[] samplersOf) {
        int first = current().elementOfSet(set);
        int count = current().elements(set);
        System.arraycopy(values, from(set), words, 0, words(set));
        System.arraycopy(resources, first, bound, 0, count);
        System.arraycopy(lives, first, samplersOf, 0, count);
    }

    private int from(int set) {
        return current().elementOfSet(set) * WIDTH;
    }

    /** Writes the values of a set into a descriptor set, by the template of its layout. */
    void write(int set, long descriptorSet) {
        long template = current().setLayout(set).template();
        VK13.vkUpdateDescriptorSetWithTemplate(core.handle(), descriptorSet, template, infos(set));
    }

    /** Writes the values of the pushed set into a command list, and mentions what they name. */
    void push(VkCommandBuffer commands, int set, Mentions mentions) {
        int end = current().elementOfSet(set + 1);
        for (int element = current().elementOfSet(set); element < end; element++) {
            if (resources[element] instanceof Perishable named) {
                mentions.name(named);
            }
        }
        KHRPushDescriptor.vkCmdPushDescriptorSetWithTemplateKHR(
                commands, current().pushTemplate(), current().layout(), set, infos(set));
    }

    /** Returns the address of the values as templates take them, until the next call. */
    private long infos(int set) {
        long infos = scratch.unset(current().elements(set) * SetLayout.INFO_BYTES);
        long info = infos;
        for (int slot = current().setStart(set); slot < current().setStart(set + 1); slot++) {
            Kind kind = bindingOf(slot).kind();
            for (int element = current().elementStart(slot); element < current().elementStart(slot + 1); element++) {
                int at = element * WIDTH;
                if (kind == Kind.ACCELERATION_STRUCTURE) {
                    MemoryUtil.memPutLong(info, values[at]);
                } else if (kind == Kind.SAMPLER) {
                    image(info, VK13.VK_NULL_HANDLE, values[at], VK13.VK_IMAGE_LAYOUT_UNDEFINED);
                } else if (views[element] != null) {
                    image(info, values[at], values[at + 1], (int) values[at + LAYOUT]);
                } else {
                    VkDescriptorBufferInfo.nbuffer(info, values[at]);
                    VkDescriptorBufferInfo.noffset(info, values[at + 1]);
                    VkDescriptorBufferInfo.nrange(info, values[at + 2]);
                }
                info += SetLayout.INFO_BYTES;
            }
        }
        return infos;
    }

    private static void image(long info, long view, long sampler, int layout) {
        VkDescriptorImageInfo.nimageView(info, view);
        VkDescriptorImageInfo.nsampler(info, sampler);
        VkDescriptorImageInfo.nimageLayout(info, layout);
    }

    @Override
    public void close() {
        scratch.close();
    }
}
