package io.frameloom.gpu.transfer;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.transfer.staging.Closing;
import io.frameloom.gpu.transfer.staging.StagingRing;
import io.frameloom.gpu.transfer.staging.TexturePieces;
import io.frameloom.gpu.transfer.staging.TransferChecks;
import io.frameloom.gpu.transfer.staging.UploadQueue;
import io.frameloom.gpu.transfer.staging.UploadRecorder;
import io.frameloom.gpu.transfer.staging.UploadSlot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/**
 * Brings data to buffers and textures in device memory, on the copy queue where the device has one, else on its first
 * queue. Any thread may call any method.
 *
 * <p>Uploads are gathered in batches. A batch is submitted by {@link #flush}, by a request for its point, and when the
 * ring of staging memory is full. Submissions that use the data wait for that point; nothing else orders them. Earlier
 * uses of the target's old contents come before the upload only if their point was given to {@link #after}. Uploads of
 * one batch to the same bytes are carried out in their order. A {@link
 * io.frameloom.gpu.resource.QueueSharing#EXCLUSIVE} target then belongs to the family of that queue, which hands it
 * over to another.
 *
 * <p>Memory: one ring, and nothing else however much is uploaded. A thread that finds it full submits what there is and
 * blocks until the device has taken the oldest batch. So uploads are as fast as the device. Data larger than half of
 * the ring goes in pieces: of textures layers, slices, rows of blocks and parts of these, in the units that the queue
 * copies ({@link GpuQueue#copyUnit}).
 *
 * <p>Failures: the call refuses what cannot be uploaded, and the batch goes on without it. If a target is closed before
 * the batch is submitted, the batch leaves out its uploads; the next {@link #flush} or {@link #close} reports that.
 * While other threads upload, they may be submitting it: ask the batch for its point before you close a target. A
 * batch that could not be submitted fails for all its uploads: its {@link UploadBatch#point} throws and its {@link
 * UploadBatch#arrived} event fails. A failure that was not reported in this way is thrown by the next {@link #flush},
 * or by {@link #close}. The next batch then waits for what that one should have waited for.
 */
public final class Uploader implements AutoCloseable {
    /** Size of a ring that suits most. */
    public static final int DEFAULT_RING_BYTES = 32 << 20;

    private static final int BUFFER_ALIGNMENT = 4;

    private final String name;
    private final GpuQueue queue;
    private final TransferChecks checks;
    private final StagingRing ring;
    private final ReentrantLock lock = new ReentrantLock();
    private final UploadQueue batches;
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
        this(
                device,
                device.queues().stream()
                        .filter(candidate -> candidate.kind() == QueueKind.COPY)
                        .findFirst()
                        .orElse(device.queues().get(0)),
                name,
                ringBytes);
    }

    /**
     * Opens an uploader on a queue; textures with depth or stencil need one that does graphics.
     *
     * @param queue queue of the device that copies
     * @param name debug name
     * @param ringBytes size of the staging memory, at least 1024
     */
    public Uploader(GpuDevice device, GpuQueue queue, String name, int ringBytes) {
        if (ringBytes < 1024) {
            throw new IllegalArgumentException(
                    "uploader '" + name + "' needs a ring of at least 1024 bytes, got " + ringBytes);
        }
        this.name = name;
        this.queue = queue;
        this.checks = new TransferChecks(device, "uploader '" + name + "'", "uploads to");
        this.checks.requireQueue(queue);
        this.ring = new StagingRing(
                device.createBuffer(name + " ring", BufferDescription.upload(ringBytes, BufferUsage.COPY_SRC)),
                ringBytes);
        this.batches = new UploadQueue(device, queue, name, ring, lock);
    }

    /** Returns the queue that copies. */
    public GpuQueue queue() {
        return queue;
    }

    /**
     * Uploads the remaining bytes of {@code data}, whose position stays.
     *
     * @return the batch of the last of them
     * @throws IllegalArgumentException if the bytes do not fit the buffer, or it is no destination of copies
     * @throws GpuException if the data took several batches and one before the last could not be submitted
     * @throws DeviceLostException if the device is lost
     */
    public UploadBatch upload(Buffer target, long offset, ByteBuffer data) {
        int bytes = data.remaining();
        checks.buffer(target, BufferUsage.COPY_DST, offset, bytes);
        int most = ring.capacity() / 2;
        if (bytes <= most) {
            return piece(target, offset, data, data.position(), bytes);
        }
        return inOrder((bytes - 1) / most + 1, i -> {
            int done = i * most;
            return piece(target, offset + done, data, data.position() + done, Math.min(most, bytes - done));
        });
    }

    /** Uploads pieces; returns the batch of the last one, after those before it are submitted. */
    private static UploadBatch inOrder(int pieces, IntFunction<UploadBatch> upload) {
        UploadBatch batch = upload.apply(0);
        List<UploadBatch> earlier = List.of();
        for (int i = 1; i < pieces; i++) {
            UploadBatch next = upload.apply(i);
            if (next != batch) {
                earlier = earlier.isEmpty() ? new ArrayList<>() : earlier;
                earlier.add(batch);
                batch = next;
            }
        }
        earlier.forEach(UploadBatch::point);
        return batch;
    }

    /**
     * Takes room in the ring and the open batch together, under one lock. Then copies to the ring without it, so that
     * threads copy side by side.
     */
    private UploadBatch piece(Buffer target, long offset, ByteBuffer data, int from, int length) {
        UploadSlot slot;
        int at;
        UploadBatch batch;
        lock.lock();
        try {
            slot = reserve(length, BUFFER_ALIGNMENT);
            at = slot.at;
            batch = slot.batch;
            slot.add(target, offset, length);
        } finally {
            lock.unlock();
        }
        try {
            ring.write(at, data, from, length);
        } finally {
            written(slot);
        }
        return batch;
    }

    private void written(UploadSlot slot) {
        lock.lock();
        try {
            batches.written(slot);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Replaces one mip of one layer of a texture by the remaining bytes of {@code data}, whose position stays: rows of
     * texels (of blocks in compressed formats), tightly packed, slice by slice in three dimensions. Of a texture with
     * depth and stencil it replaces the depth.
     *
     * @param layout the layout to leave it in
     * @return the batch of the last of them
     * @throws IllegalArgumentException if the bytes are not those of the mip, or the queue cannot write such a texture
     * @throws GpuException if the data took several batches and one before the last could not be submitted
     */
    public UploadBatch upload(Texture target, int mip, int layer, ByteBuffer data, TextureLayout layout) {
        checks.texture(target, TextureUsage.COPY_DST, mip, layer, layout);
        TextureRegion region = TextureRegion.mip(target.description(), mip).withLayers(layer, 1);
        long bytes = TexturePieces.bytes(target.description().format(), region);
        if (data.remaining() != bytes) {
            throw new IllegalArgumentException(checks.what("texture", target.name()) + ": mip " + mip + " has " + bytes
                    + " bytes, got " + data.remaining());
        }
        return upload(target, region, data, TextureLayout.UNDEFINED, layout);
    }

    /**
     * Replaces a part of one plane of a texture by the remaining bytes of {@code data}, whose position stays: rows of
     * texels (of blocks in compressed formats), tightly packed, slice by slice and layer by layer.
     *
     * @param before the layout that the layers of the mip are in, whose other texels stay; or UNDEFINED, which loses
     *     them
     * @param after the layout to leave them in
     * @return the batch of the last of them
     * @throws IllegalArgumentException if the bytes are not those of the region, or the queue cannot write such a
     *     region
     * @throws GpuException if the data took several batches and one before the last could not be submitted
     */
    public UploadBatch upload(
            Texture target, TextureRegion region, ByteBuffer data, TextureLayout before, TextureLayout after) {
        checks.texture(target, TextureUsage.COPY_DST, region.mip(), region.baseLayer(), after);
        checks.layout(target, before);
        checks.region(target, region, queue);
        checks.requireDepthQueue(target, queue);
        Format format = target.description().format();
        long bytes = TexturePieces.bytes(format, region);
        if (data.remaining() != bytes) {
            throw new IllegalArgumentException(checks.what("texture", target.name()) + ": " + region + " has " + bytes
                    + " bytes, got " + data.remaining());
        }
        if (bytes <= ring.capacity() / 2) {
            return piece(target, region, region, data, before, after);
        }
        List<TextureRegion> pieces = TexturePieces.of(format, region, queue.copyUnit(), ring.capacity() / 2);
        for (TextureRegion piece : pieces) {
            requireRoom(target, TexturePieces.bytes(format, piece));
        }
        return inOrder(pieces.size(), i -> {
            TextureRegion piece = pieces.get(i);
            return piece(target, region, piece, data, isFirst(piece, region) ? before : after, after);
        });
    }

    private void requireRoom(Texture target, long bytes) {
        if (bytes > ring.capacity()) {
            throw new IllegalArgumentException(
                    checks.what("texture", target.name()) + ", of which queue '" + queue.name()
                            + "' copies no part of less than " + bytes + " bytes, but the ring has " + ring.capacity()
                            + "; open an uploader with a larger ring, or for a queue that copies smaller parts");
        }
    }

    /** Returns whether a piece is the first of its layers: others find what that has left. */
    private static boolean isFirst(TextureRegion piece, TextureRegion region) {
        return piece.x() == region.x() && piece.y() == region.y() && piece.z() == region.z();
    }

    /** Takes room for a piece of a texture and writes it. */
    private UploadBatch piece(
            Texture target,
            TextureRegion whole,
            TextureRegion piece,
            ByteBuffer data,
            TextureLayout before,
            TextureLayout after) {
        Format format = target.description().format();
        UploadSlot slot;
        int at;
        UploadBatch batch;
        lock.lock();
        try {
            slot = reserve((int) TexturePieces.bytes(format, piece), UploadRecorder.alignment(target, piece.plane()));
            at = slot.at;
            batch = slot.batch;
            slot.add(target, piece, before, after);
        } finally {
            lock.unlock();
        }
        try {
            TexturePieces.write(format, whole, piece, ring, at, data);
        } finally {
            written(slot);
        }
        return batch;
    }

    /**
     * Makes the open batch, or the next one if none is open, wait for a point: its uploads overwrite what the work
     * before that point reads. If that batch cannot be submitted, the next one waits.
     *
     * @throws IllegalArgumentException if the point is of another device, or was not submitted yet
     */
    public void after(TimelinePoint point) {
        Submission.Wait wait = checks.waitFor(point);
        lock.lock();
        try {
            requireOpen();
            batches.after(wait);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Submits what was uploaded so far and returns the point at which all of it has arrived.
     *
     * <p>Any thread. When this returns, every upload whose call has returned before, on whatever thread, is submitted.
     * So are the uploads of other threads to the same batch in progress: this waits for their copies to the ring. It
     * does not wait for the device: the data is there when the point is reached, and only what waits for the point may
     * use it. If nothing was ever uploaded, the point has value 0, which is reached from the start.
     *
     * @throws GpuException if this or an earlier batch could not be submitted since the last flush, unless {@link
     *     UploadBatch#point} or {@link UploadBatch#arrived} reported that, or if a target was closed before its uploads
     *     were submitted; everything else is submitted, and the uploader can be used further
     */
    public TimelinePoint flush() {
        lock.lock();
        try {
            requireOpen();
            batches.submitAll();
            batches.throwUnreported();
            TimelinePoint last = batches.newest();
            return last == null ? new TimelinePoint(queue, 0) : last;
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("uploader '" + name + "' is closed");
        }
    }

    /**
     * Reserves bytes of the ring in the open batch, blocking for the device if there is no room; {@link UploadSlot#at}
     * is their position.
     */
    private UploadSlot reserve(int bytes, int alignment) {
        while (true) {
            requireOpen();
            UploadSlot slot = batches.take(bytes, alignment);
            if (slot != null) {
                return slot;
            }
            batches.makeRoom();
        }
    }

    /**
     * Submits what is left, waits until it has arrived or the device is lost, and frees the ring; a second call does
     * nothing.
     *
     * @throws GpuException if a batch could not be submitted, as from {@link #flush}; everything is freed nonetheless
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            batches.submitAll();
            List<Runnable> closings = new ArrayList<>();
            TimelinePoint last = batches.newest();
            if (last != null) {
                closings.add(() -> Closing.awaitEnd(last));
            }
            batches.slots().forEach(slot -> closings.add(slot::close));
            closings.add(ring::close);
            closings.add(batches::throwUnreported);
            Closing.all(closings);
        } finally {
            lock.unlock();
        }
    }
}
