package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.device.UploadRing;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.record.CommandLog;
import io.frameloom.gpu.record.InheritanceRules;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.UploadSlice;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanObject;
import io.frameloom.gpu.vulkan.pipeline.KeptSets;
import io.frameloom.gpu.vulkan.resource.MemoryAllocator;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Recycled objects of one frame in flight.
 *
 * <p>A command list leases a {@link RecordingSlot} of its family from begin to end, so a pool is never recorded from by
 * two threads, and there are as many pools as lists were ever open at the same time.
 */
public final class VulkanFrameContext extends VulkanObject implements FrameContext {
    private final MemoryAllocator memory;
    private final UploadRing uploads;
    private final List<RecordingSlot> slots = new ArrayList<>();
    private final KeptSets sets = new KeptSets();
    /** By queue family: the slots that no list records from. */
    private final List<ArrayDeque<RecordingSlot>> free = new ArrayList<>();

    private final List<GpuQueue> queues;
    private final Function<Format, FormatSupport> formats;
    private final boolean reusesLists;
    private final boolean checks;
    /** By queue: the newest submission with a list of this context, as the queue's timeline value; 0 for none. */
    private final AtomicLongArray pending;

    /**
     * A context without pools.
     *
     * @param reusesLists whether list objects are handed out again; not while an observer or layer looks for mistakes
     */
    public VulkanFrameContext(
            DeviceCore core,
            MemoryAllocator memory,
            List<GpuQueue> queues,
            Function<Format, FormatSupport> formats,
            boolean reusesLists,
            boolean checks,
            String name) {
        super(core, name);
        this.memory = memory;
        this.queues = queues;
        this.formats = formats;
        this.reusesLists = reusesLists;
        this.checks = checks;
        this.pending = new AtomicLongArray(queues.size());
        for (GpuQueue queue : queues) {
            while (free.size() <= queue.family()) {
                free.add(new ArrayDeque<>());
            }
        }
        int alignment = Math.max(
                16,
                Math.max(
                        core.capabilities().uniformAlignment(),
                        core.capabilities().storageAlignment()));
        this.uploads = new UploadRing(
                name, alignment, core.capabilities().limits().memory().maxBufferBytes(), new ChunkMemory(core, memory));
    }

    private record ChunkMemory(DeviceCore core, MemoryAllocator memory) implements UploadRing.Memory {
        @Override
        public Buffer create(String name, long bytes) {
            return core.gate().inside(() -> memory.createBuffer(name, uploadBuffer(bytes)));
        }

        /** The caller that resets or closes a ring is in the gate. */
        @Override
        public void destroy(Buffer buffer) {
            ((VulkanBuffer) buffer).destroy();
        }
    }

    @Override
    public CommandList beginCommands(GpuQueue queue, String label) {
        return begin(queue, label, false, null, List.of());
    }

    @Override
    public CommandList beginSecondary(
            GpuQueue queue, String label, @Nullable RenderingFormats rendering, List<ResourceUse> uses) {
        return begin(queue, label, true, rendering, uses);
    }

    private CommandList begin(
            GpuQueue queue,
            String label,
            boolean secondary,
            @Nullable RenderingFormats rendering,
            List<ResourceUse> uses) {
        if (queue.index() >= queues.size() || queues.get(queue.index()) != queue) {
            throw new IllegalArgumentException(
                    "command list '" + label + "' is begun for queue '" + queue.name() + "' of another device");
        }
        if (rendering != null) {
            InheritanceRules.check(label, rendering, core.capabilities(), formats);
        }
        requireOpen();
        core.gate().enter();
        try {
            return beginInside(queue, label, secondary, rendering, uses);
        } finally {
            core.gate().leave();
        }
    }

    private CommandList beginInside(
            GpuQueue queue,
            String label,
            boolean secondary,
            @Nullable RenderingFormats rendering,
            List<ResourceUse> uses) {
        RecordingSlot slot = lease(queue.family());
        try {
            VulkanCommandList list = slot.level(secondary).nextList();
            if (list == null) {
                RecordingRules rules = secondary
                        ? RecordingRules.secondary(label, queue, core.capabilities(), rendering)
                        : RecordingRules.primary(label, queue, core.capabilities());
                CommandLog log = core.feed().newLog(label);
                list = new VulkanCommandList(core, this, slot, queue, rules, formats, uses, log, checks);
                if (reusesLists) {
                    slot.level(secondary).add(list);
                }
            } else {
                list.renew(label, queue, rendering, uses);
            }
            list.begin();
            slot.open(list);
            return list;
        } catch (RuntimeException | Error e) {
            release(slot);
            throw e;
        }
    }

    private void requireOpen() {
        if (isClosed()) {
            throw new IllegalStateException(describe() + " is closed");
        }
    }

    private synchronized RecordingSlot lease(int family) {
        requireOpen();
        RecordingSlot slot = free.get(family).pollLast();
        if (slot == null) {
            slot = new RecordingSlot(
                    core, memory, family, name() + " family " + family + " slot " + slots.size(), sets);
            slots.add(slot);
        }
        return slot;
    }

    synchronized void release(RecordingSlot slot) {
        slot.open(null);
        free.get(slot.family()).addLast(slot);
    }

    void submitted(GpuQueue queue, long value) {
        pending.set(queue.index(), value);
    }

    @Override
    public BufferSlice allocateUpload(long bytes, int alignment) {
        return uploads.allocate(bytes, alignment);
    }

    @Override
    public void allocateUpload(long bytes, int alignment, UploadSlice into) {
        uploads.allocate(bytes, alignment, into);
    }

    private static BufferDescription uploadBuffer(long bytes) {
        return BufferDescription.upload(
                bytes,
                BufferUsage.COPY_SRC,
                BufferUsage.UNIFORM,
                BufferUsage.STORAGE,
                BufferUsage.VERTEX,
                BufferUsage.INDEX,
                BufferUsage.INDIRECT);
    }

    KeptSets sets() {
        return sets;
    }

    /** Returns the number of pools and upload chunks, which steady use does not change. */
    synchronized int poolCount() {
        return slots.size() + uploads.chunkCount();
    }

    @Override
    public void reset() {
        requireOpen();
        // Out of the gate: code that learns of a loss may close the device.
        requireComplete("reset");
        core.gate().enter();
        try {
            recycle();
        } finally {
            core.gate().leave();
        }
    }

    private synchronized void recycle() {
        requireOpen();
        core.retired().sweep();
        memory.beginFrame();
        for (int family = 0; family < free.size(); family++) {
            free.get(family).clear();
        }
        for (int i = 0; i < slots.size(); i++) {
            RecordingSlot slot = slots.get(i);
            slot.reset();
            free.get(slot.family()).addLast(slot);
        }
        sets.endRound(core.closings().count());
        uploads.reset();
    }

    /** Refuses while the device is at work on a list of this context; a lost device is not. */
    private void requireComplete(String what) {
        for (int i = 0; i < queues.size(); i++) {
            GpuQueue queue = queues.get(i);
            long value = pending.get(queue.index());
            // Asking may be what finds the device lost.
            if (value > 0 && !isOver(queue, value) && core.loss().cause() == null) {
                throw new IllegalStateException(describe() + " cannot be " + what + ": queue '" + queue.name()
                        + "' has not completed its submission " + value + "; wait for that first");
            }
        }
    }

    /** Asks the driver only for what the host has not seen yet. */
    private static boolean isOver(GpuQueue queue, long value) {
        try {
            return queue.timeline().await(value, Duration.ZERO);
        } catch (DeviceLostException lost) {
            return true;
        }
    }

    @Override
    public void close() {
        if (!isClosed()) {
            requireComplete("closed");
            core.gate().closing(this::destroyNow);
        }
    }

    @Override
    protected boolean isNamed() {
        return false;
    }

    @Override
    protected synchronized void free() {
        sets.close();
        slots.forEach(RecordingSlot::close);
        uploads.close();
    }
}
