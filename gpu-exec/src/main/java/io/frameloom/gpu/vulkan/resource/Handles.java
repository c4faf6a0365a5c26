package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.driver.DeviceCore;

/** From the neutral interfaces to the objects of one device, with refusals that name the list. */
public final class Handles {
    private Handles() {}

    public static VulkanTexture texture(DeviceCore core, String list, Texture texture) {
        if (!(texture instanceof VulkanTexture ours) || !ours.belongsTo(core)) {
            throw foreign(list, "texture", texture.name());
        }
        requireOpen(list, ours);
        return ours;
    }

    public static VulkanBuffer buffer(DeviceCore core, String list, Buffer buffer) {
        if (!(buffer instanceof VulkanBuffer ours) || !ours.belongsTo(core)) {
            throw foreign(list, "buffer", buffer.name());
        }
        requireOpen(list, ours);
        return ours;
    }

    public static VulkanTexture.View view(DeviceCore core, String list, TextureView view) {
        if (!(view instanceof VulkanTexture.View ours) || !ours.texture().belongsTo(core)) {
            throw foreign(list, "texture", view.texture().name());
        }
        requireOpen(list, ours.texture());
        return ours;
    }

    /** Returns a texture of the device, open, for use outside of command lists. */
    public static VulkanTexture texture(DeviceCore core, Texture texture) {
        if (!(texture instanceof VulkanTexture ours) || !ours.belongsTo(core)) {
            throw foreign("texture", texture.name());
        }
        requireOpen(ours);
        return ours;
    }

    /** Returns a buffer of the device, open, for use outside of command lists. */
    public static VulkanBuffer buffer(DeviceCore core, Buffer buffer) {
        if (!(buffer instanceof VulkanBuffer ours) || !ours.belongsTo(core)) {
            throw foreign("buffer", buffer.name());
        }
        requireOpen(ours);
        return ours;
    }

    /** Returns a view of the device, its texture open, for use outside of command lists. */
    public static VulkanTexture.View view(DeviceCore core, TextureView view) {
        if (!(view instanceof VulkanTexture.View ours) || !ours.texture().belongsTo(core)) {
            throw foreign("texture", view.texture().name());
        }
        requireOpen(ours.texture());
        return ours;
    }

    private static IllegalArgumentException foreign(String kind, String name) {
        return new IllegalArgumentException(kind + " '" + name + "' is of another device; ask that one");
    }

    private static void requireOpen(Resource resource) {
        if (resource.isClosed()) {
            throw new IllegalStateException("'" + resource.name() + "' is closed; use an open one");
        }
    }

    private static IllegalArgumentException foreign(String list, String kind, String name) {
        return new IllegalArgumentException(kind + " '" + name + "' used by command list '" + list
                + "' is of another device; create it on the device of the list");
    }

    private static void requireOpen(String list, Resource resource) {
        if (resource.isClosed()) {
            throw new IllegalStateException(
                    "'" + resource.name() + "' used by command list '" + list + "' is closed; use an open one");
        }
    }
}
