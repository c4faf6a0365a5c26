package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.error.CrashReport.Marking;
import java.nio.IntBuffer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.AMDBufferMarker;
import org.lwjgl.vulkan.EXTDeviceFault;
import org.lwjgl.vulkan.NVDeviceDiagnosticCheckpoints;
import org.lwjgl.vulkan.VkCheckpointData2NV;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceFaultCountsEXT;
import org.lwjgl.vulkan.VkDeviceFaultInfoEXT;
import org.lwjgl.vulkan.VkQueue;

/** The calls themselves. */
final class NativeCrashCalls implements CrashCalls {
    @Override
    public Marking marking(VkDevice device) {
        if (device.getCapabilities().VK_NV_device_diagnostic_checkpoints) {
            return Marking.CHECKPOINT;
        }
        return device.getCapabilities().VK_AMD_buffer_marker ? Marking.BUFFER_MARKER : Marking.TRANSFER;
    }

    @Override
    public void marker(VkCommandBuffer commands, int stage, long buffer, long offset, int word) {
        AMDBufferMarker.vkCmdWriteBufferMarkerAMD(commands, stage, buffer, offset, word);
    }

    @Override
    public void checkpoint(VkCommandBuffer commands, long marker) {
        NVDeviceDiagnosticCheckpoints.vkCmdSetCheckpointNV(commands, marker);
    }

    @Override
    public void checkpoints(VkQueue queue, IntBuffer count, VkCheckpointData2NV.@Nullable Buffer data) {
        NVDeviceDiagnosticCheckpoints.vkGetQueueCheckpointData2NV(queue, count, data);
    }

    @Override
    public int fault(VkDevice device, VkDeviceFaultCountsEXT counts, @Nullable VkDeviceFaultInfoEXT info) {
        return EXTDeviceFault.vkGetDeviceFaultInfoEXT(device, counts, info);
    }
}
