package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.record.StructureRules;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import java.nio.IntBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTConditionalRendering;
import org.lwjgl.vulkan.KHRAccelerationStructure;
import org.lwjgl.vulkan.KHRRayTracingPipeline;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkImageCreateInfo;
import org.lwjgl.vulkan.VkImageFormatListCreateInfo;

/** Creation structures of images and buffers; the same for own and for placed memory. */
public final class ResourceInfos {
    private ResourceInfos() {}

    public static VkImageCreateInfo image(
            DeviceCore core, TextureDescription description, int[] families, MemoryStack stack) {
        VkImageCreateInfo info = VkImageCreateInfo.calloc(stack)
                .sType$Default()
                .flags(flags(core, description))
                .imageType(type(description))
                .format(description.format().vulkan())
                .mipLevels(description.mips())
                .arrayLayers(description.layers())
                .samples(description.samples())
                .tiling(VK13.VK_IMAGE_TILING_OPTIMAL)
                .usage(VulkanMasks.textureUsage(description.usage()))
                .initialLayout(VK13.VK_IMAGE_LAYOUT_UNDEFINED);
        info.extent().set(description.width(), description.height(), description.depth());
        if (!description.viewFormats().isEmpty()) {
            info.pNext(viewFormats(description, stack));
        }
        if (isShared(description.sharing(), families)) {
            info.sharingMode(VK13.VK_SHARING_MODE_CONCURRENT)
                    .queueFamilyIndexCount(families.length)
                    .pQueueFamilyIndices(stack.ints(families));
        }
        return info;
    }

    /** Returns whether to name the families; the sharing mode that is not set is the exclusive one. */
    private static boolean isShared(QueueSharing sharing, int[] families) {
        return sharing == QueueSharing.CONCURRENT && families.length > 1;
    }

    static int type(TextureDescription description) {
        return description.kind() == TextureKind.THREE_D ? VK13.VK_IMAGE_TYPE_3D : VK13.VK_IMAGE_TYPE_2D;
    }

    /** Returns the flags of an image; those of slices where the device has such images. */
    static int flags(DeviceCore core, TextureDescription description) {
        int slices = TextureSupport.hasSlices(core, description) ? VK13.VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT : 0;
        return slices | flags(description);
    }

    static int flags(TextureDescription description) {
        int cube = description.kind() == TextureKind.CUBE ? VK13.VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
        return cube | (description.viewFormats().isEmpty() ? 0 : VK13.VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT);
    }

    private static VkImageFormatListCreateInfo viewFormats(TextureDescription description, MemoryStack stack) {
        IntBuffer formats = stack.mallocInt(description.viewFormats().size() + 1);
        formats.put(description.format().vulkan());
        description.viewFormats().forEach(format -> formats.put(format.vulkan()));
        return VkImageFormatListCreateInfo.calloc(stack).sType$Default().pViewFormats(formats.flip());
    }

    /**
     * Of a buffer of a device. Where the device has these, storage has an address, builds read it, and it holds binding
     * tables.
     */
    static VkBufferCreateInfo buffer(DeviceCore core, BufferDescription description, MemoryStack stack) {
        VkBufferCreateInfo info = shared(core, description, stack);
        int usage = info.usage();
        if (hasAddress(core, description)) {
            usage |= VK13.VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
        }
        if (isForBuilds(core, description)) {
            usage |= KHRAccelerationStructure.VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;
        }
        if (core.capabilities().has(Capability.RAY_TRACING_PIPELINES)
                && description.usage().contains(BufferUsage.STORAGE)) {
            usage |= KHRRayTracingPipeline.VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR;
        }
        return info.usage(usage);
    }

    /** Of a buffer without an address, which no build reads. Where there are conditions, indirect arguments are some. */
    static VkBufferCreateInfo shared(DeviceCore core, BufferDescription description, MemoryStack stack) {
        VkBufferCreateInfo info = buffer(description, core.families(), stack);
        int usage = info.usage();
        if (core.capabilities().has(Capability.CONDITIONAL_RENDERING)
                && description.usage().contains(BufferUsage.INDIRECT)) {
            usage |= EXTConditionalRendering.VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT;
        }
        return info.usage(usage);
    }

    /** Returns whether builds of acceleration structures may read a buffer, or have it as scratch memory. */
    private static boolean isForBuilds(DeviceCore core, BufferDescription description) {
        return core.capabilities().has(Capability.ACCELERATION_STRUCTURES)
                && description.usage().contains(BufferUsage.STORAGE);
    }

    /**
     * Returns the alignment that a buffer needs beyond what its driver says: offsets stand for addresses in builds and
     * binding tables.
     */
    static long alignment(DeviceCore core, BufferDescription description) {
        DeviceLimits limits = core.capabilities().limits();
        return isForBuilds(core, description)
                ? Math.max(
                        Math.max(
                                StructureRules.SERIALIZED_ALIGNMENT,
                                limits.rayTracing().records().baseAlignment()),
                        limits.accelerationStructures().scratchAlignment())
                : 1;
    }

    static boolean hasAddress(DeviceCore core, BufferDescription description) {
        return core.capabilities().has(Capability.BUFFER_DEVICE_ADDRESS)
                && (description.usage().contains(BufferUsage.STORAGE)
                        || description.usage().contains(BufferUsage.ACCELERATION_STRUCTURE)
                        || (description.usage().contains(BufferUsage.INDIRECT)
                                && core.capabilities().has(Capability.RAY_TRACING_PIPELINES)));
    }

    public static VkBufferCreateInfo buffer(BufferDescription description, int[] families, MemoryStack stack) {
        VkBufferCreateInfo info = VkBufferCreateInfo.calloc(stack)
                .sType$Default()
                .size(description.bytes())
                .usage(VulkanMasks.bufferUsage(description.usage()));
        if (isShared(description.sharing(), families)) {
            info.sharingMode(VK13.VK_SHARING_MODE_CONCURRENT)
                    .queueFamilyIndexCount(families.length)
                    .pQueueFamilyIndices(stack.ints(families));
        }
        return info;
    }
}
