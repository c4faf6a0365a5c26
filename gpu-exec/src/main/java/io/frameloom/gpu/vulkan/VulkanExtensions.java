package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.vulkan.driver.RawExtensions;
import java.util.Objects;
import java.util.Set;
import org.lwjgl.system.Struct;

/**
 * Extensions of a Vulkan device for which {@link io.frameloom.gpu.Capability} has no name, and features to turn on, for
 * {@link VulkanDevices#open(String, io.frameloom.gpu.DeviceOptions, VulkanExtensions)}. Immutable.
 *
 * <p>Frameloom knows nothing of what they are for. Use them through {@link VulkanDevice#handles}.
 *
 * <pre>{@code
 * try (var image = VkPhysicalDeviceImage2DViewOf3DFeaturesEXT.calloc().sType$Default().image2DViewOf3D(true)) {
 *     device = VulkanDevices.open(
 *             "", options, VulkanExtensions.of("VK_EXT_image_2d_view_of_3d").withFeatures(image));
 * }
 * }</pre>
 */
public final class VulkanExtensions {
    private final RawExtensions raw;

    private VulkanExtensions(RawExtensions raw) {
        this.raw = raw;
    }

    /**
     * Device extensions to turn on; none for features alone.
     *
     * @throws IllegalArgumentException naming what is no name of an extension
     */
    public static VulkanExtensions of(String... names) {
        Objects.requireNonNull(names, "names must not be null");
        for (String name : names) {
            Objects.requireNonNull(name, "a name must not be null");
        }
        return new VulkanExtensions(RawExtensions.of(Set.of(names)));
    }

    /**
     * As these, with the features that are set in structures such as {@code VkPhysicalDevice...Features}. Structures are
     * copied now, all bytes of them: make them by {@code calloc}. {@code pNext} must be null: give each by itself. What
     * they set is added to what Frameloom and capabilities turn on.
     *
     * @throws IllegalArgumentException naming a structure that has no features, is given twice, or has a successor
     */
    public VulkanExtensions withFeatures(Struct<?>... structures) {
        Objects.requireNonNull(structures, "structures must not be null");
        RawExtensions more = raw;
        for (Struct<?> structure : structures) {
            more = more.with(Objects.requireNonNull(structure, "a structure must not be null"));
        }
        return new VulkanExtensions(more);
    }

    RawExtensions raw() {
        return raw;
    }
}
