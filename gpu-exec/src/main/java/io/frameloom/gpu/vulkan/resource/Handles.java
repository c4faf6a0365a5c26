package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.driver.DeviceCore;

/** From a view to that of one device, with refusals that name the list. */
public final class Handles {
    private Handles() {}

    public static VulkanTexture.View view(DeviceCore core, String list, TextureView view) {
        if (!(view instanceof VulkanTexture.View ours) || !ours.texture().belongsTo(core)) {
            throw new IllegalArgumentException("texture '" + view.texture().name() + "' used by command list '" + list
                    + "' is of another device; create it on the device of the list");
        }
        if (ours.texture().isClosed()) {
            throw new IllegalStateException(
                    "'" + ours.texture().name() + "' used by command list '" + list + "' is closed; use an open one");
        }
        return ours;
    }
}
