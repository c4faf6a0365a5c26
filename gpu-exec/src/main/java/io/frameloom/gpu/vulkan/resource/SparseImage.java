package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.device.ResidentLevels;
import io.frameloom.gpu.record.ResourceLimits;
import io.frameloom.gpu.resource.SparseLevels;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.Vulkan13;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDeviceImageMemoryRequirements;
import org.lwjgl.vulkan.VkExtent3D;
import org.lwjgl.vulkan.VkImageCreateInfo;
import org.lwjgl.vulkan.VkMemoryRequirements;
import org.lwjgl.vulkan.VkMemoryRequirements2;
import org.lwjgl.vulkan.VkSparseImageMemoryBind;
import org.lwjgl.vulkan.VkSparseImageMemoryRequirements;
import org.lwjgl.vulkan.VkSparseMemoryBind;

/** The pages of a sparse image, and which levels have some. Any thread. */
public final class SparseImage implements ResidentLevels.Pages<Long> {
    private static final int FLAGS =
            VK13.VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK13.VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;

    private final MemoryAllocator memory;
    private final String name;
    private final TextureDescription description;
    private final ResidentLevels<Long> levels;
    private final long addressBytes;
    private final long alignment;
    private final int memoryTypes;
    /** The first level of the tail, which has memory in one piece; the number of levels for none. */
    private final int tail;

    private final long tailOffset;

    private SparseImage(
            MemoryAllocator memory,
            String name,
            TextureDescription description,
            VkMemoryRequirements needs,
            VkSparseImageMemoryRequirements pages) {
        this.memory = memory;
        this.name = name;
        this.description = description;
        this.addressBytes = needs.size();
        this.alignment = needs.alignment();
        this.memoryTypes = needs.memoryTypeBits();
        this.tail = tail(description, pages);
        this.tailOffset = pages.imageMipTailOffset();
        this.levels = new ResidentLevels<>(levels(description, needs, pages), this);
    }

    /** Creates a sparse texture, of which no level has memory. */
    public static VulkanTexture create(
            DeviceCore core, MemoryAllocator memory, String name, TextureDescription description) {
        ResourceLimits.sparse(name, description, core.capabilities());
        TextureSupport.requireSparse(core, name, description, FLAGS);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkImageCreateInfo info = ResourceInfos.image(core, description, core.families(), stack);
            info.flags(info.flags() | FLAGS);
            VkMemoryRequirements needs = needs(core, info, stack);
            memory.takeAddresses(name, needs.size());
            var image = stack.longs(VK13.VK_NULL_HANDLE);
            try {
                core.check(
                        VK13.vkCreateImage(core.handle(), info, null, image), "create sparse texture '" + name + "'");
                SparseImage sparse = of(core, memory, name, description, image.get(0), needs, stack);
                return new VulkanTexture(core, memory, name, description, image.get(0), sparse);
            } catch (RuntimeException | Error e) {
                VK13.vkDestroyImage(core.handle(), image.get(0), null);
                memory.freeAddresses(needs.size());
                throw e;
            }
        }
    }

    /** Returns what an image takes that is not there yet. */
    private static VkMemoryRequirements needs(DeviceCore core, VkImageCreateInfo info, MemoryStack stack) {
        VkMemoryRequirements2 needs = VkMemoryRequirements2.calloc(stack).sType$Default();
        Vulkan13.requirements(
                core.handle(),
                VkDeviceImageMemoryRequirements.calloc(stack).sType$Default().pCreateInfo(info),
                needs);
        return needs.memoryRequirements();
    }

    private static SparseImage of(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            TextureDescription description,
            long image,
            VkMemoryRequirements needs,
            MemoryStack stack) {
        var count = stack.mallocInt(1);
        VK13.vkGetImageSparseMemoryRequirements(core.handle(), image, count, null);
        var aspects = VkSparseImageMemoryRequirements.calloc(count.get(0), stack);
        VK13.vkGetImageSparseMemoryRequirements(core.handle(), image, count, aspects);
        if (count.get(0) != 1 || aspects.get(0).formatProperties().aspectMask() != VK13.VK_IMAGE_ASPECT_COLOR_BIT) {
            throw new IllegalArgumentException("sparse texture '" + name + "' (" + description.format()
                    + ") is not supported by " + core.capabilities().name()
                    + ": it takes memory for more than its texels; take another format or usage");
        }
        return new SparseImage(memory, name, description, needs, aspects.get(0));
    }

    /** Returns the first level of the tail, or the number of levels; the driver's number may be any larger one. */
    private static int tail(TextureDescription description, VkSparseImageMemoryRequirements pages) {
        int first = pages.imageMipTailFirstLod();
        return Integer.compareUnsigned(first, description.mips()) < 0 ? first : description.mips();
    }

    private static SparseLevels levels(
            TextureDescription description, VkMemoryRequirements needs, VkSparseImageMemoryRequirements pages) {
        VkExtent3D page = pages.formatProperties().imageGranularity();
        List<Long> bytes = new ArrayList<>();
        int whole = tail(description, pages);
        for (int level = 0; level < whole; level++) {
            int columns = (description.width(level) + page.width() - 1) / page.width();
            int rows = (description.height(level) + page.height() - 1) / page.height();
            bytes.add(needs.alignment() * columns * rows);
        }
        if (whole < description.mips()) {
            bytes.add(pages.imageMipTailSize());
        }
        return new SparseLevels(bytes);
    }

    /** Returns which levels have memory. */
    public ResidentLevels<Long> levels() {
        return levels;
    }

    @Override
    public Long allocate(int level) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkMemoryRequirements needs = VkMemoryRequirements.calloc(stack)
                    .size(levels.levels().bytes().get(level))
                    .alignment(alignment)
                    .memoryTypeBits(memoryTypes);
            return memory.allocatePages(name, level, needs);
        }
    }

    @Override
    public void free(Long allocation) {
        memory.freeMemory(allocation);
    }

    /** Takes all memory and the addresses back, when the image is gone. */
    void free() {
        levels.free();
        memory.freeAddresses(addressBytes);
    }

    /** Returns whether a level is the tail, which is bound by {@link #fill(VkSparseMemoryBind, Long)}. */
    public boolean isTail(int level) {
        return level == tail;
    }

    /** Describes what a level other than the tail gets, or that it loses its memory. */
    public void fill(VkSparseImageMemoryBind bind, int level, @Nullable Long allocation) {
        bind.subresource().aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT).mipLevel(level);
        bind.extent().set(description.width(level), description.height(level), 1);
        if (allocation != null) {
            long[] place = memory.place(allocation);
            bind.memory(place[0]).memoryOffset(place[1]);
        }
    }

    /** Describes what the tail gets, or that it loses its memory. */
    public void fill(VkSparseMemoryBind bind, @Nullable Long allocation) {
        bind.resourceOffset(tailOffset).size(levels.levels().bytes().get(tail));
        if (allocation != null) {
            long[] place = memory.place(allocation);
            bind.memory(place[0]).memoryOffset(place[1]);
        }
    }
}
