package io.frameloom.gpu.transfer;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.DeviceLostException;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TimelinePoint;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Brings data to buffers and textures in device memory, on the copy queue where the device has one, else on its first
 * queue. Any thread may call any method.
 *
 * <p>Uploads are gathered in batches. A batch is submitted by {@link #flush}, by whoever asks it for its point, and when
 * the ring of staging memory is full. Submissions that use the data wait for that point; nothing else orders them. What
 * the device still does with the target's old contents comes before the upload only if its point was named to {@link
 * #after}. Uploads of one batch to the same bytes are carried out in their order.
 *
 * <p>Memory: one ring, and nothing else however much is uploaded. A thread that finds it full submits what there is and
 * blocks until the device has taken the oldest batch, so uploads are as fast as the device. Data larger than half of the
 * ring goes to a buffer in pieces; one mip of one layer of a texture must fit the ring.
 */
public final class Uploader implements AutoCloseable {
    /** Size of a ring that suits most. */
    public static final int DEFAULT_RING_BYTES = 32 << 20;

    private static final int SLOTS = 4;
    private static final int BUFFER_ALIGNMENT = 4;
    private static final Duration LONG = Duration.ofDays(1);

    private final GpuDevice device;
    private final String name;
    private final GpuQueue queue;
    private final Buffer ring;
    private final ByteBuffer memory;
    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition settled = lock.newCondition();
    /** Batches whose bytes are in the ring, oldest first; the open one is last. */
    private final ArrayDeque<UploadSlot> used = new ArrayDeque<>();

    private final ArrayDeque<UploadSlot> free = new ArrayDeque<>();
    private final List<Submission.Wait> waits = new ArrayList<>();
    private @Nullable UploadSlot open;
    private @Nullable TimelinePoint newest;
    /** Positions in the ring count up for ever. */
    private long head;

    private long tail;
    private boolean closed;

    /**
     * Opens an uploader with a ring of {@link #DEFAULT_RING_BYTES}.
     *
     * @param name debug name
     */
    public Uploader(GpuDevice device, String name) {
        this(device, name, DEFAULT_RING_BYTES);
    }

    /**
     * Opens an uploader.
     *
     * @param name debug name
     * @param ringBytes size of the staging memory, at least 1024
     */
    public Uploader(GpuDevice device, String name, int ringBytes) {
        if (ringBytes < 1024) {
            throw new IllegalArgumentException(
                    "uploader '" + name + "' needs a ring of at least 1024 bytes, got " + ringBytes);
        }
        this.device = device;
        this.name = name;
        this.capacity = ringBytes;
        this.queue = device.queues().stream()
                .filter(candidate -> candidate.kind() == QueueKind.COPY)
                .findFirst()
                .orElse(device.queues().get(0));
        this.ring = device.createBuffer(name + " ring", BufferDescription.upload(ringBytes, BufferUsage.COPY_SRC));
        this.memory = ring.mapped();
    }

    /** Returns the queue that copies. */
    public GpuQueue queue() {
        return queue;
    }

    /**
     * Uploads the remaining bytes of {@code data}, whose position stays.
     *
     * @return the batch that the last of them belong to
     * @throws IllegalArgumentException if the bytes do not fit the buffer, or it is no destination of copies
     * @throws DeviceLostException if the device is lost
     */
    public UploadBatch upload(Buffer target, long offset, ByteBuffer data) {
        requireTarget("buffer", target.name(), target.isClosed());
        int bytes = data.remaining();
        if (!target.description().usage().contains(BufferUsage.COPY_DST)) {
            throw new IllegalArgumentException(what("buffer", target.name()) + ", which was not created for COPY_DST");
        }
        if (bytes == 0 || offset < 0 || bytes > target.description().bytes() - offset) {
            throw new IllegalArgumentException(what("buffer", target.name()) + " of "
                    + target.description().bytes() + " bytes: " + bytes + " bytes at offset " + offset
                    + " do not fit or are none");
        }
        int piece = capacity / 2;
        UploadBatch batch = null;
        for (int done = 0; done < bytes; done += piece) {
            int length = Math.min(piece, bytes - done);
            UploadSlot slot;
            int at;
            lock.lock();
            try {
                slot = reserve(length, BUFFER_ALIGNMENT);
                at = slot.at;
                UploadRecorder.upload(
                        slot.list,
                        ring,
                        at,
                        target,
                        offset + done,
                        length,
                        slot.overlaps(target, offset + done, offset + done + length));
                slot.writers++;
                batch = slot.batch;
            } finally {
                lock.unlock();
            }
            write(slot, at, data, data.position() + done, length);
        }
        if (batch == null) {
            throw new AssertionError("no piece of " + bytes + " bytes");
        }
        return batch;
    }

    /**
     * Replaces one mip of one layer of a texture by the remaining bytes of {@code data}, tightly packed rows; its position
     * stays.
     *
     * @param layout the layout to leave it in
     * @return the batch that it belongs to
     * @throws IllegalArgumentException if the bytes are not those of the mip, or do not fit the ring
     */
    public UploadBatch upload(Texture target, int mip, int layer, ByteBuffer data, TextureLayout layout) {
        requireTarget("texture", target.name(), target.isClosed());
        if (!target.description().usage().contains(TextureUsage.COPY_DST)) {
            throw new IllegalArgumentException(what("texture", target.name()) + ", which was not created for COPY_DST");
        }
        if (mip < 0
                || mip >= target.description().mips()
                || layer < 0
                || layer >= target.description().layers()) {
            throw new IllegalArgumentException(
                    what("texture", target.name()) + ", which has no mip " + mip + " of layer " + layer);
        }
        long bytes = UploadRecorder.bytes(target, mip);
        if (data.remaining() != bytes || bytes > capacity) {
            throw new IllegalArgumentException(what("texture", target.name()) + ": mip " + mip + " has " + bytes
                    + " bytes, got " + data.remaining() + "; the ring has " + capacity);
        }
        UploadSlot slot;
        int at;
        UploadBatch batch;
        lock.lock();
        try {
            // Copies begin at a multiple of the texel, and on copy queues of four bytes.
            slot = reserve((int) bytes, 4 * UploadRecorder.texelBytes(target));
            at = slot.at;
            UploadRecorder.upload(slot.list, ring, at, bytes, target, mip, layer, layout);
            slot.writers++;
            batch = slot.batch;
        } finally {
            lock.unlock();
        }
        write(slot, at, data, data.position(), (int) bytes);
        return batch;
    }

    /** Makes the open batch, or the next one if none is open, wait for a point: its uploads overwrite what that reads. */
    public void after(TimelinePoint point) {
        lock.lock();
        try {
            requireOpen();
            waits.add(new Submission.Wait(point, PipelineStage.ALL_COMMANDS.bit()));
        } finally {
            lock.unlock();
        }
    }

    /** Submits what was uploaded so far and returns the point at which all of it has arrived. */
    public TimelinePoint flush() {
        lock.lock();
        try {
            requireOpen();
            submitOpen();
            awaitSubmissions(null);
            TimelinePoint last = newest;
            return last == null ? new TimelinePoint(queue, 0) : last;
        } finally {
            lock.unlock();
        }
    }

    TimelinePoint pointOf(UploadBatch batch) {
        lock.lock();
        try {
            UploadSlot current = open;
            if (current != null && current.batch == batch) {
                submitOpen();
            }
            while (!batch.isSettled()) {
                settled.awaitUninterruptibly();
            }
            return batch.requirePoint();
        } finally {
            lock.unlock();
        }
    }

    private String what(String kind, String target) {
        return "uploader '" + name + "' uploads to " + kind + " '" + target + "'";
    }

    private void requireTarget(String kind, String target, boolean gone) {
        if (gone) {
            throw new IllegalStateException(what(kind, target) + " after it was closed");
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("uploader '" + name + "' is closed");
        }
    }

    /**
     * Reserves bytes of the ring in the open batch, blocking for the device if there is no room; {@link UploadSlot#at} says
     * where. Room and batch are taken together, without the lock being given up in between.
     */
    private UploadSlot reserve(int bytes, int alignment) {
        while (true) {
            requireOpen();
            long start = aligned(bytes, alignment);
            UploadSlot slot = start + bytes - tail <= capacity ? openSlot() : null;
            if (slot != null) {
                head = start + bytes;
                slot.end = head;
                slot.at = (int) (start % capacity);
                return slot;
            }
            if (!reclaim()) {
                makeProgress();
            }
        }
    }

    /** Returns the next position that is aligned and has so many bytes before the end of the ring. */
    private long aligned(int bytes, int alignment) {
        long at = head % capacity;
        long next = (at + alignment - 1) / alignment * alignment;
        return next + bytes <= capacity ? head + next - at : (head / capacity + 1) * capacity;
    }

    /** Returns the batch that gathers uploads, or null if all are under way. */
    private @Nullable UploadSlot openSlot() {
        UploadSlot slot = open;
        if (slot == null) {
            slot = free.poll();
            if (slot != null) {
                slot.reuse(queue, new UploadBatch(this));
            } else if (used.size() < SLOTS) {
                slot = new UploadSlot(
                        device.createFrameContext(name + " batch " + used.size()), queue, new UploadBatch(this));
            } else {
                return null;
            }
            UploadRecorder.afterEarlierCopies(slot.list);
            used.add(slot);
            open = slot;
        }
        return slot;
    }

    /** Copies to the ring without the lock, so that threads copy side by side. */
    private void write(UploadSlot slot, int at, ByteBuffer data, int from, int bytes) {
        try {
            memory.put(at, data, from, bytes);
        } finally {
            lock.lock();
            try {
                slot.writers--;
                settled.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Submits the open batch, or waits for the oldest. */
    private void makeProgress() {
        UploadSlot oldest = used.peek();
        if (open != null) {
            submitOpen();
        } else if (oldest == null) {
            // Nobody has bytes in the ring: only its end is in the way.
            head = 0;
            tail = 0;
        } else if (oldest.batch.isSettled()) {
            queue.timeline().await(oldest.batch.requirePoint().value(), LONG);
        } else {
            UploadBatch batch = oldest.batch;
            while (!batch.isSettled()) {
                settled.awaitUninterruptibly();
            }
        }
    }

    /**
     * Takes back what the device has copied, in the order of the ring, since that has only two ends.
     *
     * @return whether there was anything
     */
    private boolean reclaim() {
        boolean any = false;
        for (UploadSlot oldest = used.peek(); oldest != null && oldest.batch.isComplete(); oldest = used.peek()) {
            used.remove();
            tail = oldest.end;
            free.add(oldest);
            any = true;
        }
        return any;
    }

    /** Submits the open batch, if there is one, when everybody has written what belongs to it and after earlier ones. */
    private void submitOpen() {
        UploadSlot slot = open;
        if (slot == null) {
            return;
        }
        open = null;
        slot.waits.addAll(waits);
        waits.clear();
        awaitSubmissions(slot);
        while (slot.writers > 0) {
            settled.awaitUninterruptibly();
        }
        try {
            slot.list.end();
            newest = queue.submit(new Submission(name, List.of(slot.list), slot.waits));
            slot.batch.submitted(newest);
        } catch (RuntimeException e) {
            slot.batch.failed(e);
            throw e;
        } finally {
            settled.signalAll();
        }
    }

    /** Waits until the batches before one, or all but the open one, are submitted by whoever is about to do so. */
    private void awaitSubmissions(@Nullable UploadSlot before) {
        while (isUnderWay(before)) {
            settled.awaitUninterruptibly();
        }
    }

    private boolean isUnderWay(@Nullable UploadSlot before) {
        for (UploadSlot slot : used) {
            if (slot == before) {
                return false;
            }
            if (slot != open && !slot.batch.isSettled()) {
                return true;
            }
        }
        return false;
    }

    /** Submits what is left, waits until it has arrived and frees the ring; a second call does nothing. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            try {
                submitOpen();
                awaitSubmissions(null);
                if (newest != null) {
                    queue.timeline().await(newest.value(), LONG);
                }
            } finally {
                used.forEach(UploadSlot::close);
                free.forEach(UploadSlot::close);
                ring.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
