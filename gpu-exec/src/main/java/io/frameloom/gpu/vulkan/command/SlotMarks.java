package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.device.PassTrail;
import io.frameloom.gpu.error.CrashReport.Marking;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.Vulkan13;
import io.frameloom.gpu.vulkan.resource.MemoryAllocator;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDependencyInfo;
import org.lwjgl.vulkan.VkMemoryBarrier2;

/**
 * The marks of the command lists of one slot. Each has a word of host memory, which the device writes at most once
 * between two resets, so no write needs an order to another: it becomes the number of the round. Checkpoints need no
 * memory.
 *
 * <p>A list that is longer than the memory goes on without marks. The next reset makes room.
 *
 * <p>The thread that records writes; any thread reads when the device is lost, also while another closes the slot.
 */
final class SlotMarks implements PassTrail.Marks, AutoCloseable {
    private static final int FIRST_COUNT = 256;
    /** Marks of a list, which has a number of its own for checkpoints. */
    private static final int LIST_BITS = 20;

    private final DeviceCore core;
    private final MemoryAllocator memory;
    private final Marking marking;
    private final String name;
    /** The rest with the lock. */
    private @Nullable VulkanBuffer buffer;

    private long address;
    private int count;
    private int used;
    private int round = 1;

    private SlotMarks(DeviceCore core, MemoryAllocator memory, String name) {
        this.core = core;
        this.memory = memory;
        this.marking = core.evidence().marking();
        this.name = "marks of " + name;
    }

    /** Returns the marks of a slot, or null for a device without. */
    static @Nullable SlotMarks of(DeviceCore core, MemoryAllocator memory, String slot) {
        return core.evidence().marking() == Marking.NONE ? null : new SlotMarks(core, memory, slot);
    }

    /** Makes room. Marks are worth less than a frame: where there is no memory, there are as few as before. */
    private void make(int marks) {
        VulkanBuffer made;
        try {
            made = memory.createBuffer(name, BufferDescription.readback((long) marks * Integer.BYTES));
        } catch (GpuException e) {
            return;
        }
        long mapped = MemoryUtil.memAddress(made.mapped());
        MemoryUtil.memSet(mapped, 0, (long) marks * Integer.BYTES);
        VulkanBuffer old = buffer;
        buffer = made;
        address = mapped;
        count = marks;
        if (old != null) {
            old.destroyNow();
        }
    }

    synchronized void begin(PassTrail trail, String label, VkCommandBuffer commands, CommandScratch scratch) {
        if (marking != Marking.CHECKPOINT && buffer == null) {
            make(FIRST_COUNT);
        }
        trail.begin(label, this, round, marking == Marking.CHECKPOINT ? core.nextSerial() << LIST_BITS : used);
        mark(trail, commands, scratch, false);
    }

    /** Returns whether labels are marked: in a render pass nothing can be filled. */
    boolean marksLabels() {
        return marking != Marking.TRANSFER;
    }

    synchronized void mark(PassTrail trail, VkCommandBuffer commands, CommandScratch scratch, boolean end) {
        if (marking == Marking.CHECKPOINT) {
            if (trail.last() < 1 << LIST_BITS) {
                core.evidence().calls().checkpoint(commands, trail.first() + trail.last());
            }
            return;
        }
        int index = used++;
        VulkanBuffer target = buffer;
        if (index >= count || target == null) {
            return;
        }
        long offset = (long) index * Integer.BYTES;
        if (marking == Marking.BUFFER_MARKER) {
            int stage = end ? VK10.VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT : VK10.VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
            core.evidence().calls().marker(commands, stage, target.handle(), offset, round);
            return;
        }
        barrier(commands, scratch, VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0, VK13.VK_PIPELINE_STAGE_2_CLEAR_BIT, 0);
        VK13.vkCmdFillBuffer(commands, target.handle(), offset, Integer.BYTES, round);
        barrier(
                commands,
                scratch,
                VK13.VK_PIPELINE_STAGE_2_CLEAR_BIT,
                VK13.VK_ACCESS_2_TRANSFER_WRITE_BIT,
                VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK13.VK_PIPELINE_STAGE_2_HOST_BIT,
                VK13.VK_ACCESS_2_HOST_READ_BIT);
    }

    private static void barrier(
            VkCommandBuffer commands, CommandScratch scratch, long from, long written, long to, long read) {
        long info = scratch.zeroed(VkDependencyInfo.SIZEOF + VkMemoryBarrier2.SIZEOF);
        long barrier = info + VkDependencyInfo.SIZEOF;
        VkMemoryBarrier2.nsType(barrier, VK13.VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
        VkMemoryBarrier2.nsrcStageMask(barrier, from);
        VkMemoryBarrier2.nsrcAccessMask(barrier, written);
        VkMemoryBarrier2.ndstStageMask(barrier, to);
        VkMemoryBarrier2.ndstAccessMask(barrier, read);
        VkDependencyInfo.nsType(info, VK13.VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
        VkDependencyInfo.nmemoryBarrierCount(info, 1);
        MemoryUtil.memPutAddress(info + VkDependencyInfo.PMEMORYBARRIERS, barrier);
        Vulkan13.pipelineBarrier(commands, info);
    }

    @Override
    public synchronized PassTrail.Passed passed(int markedRound, long mark) {
        boolean known = buffer != null && markedRound == round && mark < count;
        return known
                ? PassTrail.Passed.of(MemoryUtil.memGetInt(address + mark * Integer.BYTES) == round)
                : PassTrail.Passed.UNKNOWN;
    }

    /** Begins another round; the device is done with the lists of the slot. */
    synchronized void reset() {
        round++;
        int wanted = used;
        used = 0;
        if (buffer != null && wanted > count) {
            make(2 * wanted);
        }
    }

    @Override
    public synchronized void close() {
        VulkanBuffer open = buffer;
        buffer = null;
        if (open != null) {
            open.destroyNow();
        }
    }
}
