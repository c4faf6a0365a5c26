package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureView;

/** From the neutral interfaces to the objects of one device, with clear refusals. */
final class Handles {
    private Handles() {}

    static VulkanTexture texture(DeviceCore core, Texture texture) {
        if (!(texture instanceof VulkanTexture ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException("texture '" + texture.name() + "' is of another device");
        }
        requireOpen(ours);
        return ours;
    }

    static VulkanBuffer buffer(DeviceCore core, Buffer buffer) {
        if (!(buffer instanceof VulkanBuffer ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException("buffer '" + buffer.name() + "' is of another device");
        }
        requireOpen(ours);
        return ours;
    }

    static VulkanTexture.View view(DeviceCore core, TextureView view) {
        if (!(view instanceof VulkanTexture.View ours) || !ours.texture().belongsTo(core)) {
            throw new IllegalArgumentException("texture '" + view.texture().name() + "' is of another device");
        }
        requireOpen(ours.texture());
        return ours;
    }

    private static void requireOpen(Resource resource) {
        if (resource.isClosed()) {
            throw new IllegalStateException("'" + resource.name() + "' is closed");
        }
    }
}
