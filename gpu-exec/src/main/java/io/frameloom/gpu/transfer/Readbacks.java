package io.frameloom.gpu.transfer;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.staging.Closing;
import io.frameloom.gpu.transfer.staging.ReadbackSlot;
import io.frameloom.gpu.transfer.staging.TransferChecks;
import io.frameloom.gpu.transfer.staging.UploadRecorder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings data of buffers and textures to the host. Each {@linkplain Readback readback} has an event that completes when
 * the bytes are there. Any thread.
 *
 * <p>A readback follows what was submitted to its queue before, and the named points; its memory is used again when it
 * is closed. There is never more memory than was granted: further requests are refused until a readback is closed.
 * Requests count rounded up, to a multiple of 4,096 bytes or by at most an eighth. One readback brings at most
 * 2,147,483,647 bytes, the most that a {@link java.nio.ByteBuffer} has.
 */
public final class Readbacks implements AutoCloseable {
    private static final int SMALLEST = 4096;
    private static final int STEPS = 8;

    private final GpuDevice device;
    private final String name;
    private final GpuQueue queue;
    private final TransferChecks checks;
    private final long granted;
    /** The oldest first. */
    private final Set<ReadbackSlot> free = new LinkedHashSet<>();
    /** Free slots by size; first those that the device finishes first. */
    private final Map<Long, PriorityQueue<ReadbackSlot>> freeBySize = new HashMap<>();
    /** Held by each thread that allocates, and frees what stands in the way; taken before the monitor. */
    private final Object allocating = new Object();

    private long allocated;
    private long lent;
    /** Guarded by {@link #allocating}. */
    private int created;

    private boolean closed;

    /**
     * Opens readbacks.
     *
     * @param queue queue that copies, usually the one that writes the data
     * @param name debug name
     * @param bytes most memory to use
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
        this.checks = new TransferChecks(device, "readbacks '" + name + "'", "read");
        this.checks.requireQueue(queue);
    }

    /**
     * Reads a part of a buffer.
     *
     * @param after points of other queues that come first
     * @throws IllegalStateException if too much is read back and not closed
     */
    public Readback read(Buffer source, long offset, int bytes, TimelinePoint... after) {
        checks.buffer(source, BufferUsage.COPY_SRC, offset, bytes);
        return submit(
                source.name(),
                bytes,
                after,
                (list, staging) -> UploadRecorder.readBack(list, source, offset, bytes, staging));
    }

    /**
     * Reads one mip of one layer of a texture: rows of texels (of blocks in compressed formats), tightly packed, slice
     * by slice in three dimensions; of depth with stencil, depth.
     *
     * @param layout the layout that it is in, and is left in
     * @param after points of other queues that come first
     * @throws IllegalStateException if too much is read back and not closed
     */
    public Readback read(Texture source, int mip, int layer, TextureLayout layout, TimelinePoint... after) {
        checks.texture(source, TextureUsage.COPY_SRC, mip, layer, layout);
        long bytes = UploadRecorder.bytes(source, mip);
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(checks.what("texture", source.name()) + ": mip " + mip + " has " + bytes
                    + " bytes, one readback brings at most " + Integer.MAX_VALUE
                    + "; copy parts of it to a buffer and read that");
        }
        return submit(
                source.name(),
                bytes,
                after,
                (list, staging) -> UploadRecorder.readBack(list, source, mip, layer, layout, staging, bytes));
    }

    private Readback submit(
            String source, long bytes, TimelinePoint[] after, BiConsumer<CommandList, Buffer> recording) {
        List<Submission.Wait> waits = new ArrayList<>(after.length);
        for (TimelinePoint point : after) {
            waits.add(checks.waitFor(point));
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
        } catch (RuntimeException | Error e) {
            release(slot, point);
            throw e;
        }
    }

    private ReadbackSlot take(String source, long bytes) {
        long size = rounded(bytes);
        synchronized (this) {
            requireOpen();
            if (size > granted - lent) {
                throw new IllegalStateException("readbacks '" + name + "' have " + lent + " of " + granted
                        + " bytes in use and cannot take " + size + " more for '" + source
                        + "'; close what has been read, or grant more");
            }
            lent += size;
            ReadbackSlot slot = idle(size);
            if (slot != null) {
                return slot;
            }
        }
        try {
            return allocate(size);
        } catch (RuntimeException | Error e) {
            synchronized (this) {
                lent -= size;
            }
            throw e;
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("readbacks '" + name + "' are closed");
        }
    }

    /**
     * Allocates a slot that is lent already. That may wait for memory, without holding up threads that allocate
     * nothing.
     */
    private ReadbackSlot allocate(long size) {
        synchronized (allocating) {
            while (true) {
                ReadbackSlot oldest;
                synchronized (this) {
                    requireOpen();
                    if (allocated + size <= granted) {
                        allocated += size;
                        break;
                    }
                    // Memory that is neither lent nor about to be allocated is free, so there is one.
                    oldest = free.iterator().next();
                    takeOut(oldest);
                }
                try {
                    oldest.close();
                } finally {
                    forget(oldest.capacity());
                }
            }
            ReadbackSlot slot;
            try {
                slot = ReadbackSlot.open(device, name + " " + created, size);
                created++;
            } catch (RuntimeException | Error e) {
                forget(size);
                throw e;
            }
            synchronized (this) {
                if (!closed) {
                    return slot;
                }
            }
            slot.close();
            throw new IllegalStateException("readbacks '" + name + "' were closed meanwhile");
        }
    }

    private synchronized void forget(long bytes) {
        allocated -= bytes;
    }

    /**
     * Returns one of eight sizes from each power of two to the next, so that memory also fits requests of similar size.
     */
    static long rounded(long bytes) {
        long step = Math.max(SMALLEST, Long.highestOneBit(bytes) / STEPS);
        long size = (bytes + step - 1) / step * step;
        return size > Integer.MAX_VALUE ? bytes : size;
    }

    private @Nullable ReadbackSlot idle(long size) {
        PriorityQueue<ReadbackSlot> ofSize = freeBySize.get(size);
        ReadbackSlot first = ofSize == null ? null : ofSize.peek();
        if (first == null || !first.isIdle()) {
            return null;
        }
        takeOut(first);
        return first;
    }

    private void takeOut(ReadbackSlot slot) {
        free.remove(slot);
        PriorityQueue<ReadbackSlot> ofSize = freeBySize.get(slot.capacity());
        if (ofSize != null) {
            ofSize.remove(slot);
            if (ofSize.isEmpty()) {
                freeBySize.remove(slot.capacity());
            }
        }
    }

    /** Takes memory back; the device may write it until {@code point}. */
    synchronized void release(ReadbackSlot slot, @Nullable TimelinePoint point) {
        slot.busyUntil = point;
        lent -= slot.capacity();
        if (closed) {
            slot.close();
        } else {
            free.add(slot);
            freeBySize
                    .computeIfAbsent(
                            slot.capacity(),
                            size -> new PriorityQueue<>(Comparator.comparingLong(ReadbackSlot::busyValue)))
                    .add(slot);
        }
    }

    /** Frees what is not in use; readbacks that are still open free their memory when they are closed. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        List<Runnable> closings = new ArrayList<>();
        free.forEach(slot -> closings.add(slot::close));
        free.clear();
        freeBySize.clear();
        Closing.all(closings);
    }
}
