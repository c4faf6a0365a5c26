package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferSlice;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.MemoryUsage;
import io.frameloom.gpu.RenderingFormats;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.record.RecordingRules;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The recycled part of a frame: upload memory in chunks that are kept over {@link #reset}. */
final class VirtualFrameContext implements FrameContext {
    private static final long CHUNK_BYTES = 1 << 20;

    private final VirtualDevice device;
    private final String name;
    private final List<VirtualBuffer> chunks = new ArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private int chunk;
    private long used;

    VirtualFrameContext(VirtualDevice device, String name) {
        this.device = device;
        this.name = name;
        device.opened(this, name);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CommandList beginCommands(GpuQueue queue, String label) {
        checkOpen();
        if (!(queue instanceof VirtualQueue own) || !device.queues().contains(own)) {
            throw new IllegalArgumentException(
                    "command list '" + label + "' is begun for queue '" + queue.name() + "' of another device");
        }
        return new VirtualCommandList(device, own, RecordingRules.primary(label, own, device.capabilities()));
    }

    @Override
    public CommandList beginSecondary(
            GpuQueue queue, String label, @Nullable RenderingFormats rendering, List<ResourceUse> uses) {
        checkOpen();
        if (!(queue instanceof VirtualQueue own) || !device.queues().contains(own)) {
            throw new IllegalArgumentException(
                    "command list '" + label + "' is begun for queue '" + queue.name() + "' of another device");
        }
        return new VirtualCommandList(
                device, own, RecordingRules.secondary(label, own, device.capabilities(), rendering));
    }

    @Override
    public synchronized BufferSlice allocateUpload(long bytes, int alignment) {
        checkOpen();
        if (bytes < 1 || Integer.bitCount(alignment) != 1) {
            throw new IllegalArgumentException("upload memory of frame '" + name + "' needs at least 1 byte and an"
                    + " alignment that is a power of two, got " + bytes + " bytes aligned to " + alignment);
        }
        long align = Math.max(alignment, VirtualDevice.ALIGNMENT);
        for (; chunk < chunks.size(); chunk++, used = 0) {
            VirtualBuffer buffer = chunks.get(chunk);
            long offset = (used + align - 1) & -align;
            if (offset + bytes <= buffer.description().bytes()) {
                used = offset + bytes;
                return slice(buffer, offset, bytes);
            }
        }
        VirtualBuffer buffer = device.createOwn(
                name + " upload " + chunks.size(),
                new BufferDescription(
                        Math.max(CHUNK_BYTES, bytes),
                        EnumSet.complementOf(EnumSet.of(BufferUsage.COPY_DST)),
                        MemoryUsage.UPLOAD));
        chunks.add(buffer);
        used = bytes;
        return slice(buffer, 0, bytes);
    }

    @Override
    public synchronized void reset() {
        checkOpen();
        chunk = 0;
        used = 0;
    }

    @Override
    public synchronized void close() {
        if (closed.compareAndSet(false, true)) {
            chunks.forEach(VirtualBuffer::close);
            device.closed(this);
        }
    }

    private void checkOpen() {
        if (closed.get()) {
            throw new IllegalStateException("frame context '" + name + "' is used after it was closed");
        }
    }

    private static BufferSlice slice(VirtualBuffer buffer, long offset, long bytes) {
        return new BufferSlice(
                buffer,
                offset,
                bytes,
                buffer.mapped().slice((int) offset, (int) bytes).order(ByteOrder.nativeOrder()));
    }
}
