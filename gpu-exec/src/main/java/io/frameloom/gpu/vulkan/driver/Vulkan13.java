package io.frameloom.gpu.vulkan.driver;

import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTExtendedDynamicState;
import org.lwjgl.vulkan.KHRDynamicRendering;
import org.lwjgl.vulkan.KHRMaintenance4;
import org.lwjgl.vulkan.KHRSynchronization2;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceBufferMemoryRequirements;
import org.lwjgl.vulkan.VkDeviceImageMemoryRequirements;
import org.lwjgl.vulkan.VkMemoryRequirements2;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo2;

/**
 * The functions of Vulkan 1.3. A device of Vulkan 1.2 has them under the names of the extensions that they come from,
 * with the same structures. No other class calls them by either name.
 */
public final class Vulkan13 {
    private Vulkan13() {}

    /** A barrier of a VkDependencyInfo, by its address. */
    public static void pipelineBarrier(VkCommandBuffer commands, long dependency) {
        if (commands.getCapabilities().vkCmdPipelineBarrier2 != MemoryUtil.NULL) {
            VK13.nvkCmdPipelineBarrier2(commands, dependency);
        } else {
            KHRSynchronization2.nvkCmdPipelineBarrier2KHR(commands, dependency);
        }
    }

    /** Sets an event with a VkDependencyInfo, by its address. */
    public static void setEvent(VkCommandBuffer commands, long event, long dependency) {
        if (commands.getCapabilities().vkCmdSetEvent2 != MemoryUtil.NULL) {
            VK13.nvkCmdSetEvent2(commands, event, dependency);
        } else {
            KHRSynchronization2.nvkCmdSetEvent2KHR(commands, event, dependency);
        }
    }

    /** Waits for an event, by the addresses of its VkEvent and its VkDependencyInfo. */
    public static void waitEvent(VkCommandBuffer commands, long event, long dependency) {
        if (commands.getCapabilities().vkCmdWaitEvents2 != MemoryUtil.NULL) {
            VK13.nvkCmdWaitEvents2(commands, 1, event, dependency);
        } else {
            KHRSynchronization2.nvkCmdWaitEvents2KHR(commands, 1, event, dependency);
        }
    }

    /** Writes a timestamp when all earlier commands are done. */
    public static void writeTimestamp(VkCommandBuffer commands, long pool, int query) {
        if (commands.getCapabilities().vkCmdWriteTimestamp2 != MemoryUtil.NULL) {
            VK13.vkCmdWriteTimestamp2(commands, VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, query);
        } else {
            KHRSynchronization2.vkCmdWriteTimestamp2KHR(
                    commands, VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, query);
        }
    }

    /** Begins a render pass of a VkRenderingInfo, by its address. */
    public static void beginRendering(VkCommandBuffer commands, long info) {
        if (commands.getCapabilities().vkCmdBeginRendering != MemoryUtil.NULL) {
            VK13.nvkCmdBeginRendering(commands, info);
        } else {
            KHRDynamicRendering.nvkCmdBeginRenderingKHR(commands, info);
        }
    }

    public static void endRendering(VkCommandBuffer commands) {
        if (commands.getCapabilities().vkCmdEndRendering != MemoryUtil.NULL) {
            VK13.vkCmdEndRendering(commands);
        } else {
            KHRDynamicRendering.vkCmdEndRenderingKHR(commands);
        }
    }

    public static void setCullMode(VkCommandBuffer commands, int mode) {
        if (commands.getCapabilities().vkCmdSetCullMode != MemoryUtil.NULL) {
            VK13.vkCmdSetCullMode(commands, mode);
        } else {
            EXTExtendedDynamicState.vkCmdSetCullModeEXT(commands, mode);
        }
    }

    public static void setFrontFace(VkCommandBuffer commands, int face) {
        if (commands.getCapabilities().vkCmdSetFrontFace != MemoryUtil.NULL) {
            VK13.vkCmdSetFrontFace(commands, face);
        } else {
            EXTExtendedDynamicState.vkCmdSetFrontFaceEXT(commands, face);
        }
    }

    public static void setTopology(VkCommandBuffer commands, int topology) {
        if (commands.getCapabilities().vkCmdSetPrimitiveTopology != MemoryUtil.NULL) {
            VK13.vkCmdSetPrimitiveTopology(commands, topology);
        } else {
            EXTExtendedDynamicState.vkCmdSetPrimitiveTopologyEXT(commands, topology);
        }
    }

    public static void setDepthTest(VkCommandBuffer commands, boolean tests, boolean writes, int compare) {
        if (commands.getCapabilities().vkCmdSetDepthTestEnable != MemoryUtil.NULL) {
            VK13.vkCmdSetDepthTestEnable(commands, tests);
            VK13.vkCmdSetDepthWriteEnable(commands, writes);
            VK13.vkCmdSetDepthCompareOp(commands, compare);
        } else {
            EXTExtendedDynamicState.vkCmdSetDepthTestEnableEXT(commands, tests);
            EXTExtendedDynamicState.vkCmdSetDepthWriteEnableEXT(commands, writes);
            EXTExtendedDynamicState.vkCmdSetDepthCompareOpEXT(commands, compare);
        }
    }

    public static void enableStencilTest(VkCommandBuffer commands, boolean tests) {
        if (commands.getCapabilities().vkCmdSetStencilTestEnable != MemoryUtil.NULL) {
            VK13.vkCmdSetStencilTestEnable(commands, tests);
        } else {
            EXTExtendedDynamicState.vkCmdSetStencilTestEnableEXT(commands, tests);
        }
    }

    public static void setStencilOperations(
            VkCommandBuffer commands, int faces, int fail, int pass, int depthFail, int compare) {
        if (commands.getCapabilities().vkCmdSetStencilOp != MemoryUtil.NULL) {
            VK13.vkCmdSetStencilOp(commands, faces, fail, pass, depthFail, compare);
        } else {
            EXTExtendedDynamicState.vkCmdSetStencilOpEXT(commands, faces, fail, pass, depthFail, compare);
        }
    }

    public static int submit(VkQueue queue, VkSubmitInfo2.Buffer submissions, long fence) {
        return queue.getCapabilities().vkQueueSubmit2 != MemoryUtil.NULL
                ? VK13.vkQueueSubmit2(queue, submissions, fence)
                : KHRSynchronization2.vkQueueSubmit2KHR(queue, submissions, fence);
    }

    public static void requirements(
            VkDevice device, VkDeviceImageMemoryRequirements image, VkMemoryRequirements2 requirements) {
        if (device.getCapabilities().vkGetDeviceImageMemoryRequirements != MemoryUtil.NULL) {
            VK13.vkGetDeviceImageMemoryRequirements(device, image, requirements);
        } else {
            KHRMaintenance4.vkGetDeviceImageMemoryRequirementsKHR(device, image, requirements);
        }
    }

    public static void requirements(
            VkDevice device, VkDeviceBufferMemoryRequirements buffer, VkMemoryRequirements2 requirements) {
        if (device.getCapabilities().vkGetDeviceBufferMemoryRequirements != MemoryUtil.NULL) {
            VK13.vkGetDeviceBufferMemoryRequirements(device, buffer, requirements);
        } else {
            KHRMaintenance4.vkGetDeviceBufferMemoryRequirementsKHR(device, buffer, requirements);
        }
    }
}
