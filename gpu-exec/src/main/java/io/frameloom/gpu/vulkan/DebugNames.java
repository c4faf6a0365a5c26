package io.frameloom.gpu.vulkan;

import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDebugUtilsLabelEXT;
import org.lwjgl.vulkan.VkDebugUtilsObjectNameInfoEXT;
import org.lwjgl.vulkan.VkDevice;

/** Names of objects and labels of command ranges for debuggers; does nothing where the extension is not there. */
final class DebugNames {
    private final VkDevice device;
    private final boolean enabled;

    DebugNames(VkDevice device, boolean enabled) {
        this.device = device;
        this.enabled = enabled;
    }

    /**
     * Names an object. One that the driver cannot name works all the same, so that is no failure.
     *
     * @param type VkObjectType
     */
    void name(int type, long handle, String name) {
        if (!enabled) {
            return;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            EXTDebugUtils.vkSetDebugUtilsObjectNameEXT(
                    device,
                    VkDebugUtilsObjectNameInfoEXT.calloc(stack)
                            .sType$Default()
                            .objectType(type)
                            .objectHandle(handle)
                            .pObjectName(stack.UTF8(name)));
        }
    }

    void beginLabel(VkCommandBuffer commands, String label) {
        if (enabled) {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                EXTDebugUtils.vkCmdBeginDebugUtilsLabelEXT(
                        commands,
                        VkDebugUtilsLabelEXT.calloc(stack).sType$Default().pLabelName(stack.UTF8(label)));
            }
        }
    }

    void endLabel(VkCommandBuffer commands) {
        if (enabled) {
            EXTDebugUtils.vkCmdEndDebugUtilsLabelEXT(commands);
        }
    }
}
