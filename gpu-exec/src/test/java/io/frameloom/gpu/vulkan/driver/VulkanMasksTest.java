package io.frameloom.gpu.vulkan.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import org.junit.jupiter.api.Test;
import org.lwjgl.vulkan.VK13;

/** The numbers that drivers are given. */
class VulkanMasksTest {
    /** A driver lets fills overtake reads that are held back by stages alone. */
    @Test
    void whatIsHeldBackIsNamedAmongTheReads() {
        int compute = PipelineStage.COMPUTE_SHADER.bit();
        int copy = PipelineStage.COPY.bit();
        Scope afterReads = new Scope(compute, MemoryAccess.NONE, copy, MemoryAccess.COPY_WRITE.bit());
        assertEquals(VK13.VK_ACCESS_2_MEMORY_READ_BIT, VulkanMasks.sourceAccesses(afterReads));
        Scope afterBoth = new Scope(compute | copy, MemoryAccess.COPY_WRITE.bit(), copy, MemoryAccess.COPY_WRITE.bit());
        assertEquals(
                VK13.VK_ACCESS_2_TRANSFER_WRITE_BIT | VK13.VK_ACCESS_2_MEMORY_READ_BIT,
                VulkanMasks.sourceAccesses(afterBoth));
    }

    @Test
    void whereNothingIsHeldBackNothingIsNamed() {
        Scope afterNothing = new Scope(0, MemoryAccess.NONE, PipelineStage.COPY.bit(), MemoryAccess.COPY_WRITE.bit());
        assertEquals(0, VulkanMasks.sourceAccesses(afterNothing));
    }
}
