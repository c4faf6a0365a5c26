package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.resource.TextureDescription;
import java.util.Objects;

/**
 * A texture that another device or process shall use ({@link VulkanDevice#share}).
 *
 * @param description its shape. How texels lie in memory is the driver's alone (optimal tiling), so the other side has
 *     the same shape
 */
public record SharedTexture(SharedMemory memory, TextureDescription description) {
    public SharedTexture {
        Objects.requireNonNull(memory, "memory must not be null");
        Objects.requireNonNull(description, "description must not be null");
    }
}
