package io.frameloom.gpu.transfer;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TimelinePoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings data of buffers and textures to the host, each {@linkplain Readback readback} with an event that completes when
 * the bytes are there. Any thread.
 *
 * <p>A readback follows what was submitted to its queue before, and the points that are named; the memory is used again
 * when it is closed. There is never more memory than was granted: who asks for more is refused until something is closed.
 */
public final class Readbacks implements AutoCloseable {
    private static final int SMALLEST = 4096;
    private static final Duration LONG = Duration.ofDays(1);

    private final GpuDevice device;
    private final String name;
    private final GpuQueue queue;
    private final long granted;
    private final List<ReadbackSlot> free = new ArrayList<>();
    private long allocated;
    private long lent;
    private int created;
    private boolean closed;

    /**
     * Opens readbacks.
     *
     * @param queue queue that copies, the one that writes what is read as a rule
     * @param name debug name
     * @param bytes most memory to use; what is asked for counts as the next power of two
     */
    public Readbacks(GpuDevice device, GpuQueue queue, String name, long bytes) {
        if (bytes < SMALLEST) {
            throw new IllegalArgumentException(
                    "readbacks '" + name + "' need at least " + SMALLEST + " bytes, got " + bytes);
        }
        this.device = device;
        this.queue = queue;
        this.name = name;
        this.granted = bytes;
    }

    /**
     * Reads a part of a buffer.
     *
     * @param after points of other queues that come first
     * @throws IllegalStateException if too much is read back and not closed
     */
    public Readback read(Buffer source, long offset, int bytes, TimelinePoint... after) {
        requireSource("buffer", source.name(), source.isClosed());
        if (!source.description().usage().contains(BufferUsage.COPY_SRC)) {
            throw new IllegalArgumentException(what("buffer", source.name()) + ", which was not created for COPY_SRC");
        }
        if (bytes < 1 || offset < 0 || bytes > source.description().bytes() - offset) {
            throw new IllegalArgumentException(what("buffer", source.name()) + " of "
                    + source.description().bytes() + " bytes, which has not " + bytes + " bytes at offset " + offset);
        }
        return submit(
                source.name(),
                bytes,
                after,
                (list, staging) -> UploadRecorder.readBack(list, source, offset, bytes, staging));
    }

    /**
     * Reads one mip of one layer of a texture into tightly packed rows.
     *
     * @param layout the layout that it is in, and is left in
     * @param after points of other queues that come first
     * @throws IllegalStateException if too much is read back and not closed
     */
    public Readback read(Texture source, int mip, int layer, TextureLayout layout, TimelinePoint... after) {
        requireSource("texture", source.name(), source.isClosed());
        if (!source.description().usage().contains(TextureUsage.COPY_SRC)) {
            throw new IllegalArgumentException(what("texture", source.name()) + ", which was not created for COPY_SRC");
        }
        if (mip < 0
                || mip >= source.description().mips()
                || layer < 0
                || layer >= source.description().layers()) {
            throw new IllegalArgumentException(
                    what("texture", source.name()) + ", which has no mip " + mip + " of layer " + layer);
        }
        if (layout == TextureLayout.UNDEFINED) {
            throw new IllegalArgumentException(what("texture", source.name()) + ", which has no contents yet");
        }
        long bytes = UploadRecorder.bytes(source, mip);
        return submit(
                source.name(),
                bytes,
                after,
                (list, staging) -> UploadRecorder.readBack(list, source, mip, layer, layout, staging, bytes));
    }

    private String what(String kind, String source) {
        return "readbacks '" + name + "' read " + kind + " '" + source + "'";
    }

    private void requireSource(String kind, String source, boolean gone) {
        if (gone) {
            throw new IllegalStateException(what(kind, source) + " after it was closed");
        }
    }

    private Readback submit(
            String source, long bytes, TimelinePoint[] after, BiConsumer<CommandList, Buffer> recording) {
        List<Submission.Wait> waits = new ArrayList<>(after.length);
        for (TimelinePoint point : after) {
            waits.add(new Submission.Wait(point, PipelineStage.ALL_COMMANDS.bit()));
        }
        ReadbackSlot slot = take(source, bytes);
        TimelinePoint point = null;
        try {
            slot.context().reset();
            CommandList list = slot.context().beginCommands(queue, name + " '" + source + "'");
            recording.accept(list, slot.buffer());
            list.end();
            point = queue.submit(new Submission(list.label(), List.of(list), waits));
            return new Readback(this, slot, source, (int) bytes, point);
        } finally {
            if (point == null) {
                release(slot, null);
            }
        }
    }

    private synchronized ReadbackSlot take(String source, long bytes) {
        if (closed) {
            throw new IllegalStateException("readbacks '" + name + "' are closed");
        }
        long size = Math.max(SMALLEST, Long.highestOneBit(bytes * 2 - 1));
        if (size > granted - lent) {
            throw new IllegalStateException("readbacks '" + name + "' have " + lent + " of " + granted
                    + " bytes in use and cannot take " + size + " more for '" + source
                    + "'; close what has been read, or grant more");
        }
        ReadbackSlot slot = idle(size);
        if (slot == null) {
            makeRoom(size);
            slot = new ReadbackSlot(
                    device.createBuffer(name + " " + created, BufferDescription.readback(size)),
                    device.createFrameContext(name + " " + created));
            created++;
            allocated += size;
        }
        lent += slot.capacity();
        return slot;
    }

    private @Nullable ReadbackSlot idle(long size) {
        for (int i = 0; i < free.size(); i++) {
            if (free.get(i).capacity() == size && free.get(i).isIdle()) {
                return free.remove(i);
            }
        }
        return null;
    }

    /** Frees memory of other sizes, waiting for what was closed before it arrived. */
    private void makeRoom(long size) {
        while (allocated + size > granted) {
            ReadbackSlot oldest = free.remove(0);
            await(oldest);
            allocated -= oldest.capacity();
            oldest.close();
        }
    }

    private void await(ReadbackSlot slot) {
        TimelinePoint point = slot.busyUntil;
        if (point != null) {
            queue.timeline().await(point.value(), LONG);
        }
    }

    /** Takes memory back; the device may write it until {@code point}. */
    synchronized void release(ReadbackSlot slot, @Nullable TimelinePoint point) {
        slot.busyUntil = point;
        lent -= slot.capacity();
        if (closed) {
            await(slot);
            slot.close();
        } else {
            free.add(slot);
        }
    }

    /** Frees what is not in use; readbacks that are still open free their memory when they are closed. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (ReadbackSlot slot : free) {
            await(slot);
            slot.close();
        }
        free.clear();
    }
}
