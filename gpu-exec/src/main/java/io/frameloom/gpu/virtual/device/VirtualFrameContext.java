package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.device.PassTrail;
import io.frameloom.gpu.device.UploadRing;
import io.frameloom.gpu.record.InheritanceRules;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.UploadSlice;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** The recycled part of a frame: its command lists, and upload memory in chunks that are kept over {@link #reset}. */
final class VirtualFrameContext extends VirtualObject implements FrameContext {
    private final UploadRing uploads;
    private final Set<VirtualCommandList> recording = new HashSet<>();
    /** The trails of the lists, in order, which those after a reset take over. */
    private final List<PassTrail> trails = new ArrayList<>();
    /** How many of them lists have that can be used. */
    private int begun;
    /** The commands of the list that ended last: the next one has room for as many. */
    private int commands;
    /** By queue: the newest submission with a list of this context, as the queue's timeline value; 0 for none. */
    private final AtomicLongArray pending;

    /** Changes whenever the lists become unusable, those that have ended as well. */
    private int generation;

    VirtualFrameContext(SimulatedDevice device, String name) {
        super(device, name);
        this.uploads = new UploadRing(
                name,
                (int) VirtualCapabilities.ALIGNMENT,
                device.capabilities().limits().memory().maxBufferBytes(),
                new ChunkMemory(device));
        this.pending = new AtomicLongArray(device.queuing().all().size());
    }

    private record ChunkMemory(SimulatedDevice device) implements UploadRing.Memory {
        @Override
        public Buffer create(String name, long bytes) {
            return device.gate()
                    .inside(() -> device.resources()
                            .buffer(
                                    name,
                                    new BufferDescription(
                                            bytes,
                                            EnumSet.complementOf(EnumSet.of(
                                                    BufferUsage.COPY_DST, BufferUsage.ACCELERATION_STRUCTURE)),
                                            MemoryUsage.UPLOAD)));
        }

        @Override
        public void destroy(Buffer buffer) {
            buffer.close();
        }
    }

    @Override
    public CommandList beginCommands(GpuQueue queue, String label) {
        VirtualQueue own = own(queue, label);
        return begin(own, RecordingRules.primary(label, own, device.capabilities()), List.of());
    }

    @Override
    public CommandList beginSecondary(
            GpuQueue queue, String label, @Nullable RenderingFormats rendering, List<ResourceUse> uses) {
        VirtualQueue own = own(queue, label);
        if (rendering != null) {
            InheritanceRules.check(label, rendering, device.capabilities(), device::formatSupport);
        }
        return begin(own, RecordingRules.secondary(label, own, device.capabilities(), rendering), uses);
    }

    private VirtualQueue own(GpuQueue queue, String label) {
        if (!(queue instanceof VirtualQueue own) || !own.belongsTo(device)) {
            throw new IllegalArgumentException(
                    "command list '" + label + "' is begun for queue '" + queue.name() + "' of another device");
        }
        return own;
    }

    private synchronized CommandList begin(VirtualQueue queue, RecordingRules rules, List<ResourceUse> uses) {
        requireOpen("used");
        if (begun == trails.size()) {
            trails.add(new PassTrail());
        }
        VirtualCommandList list =
                new VirtualCommandList(device, this, queue, rules, uses, trails.get(begun++), commands);
        recording.add(list);
        return list;
    }

    synchronized void ended(VirtualCommandList list) {
        recording.remove(list);
        commands = list.ops().size();
    }

    void submitted(GpuQueue queue, long value) {
        pending.set(queue.index(), value);
    }

    /** Returns a number that changes when the lists begun so far can no longer be used. */
    int generation() {
        return generation;
    }

    @Override
    public BufferSlice allocateUpload(long bytes, int alignment) {
        return uploads.allocate(bytes, alignment);
    }

    @Override
    public void allocateUpload(long bytes, int alignment, UploadSlice into) {
        uploads.allocate(bytes, alignment, into);
    }

    @Override
    public synchronized void reset() {
        requireOpen("used");
        requireComplete("reset");
        abandonLists();
        uploads.reset();
    }

    /** Refuses while the device executes a list of this context; a lost device executes none. */
    private void requireComplete(String what) {
        List<VirtualQueue> queues = device.queuing().all();
        for (int i = 0; i < queues.size(); i++) {
            VirtualQueue queue = queues.get(i);
            long value = pending.get(queue.index());
            if (!queue.timeline().hasReached(value) && !device.queuing().isLost()) {
                throw new IllegalStateException(describe() + " cannot be " + what + ": queue '" + queue.name()
                        + "' has not completed its submission " + value + "; wait for that first");
            }
        }
    }

    private void abandonLists() {
        generation++;
        begun = 0;
        recording.forEach(VirtualCommandList::abandon);
        recording.clear();
    }

    @Override
    public synchronized void close() {
        if (!isClosed()) {
            requireComplete("closed");
            super.close();
        }
    }

    @Override
    void retire() {
        abandonLists();
        uploads.close();
        super.retire();
    }
}
