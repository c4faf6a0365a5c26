package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureViewKind;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanFormats;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import java.util.EnumSet;
import java.util.Set;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkImageViewCreateInfo;
import org.lwjgl.vulkan.VkImageViewUsageCreateInfo;

/** Creates image views; the caller is in the gate of the device. Stateless. */
final class ImageViews {
    private ImageViews() {}

    static long create(DeviceCore core, VulkanTexture texture, VulkanTexture.ViewKey key) {
        SubresourceRange range = key.range();
        TextureDescription description = texture.description();
        requireSupport(core, texture, key);
        String name = texture.name();
        return core.create(VK13.VK_OBJECT_TYPE_IMAGE_VIEW, name, "a view of texture '" + name + "'", (stack, out) -> {
            VkImageViewCreateInfo info = VkImageViewCreateInfo.calloc(stack)
                    .sType$Default()
                    .image(texture.handle())
                    .viewType(VulkanFormats.viewType(key.kind()))
                    .format(key.format().vulkan());
            Set<TextureUsage> usage = usage(core, description, key);
            if (!usage.equals(description.usage())) {
                info.pNext(VkImageViewUsageCreateInfo.calloc(stack)
                        .sType$Default()
                        .usage(VulkanMasks.textureUsage(usage)));
            }
            ComponentMapping components = key.components();
            info.components()
                    .set(
                            VulkanFormats.swizzle(components.red()),
                            VulkanFormats.swizzle(components.green()),
                            VulkanFormats.swizzle(components.blue()),
                            VulkanFormats.swizzle(components.alpha()));
            info.subresourceRange()
                    .aspectMask(VulkanFormats.aspects(description.format(), range))
                    .baseMipLevel(range.baseMip())
                    .levelCount(range.mipCount())
                    .baseArrayLayer(range.baseLayer())
                    .layerCount(range.layerCount());
            return VK13.vkCreateImageView(core.handle(), info, null, out);
        });
    }

    private static void requireSupport(DeviceCore core, VulkanTexture texture, VulkanTexture.ViewKey key) {
        if (key.kind() == TextureViewKind.CUBE_ARRAY
                && !core.features().all().features().imageCubeArray()) {
            throw new IllegalArgumentException("device '" + core.capabilities().name()
                    + "' has no cube arrays; see texture '" + texture.name() + "' as CUBE or TWO_D_ARRAY");
        }
        // An imported image is as its owner made it.
        if (key.kind().isOfSlices(texture.description())
                && texture.imported() == null
                && !TextureSupport.hasSlices(core, texture.description())) {
            throw new IllegalArgumentException("device '" + core.capabilities().name()
                    + "' cannot render to slices of texture '" + texture.name() + "' ("
                    + texture.description().format() + ", "
                    + texture.description().usage()
                    + "); render to layers of another texture and copy them");
        }
    }

    /** Returns the usages that a view is for: slices are attachments, what has a component mapping is
     * sampled, and another format need not do all, such as storage. */
    private static Set<TextureUsage> usage(DeviceCore core, TextureDescription description, VulkanTexture.ViewKey key) {
        Set<TextureUsage> usage = EnumSet.copyOf(description.usage());
        if (key.format() != description.format()) {
            FormatSupport support = core.support(key.format());
            usage.removeIf(one -> !support.supports(one));
        }
        if (key.kind().isOfSlices(description)) {
            usage.retainAll(EnumSet.of(TextureUsage.COLOR_ATTACHMENT));
        }
        if (!key.components().isIdentity()) {
            usage.retainAll(EnumSet.of(TextureUsage.SAMPLED));
        }
        return usage;
    }
}
