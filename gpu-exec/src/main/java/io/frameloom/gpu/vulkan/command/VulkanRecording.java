package io.frameloom.gpu.vulkan.command;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.internal.PassParts;
import io.frameloom.gpu.record.CommandLog;
import io.frameloom.gpu.record.EventUses;
import io.frameloom.gpu.record.Mentions;
import io.frameloom.gpu.record.PassLayouts;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueFamily;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;

/** The life of a command buffer being recorded: begin, execution of others, end, submission, recycling. */
public abstract class VulkanRecording implements CommandList, PassParts {
    /** Most sizes of what is pushed or updated fit; larger ones grow the scratch memory once. */
    private static final int WORD = Long.BYTES;

    public final DeviceCore core;
    final CommandScratch scratch;
    final RecordingRules rules;
    /** What the driver destroys when it is closed, and then this command buffer with it. */
    final Mentions mentions;
    /** In which textures are taken to be. */
    final PassLayouts layouts;
    /** What the commands do with events. */
    public final EventUses events = new EventUses();
    /** What is told of the commands, or null. */
    final @Nullable CommandLog log;

    /** That of the slot's next turn whenever the list is. */
    VkCommandBuffer handle;

    private final VulkanFrameContext context;
    private final RecordingSlot slot;
    /** That of the slot while the command buffer is this list's. */
    private int generation;

    private GpuQueue queue;
    private QueueFamily family;
    private final ExecutedLists executed = new ExecutedLists();
    /** Who collects this list into a batch, and for the how manieth time: tells a list that is in the batch twice. */
    private @Nullable Object collector;

    private long collection;
    private long executions;

    VulkanRecording(
            DeviceCore core,
            VulkanFrameContext context,
            RecordingSlot slot,
            GpuQueue queue,
            RecordingRules rules,
            List<ResourceUse> uses,
            @Nullable CommandLog log) {
        this.core = core;
        this.context = context;
        this.slot = slot;
        this.generation = slot.generation();
        this.queue = queue;
        this.family = core.adapter().familyOf(queue);
        this.rules = rules;
        this.handle = slot.next(rules.isSecondary());
        this.mentions = new Mentions(core.closings(), log);
        this.scratch = slot.scratch();
        this.log = log;
        rules.told().to(log);
        this.layouts = new PassLayouts(rules.isSecondary());
        layouts.begin(uses);
    }

    void begin() {
        int result = rules.isSecondary()
                ? BeginEncoder.secondary(handle, scratch, rules.inherited())
                : BeginEncoder.primary(handle, scratch);
        if (result != VK13.VK_SUCCESS) {
            check(result, "begin command list '" + label() + "'");
        }
        core.names().name(VK13.VK_OBJECT_TYPE_COMMAND_BUFFER, handle.address(), label());
    }

    /** Takes another list of the same level, before it is begun: as a new object, but for what it keeps to grow into. */
    void renew(String label, GpuQueue newQueue, @Nullable RenderingFormats inherited, List<ResourceUse> inheritedUses) {
        rules.renew(label, newQueue, inherited);
        mentions.begin();
        generation = slot.generation();
        queue = newQueue;
        family = core.adapter().familyOf(newQueue);
        layouts.begin(inheritedUses);
        handle = slot.next(rules.isSecondary());
    }

    /** Forgets what the list named, with the reset of its context. */
    void recycle() {
        rules.abandon();
        mentions.clear();
        events.clear();
        executed.clear();
        layouts.begin(List.of());
    }

    public VkCommandBuffer handle() {
        return handle;
    }

    public @Nullable CommandLog log() {
        return log;
    }

    /** Throws unless the list has ended, was not submitted yet, and names nothing that was closed. */
    public void requireSubmittable(String submission) {
        noteRecycling();
        rules.requireSubmittable(submission);
        requireValid(submission);
    }

    /**
     * Throws if the driver has taken this command buffer for invalid, or one that it executes: if something that it names
     * was closed, or itself recycled.
     *
     * @param submission that is refused then, or null for the end of the list
     */
    private void requireValid(@Nullable String submission) {
        String closed = mentions.firstClosed();
        if (closed != null) {
            throw Mentions.refusal(refused(submission), closed);
        }
        for (int i = 0; i < executed.count(); i++) {
            if (executed.isRecycled(i)) {
                throw new IllegalStateException(refused(submission) + " executes list '" + executed.label(i)
                        + "', which was recycled by its frame context; record both anew");
            }
            String part = executed.get(i).mentions.firstClosed();
            if (part != null) {
                throw Mentions.refusal(refused(submission) + " executes list '" + executed.label(i) + "', which", part);
            }
        }
    }

    private String refused(@Nullable String submission) {
        return submission == null
                ? rules.where("end") + ": it"
                : "submission '" + submission + "' has command list '" + label() + "', which";
    }

    /** Returns a number that changes with the reset of the context. */
    int slotGeneration() {
        return slot.generation();
    }

    private void noteRecycling() {
        if (slot.generation() != generation) {
            rules.abandon();
        }
    }

    /** Returns false if {@code by} has taken this list into the batch of that number before. */
    public boolean collect(Object by, long batch) {
        if (collector == by && collection == batch) {
            return false;
        }
        collector = by;
        collection = batch;
        return true;
    }

    public void submitted(long value) {
        rules.submitted();
        events.submitted(queue, value);
        context.submitted(queue, value);
        for (int i = 0; i < executed.count(); i++) {
            executed.get(i).context.submitted(queue, value);
        }
    }

    /** Makes the list unusable: its frame context was reset before it ended. */
    void abandon() {
        rules.abandon();
    }

    @Override
    public String label() {
        return rules.list();
    }

    @Override
    public GpuQueue queue() {
        return queue;
    }

    /** Returns the family of the queue. */
    final QueueFamily family() {
        return family;
    }

    @Override
    public void execute(List<CommandList> secondaries) {
        rules.requireExecutes();
        requireExecutable(secondaries);
        for (int i = 0; i < secondaries.size(); i++) {
            VulkanRecording ours = (VulkanRecording) secondaries.get(i);
            ours.rules.execute(rules);
            executed.add(ours);
            if (log != null && ours.log != null) {
                log.append(ours.log);
            }
        }
        if (secondaries.isEmpty()) {
            return;
        }
        long handles = scratch.zeroed(secondaries.size() * WORD);
        for (int i = 0; i < secondaries.size(); i++) {
            MemoryUtil.memPutAddress(
                    handles + (long) i * WORD, ((VulkanRecording) secondaries.get(i)).handle.address());
        }
        VK13.nvkCmdExecuteCommands(handle, secondaries.size(), handles);
        forget();
    }

    /** Looks at all lists before anything is done with one. */
    private void requireExecutable(List<CommandList> secondaries) {
        executions++;
        for (int i = 0; i < secondaries.size(); i++) {
            CommandList list = secondaries.get(i);
            if (!(list instanceof VulkanRecording ours) || ours.core != core) {
                throw new IllegalArgumentException(
                        rules.where("execute") + ": list '" + list.label() + "' is of another device");
            }
            ours.noteRecycling();
            ours.rules.requireExecutable(rules);
            ours.layouts.requireExecutable(ours.rules, rules, layouts);
            String closed = ours.mentions.firstClosed();
            if (closed != null) {
                throw Mentions.refusal(rules.where("execute") + ": list '" + list.label() + "'", closed);
            }
            if (!ours.collect(this, executions)) {
                throw new IllegalStateException(
                        rules.where("execute") + " has list '" + list.label() + "' twice; record another");
            }
        }
    }

    /** Forgets what is bound: it ends with a part of a pass, and secondary lists leave it undefined. */
    abstract void forget();

    @Override
    public void end() {
        rules.end();
        try {
            requireValid(null);
        } catch (IllegalStateException e) {
            rules.abandon();
            context.release(slot);
            throw e;
        }
        int result = endCommandBuffer();
        context.release(slot);
        if (result != VK13.VK_SUCCESS) {
            rules.abandon();
            check(result, "end command list '" + label() + "'");
        }
    }

    private int endCommandBuffer() {
        core.gate().enter();
        try {
            return VK13.vkEndCommandBuffer(handle);
        } finally {
            core.gate().leave();
        }
    }

    /** Returns the address of a buffer's remaining bytes, copied to the scratch memory if they are on the heap. */
    final long addressOf(ByteBuffer data) {
        if (data.isDirect()) {
            return MemoryUtil.memAddress(data);
        }
        int bytes = data.remaining();
        long copy = scratch.zeroed(bytes);
        for (int i = 0; i < bytes; i++) {
            MemoryUtil.memPutByte(copy + i, data.get(data.position() + i));
        }
        return copy;
    }
}
