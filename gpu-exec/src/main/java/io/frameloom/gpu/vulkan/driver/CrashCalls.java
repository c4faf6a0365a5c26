package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.error.CrashReport.Marking;
import java.nio.IntBuffer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VkCheckpointData2NV;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceFaultCountsEXT;
import org.lwjgl.vulkan.VkDeviceFaultInfoEXT;
import org.lwjgl.vulkan.VkQueue;

/** The calls of the extensions that report on a lost device; tests replace them where no driver has these. */
public interface CrashCalls {
    /** Returns the best marks that the extensions of a device allow. */
    Marking marking(VkDevice device);

    /** Writes a word when a stage of everything before is done. */
    void marker(VkCommandBuffer commands, int stage, long buffer, long offset, int word);

    void checkpoint(VkCommandBuffer commands, long marker);

    /** Returns number and contents of the checkpoints that a queue of a lost device has passed. */
    void checkpoints(VkQueue queue, IntBuffer count, VkCheckpointData2NV.@Nullable Buffer data);

    /** Returns number and contents of what the driver reports of a fault. */
    int fault(VkDevice device, VkDeviceFaultCountsEXT counts, @Nullable VkDeviceFaultInfoEXT info);
}
