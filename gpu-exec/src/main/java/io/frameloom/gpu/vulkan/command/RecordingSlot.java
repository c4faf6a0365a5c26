package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.pipeline.DescriptorBinder;
import io.frameloom.gpu.vulkan.pipeline.DescriptorPools;
import io.frameloom.gpu.vulkan.pipeline.KeptSets;
import io.frameloom.gpu.vulkan.pipeline.SetSupply;
import io.frameloom.gpu.vulkan.resource.MemoryAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;

/**
 * A command pool of one queue family with the descriptor pools that belong to it. One command list at a time records
 * from it; its lists are recycled together.
 */
final class RecordingSlot implements AutoCloseable {
    private final DeviceCore core;
    private final int family;
    private final long pool;
    private final Level primaries = new Level(VK13.VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    private final Level secondaries = new Level(VK13.VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    private final CommandScratch scratch;
    private final DescriptorPools descriptors;
    private final DescriptorBinder binder;
    private final @Nullable SlotMarks marks;
    private @Nullable VulkanCommandList open;
    /** Changes whenever the command buffers are taken back, from lists that have ended as well. */
    private int generation;

    RecordingSlot(DeviceCore core, MemoryAllocator memory, int family, String name, KeptSets sets) {
        this.core = core;
        this.family = family;
        this.marks = SlotMarks.of(core, memory, name);
        this.pool = core.create(
                VK13.VK_OBJECT_TYPE_COMMAND_POOL,
                name,
                "a command pool of " + name,
                (stack, out) -> VK13.vkCreateCommandPool(
                        core.handle(),
                        VkCommandPoolCreateInfo.calloc(stack)
                                .sType$Default()
                                .flags(VK13.VK_COMMAND_POOL_CREATE_TRANSIENT_BIT)
                                .queueFamilyIndex(family),
                        null,
                        out));
        // After the calls that the driver may refuse: these hold native memory.
        this.scratch = new CommandScratch();
        this.descriptors = new DescriptorPools(core, name);
        this.binder = new DescriptorBinder(core, new SetSupply(sets, descriptors, core.names()), scratch);
    }

    int family() {
        return family;
    }

    DescriptorBinder binder() {
        return binder;
    }

    /** Notes which list records, or none. */
    void open(@Nullable VulkanCommandList list) {
        open = list;
    }

    /** Returns a number that changes when the lists recorded from here can no longer be used. */
    int generation() {
        return generation;
    }

    CommandScratch scratch() {
        return scratch;
    }

    /** Returns the marks of the lists, or null on a device without. */
    @Nullable
    SlotMarks marks() {
        return marks;
    }

    Level level(boolean secondary) {
        return secondary ? secondaries : primaries;
    }

    /**
     * The command buffers of one level, handed out in turn, and the list objects to record with. A list object is handed
     * out again when it has rested for a round: a call on a list of the round before fails with the reason that it was
     * recycled.
     */
    final class Level {
        private final int level;
        private final List<VkCommandBuffer> buffers = new ArrayList<>();
        private final List<String> names = new ArrayList<>();

        private int used;
        private List<VulkanCommandList> lists = new ArrayList<>();
        private List<VulkanCommandList> resting = new ArrayList<>();
        private int usedLists;

        private Level(int level) {
            this.level = level;
        }

        /** Returns a command buffer that nothing has been recorded into since the last reset. */
        VkCommandBuffer next() {
            if (used == buffers.size()) {
                try (MemoryStack stack = MemoryStack.stackPush()) {
                    PointerBuffer out = stack.mallocPointer(1);
                    core.check(
                            VK13.vkAllocateCommandBuffers(
                                    core.handle(),
                                    VkCommandBufferAllocateInfo.calloc(stack)
                                            .sType$Default()
                                            .commandPool(pool)
                                            .level(level)
                                            .commandBufferCount(1),
                                    out),
                            "allocate a command buffer");
                    buffers.add(new VkCommandBuffer(out.get(0), core.handle()));
                    names.add("");
                }
            }
            return buffers.get(used++);
        }

        /**
         * Names the command buffer that was handed out last. Frames begin the same lists in the same order, and a buffer
         * keeps its name over resets, so there is usually nothing to do: naming takes longer than beginning a list.
         */
        void name(String label) {
            if (!names.get(used - 1).equals(label)) {
                long buffer = buffers.get(used - 1).address();
                core.names().name(VK13.VK_OBJECT_TYPE_COMMAND_BUFFER, buffer, label);
                names.set(used - 1, label);
            }
        }

        /** Returns a list object that was not in use since the last reset but one, or null if there is none. */
        @Nullable
        VulkanCommandList nextList() {
            return usedLists < lists.size() ? lists.get(usedLists++) : null;
        }

        /** Takes a list object that was made because there was none. */
        void add(VulkanCommandList list) {
            lists.add(list);
            usedLists++;
        }

        /** Begins another round; the command buffers were taken back. */
        private void reset() {
            used = 0;
            for (; usedLists > 0; usedLists--) {
                lists.get(usedLists - 1).recycle();
            }
            List<VulkanCommandList> rested = resting;
            resting = lists;
            lists = rested;
        }
    }

    /** Takes all command buffers back; their lists can no longer be used, whether ended or open. */
    void reset() {
        retire();
        if (primaries.used + secondaries.used > 0) {
            core.check(VK13.vkResetCommandPool(core.handle(), pool, 0), "reset a command pool");
        }
        primaries.reset();
        secondaries.reset();
        if (marks != null) {
            marks.reset();
        }
        binder.endRound();
    }

    private void retire() {
        generation++;
        if (open != null) {
            open.abandon();
            open = null;
        }
    }

    @Override
    public void close() {
        retire();
        VK13.vkDestroyCommandPool(core.handle(), pool, null);
        descriptors.close();
        binder.close();
        if (marks != null) {
            marks.close();
        }
        scratch.close();
    }
}
