package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.taskgraph.GraphEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The batches of an uploader in the order of their bytes in the ring: those that the device copies, those on their way
 * to it, and at last the open one, which gathers uploads. Everything with the lock of the uploader, which is released
 * during waits.
 */
public final class UploadQueue {
    private static final int SLOTS = 4;

    private final GpuDevice device;
    private final GpuQueue queue;
    private final String name;
    private final StagingRing ring;
    private final ReentrantLock lock;
    private final Condition settled;
    /** Batches whose bytes are in the ring, oldest first; the open one is last. */
    private final ArrayDeque<UploadSlot> used = new ArrayDeque<>();

    private final ArrayDeque<UploadSlot> free = new ArrayDeque<>();
    private final List<Submission.Wait> waits = new ArrayList<>();
    /** Batches that could not be submitted since the last flush. */
    private final List<QueuedBatch> failed = new ArrayList<>();
    /** Targets that were closed before their uploads were submitted, since the last flush. */
    private final Set<String> dropped = new LinkedHashSet<>();

    private @Nullable UploadSlot open;
    private @Nullable TimelinePoint newest;

    public UploadQueue(GpuDevice device, GpuQueue queue, String name, StagingRing ring, ReentrantLock lock) {
        this.device = device;
        this.queue = queue;
        this.name = name;
        this.ring = ring;
        this.lock = lock;
        this.settled = lock.newCondition();
    }

    public void after(Submission.Wait wait) {
        waits.add(wait);
    }

    /** Returns the point of the last batch that was submitted, or null. */
    public @Nullable TimelinePoint newest() {
        return newest;
    }

    public List<UploadSlot> slots() {
        List<UploadSlot> all = new ArrayList<>(used);
        all.addAll(free);
        return all;
    }

    /** Takes bytes of the ring for the open batch; {@link UploadSlot#at} says where. Null if there is no room now. */
    public @Nullable UploadSlot take(int bytes, int alignment) {
        UploadSlot slot = ring.hasRoom(bytes, alignment) ? openSlot() : null;
        if (slot != null) {
            slot.at = ring.take(bytes, alignment);
            slot.end = ring.head();
        }
        return slot;
    }

    public void written(UploadSlot slot) {
        slot.writers--;
        settled.signalAll();
    }

    /** Returns the batch that gathers uploads, or null if all are under way. */
    private @Nullable UploadSlot openSlot() {
        UploadSlot slot = open;
        if (slot == null) {
            slot = free.peek();
            if (slot != null) {
                slot.reuse(queue, new QueuedBatch(this));
                free.remove();
            } else if (used.size() < SLOTS) {
                FrameContext context = device.createFrameContext(name + " batch " + used.size());
                slot = new UploadSlot(context, queue, new QueuedBatch(this));
            } else {
                return null;
            }
            slot.end = ring.head();
            used.add(slot);
            open = slot;
        }
        return slot;
    }

    /** Returns the point of a batch, which is submitted now if it still gathers uploads. */
    TimelinePoint pointOf(QueuedBatch batch) {
        lock.lock();
        try {
            settle(batch);
            return batch.requirePoint();
        } finally {
            lock.unlock();
        }
    }

    /** Returns an event of the arrival of a batch, which is submitted now if it still gathers uploads. */
    GraphEvent arrivalOf(QueuedBatch batch) {
        GpuException failure;
        lock.lock();
        try {
            settle(batch);
            failure = batch.reportFailure();
        } finally {
            lock.unlock();
        }
        if (failure == null) {
            TimelinePoint point = pointOf(batch);
            return point.queue().timeline().reached(point.value());
        }
        GraphEvent event = device.taskGraph().event(name + " arrived");
        event.fail(failure);
        return event;
    }

    /** Returns when a batch is submitted or has failed; it is submitted now if it still gathers uploads. */
    void settle(QueuedBatch batch) {
        UploadSlot current = open;
        if (current != null && current.batch == batch) {
            submitOpen();
        }
        while (!batch.isSettled()) {
            settled.awaitUninterruptibly();
        }
    }

    /** Submits the open batch, and returns when those before it are submitted as well. */
    public void submitAll() {
        submitOpen();
        awaitSubmissions(null);
    }

    /**
     * Takes back what the device has copied. If there is nothing yet, submits the open batch or waits for the oldest;
     * both release the lock meanwhile.
     */
    public void makeRoom() {
        if (reclaim()) {
            return;
        }
        UploadSlot oldest = used.peek();
        if (open != null) {
            requireDevice(submitOpen());
        } else if (oldest == null) {
            // No bytes in the ring are in use: only its end is in the way.
            ring.restart();
        } else {
            awaitSettled(oldest);
            awaitDevice(oldest.batch);
        }
    }

    /** Waits until the batch that a slot holds now is submitted and written, or the slot holds another. */
    private void awaitSettled(UploadSlot slot) {
        QueuedBatch batch = slot.batch;
        while (slot.batch == batch && (slot.writers > 0 || !batch.isSettled())) {
            settled.awaitUninterruptibly();
        }
    }

    /** Waits, without the lock, until the device has executed a batch that was submitted. */
    private void awaitDevice(QueuedBatch batch) {
        TimelinePoint point = batch.submittedAt();
        if (point != null) {
            lock.unlock();
            try {
                Closing.await(point);
            } finally {
                lock.lock();
            }
        }
    }

    /** A lost device takes no further upload; other failures are those of one batch. */
    private static void requireDevice(@Nullable Throwable failure) {
        if (failure instanceof DeviceLostException lost) {
            throw lost;
        }
    }

    /**
     * Takes back what the device has copied, in the order of the ring, since that has only two ends.
     *
     * @return whether there was anything
     */
    private boolean reclaim() {
        boolean any = false;
        for (UploadSlot oldest = used.peek(); oldest != null && oldest.isDone(); oldest = used.peek()) {
            used.remove();
            ring.giveBack(oldest.end);
            free.add(oldest);
            any = true;
        }
        return any;
    }

    /**
     * Submits the open batch, if there is one, when all threads have written their parts and after earlier ones. The
     * batch is settled whatever goes wrong, so that no thread waits for it for ever.
     *
     * @return the failure of the submission, or null
     */
    private @Nullable Throwable submitOpen() {
        UploadSlot slot = open;
        if (slot == null) {
            return null;
        }
        open = null;
        try {
            slot.waits.addAll(waits);
            waits.clear();
            awaitSubmissions(slot);
            while (slot.writers > 0) {
                settled.awaitUninterruptibly();
            }
            TimelinePoint point = submit(slot);
            newest = point;
            slot.batch.submitted(point);
            return null;
        } catch (RuntimeException | Error e) {
            handOnWaits(slot);
            slot.batch.failed(e);
            failed.add(slot.batch);
            return e;
        } finally {
            settled.signalAll();
            slot.clearCopies();
        }
    }

    /**
     * Submits a batch without the copies to targets that are closed by now. If a target is closed later, up to the
     * submission, the device refuses the list; then another list takes the other copies.
     */
    private TimelinePoint submit(UploadSlot slot) {
        slot.copies.dropClosed(dropped::add);
        while (true) {
            try {
                slot.copies.record(slot.list, ring.buffer());
                slot.list.end();
                return queue.submit(new Submission(name, List.of(slot.list), slot.waits));
            } catch (RuntimeException e) {
                if (!slot.copies.dropClosed(dropped::add)) {
                    throw e;
                }
                slot.renewList(queue);
            }
        }
    }

    /** Lets the next batch wait for what a failed one should have: its uploads may be the same, or the rest of them. */
    private void handOnWaits(UploadSlot slot) {
        List<Submission.Wait> next = waits;
        boolean passed = false;
        for (UploadSlot other : used) {
            if (passed && other != open) {
                // It has taken its own waits already.
                next = other.waits;
                break;
            }
            passed |= other == slot;
        }
        next.addAll(slot.waits);
        slot.waits.clear();
    }

    /** Throws the first unreported failure since the last call, with all others suppressed. */
    public void throwUnreported() {
        List<QueuedBatch> since = List.copyOf(failed);
        failed.clear();
        GpuException first = reportDropped();
        for (QueuedBatch batch : since) {
            GpuException failure = batch.isReported() ? null : batch.reportFailure();
            if (first == null) {
                first = failure;
            } else if (failure != null) {
                first.addSuppressed(failure);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Returns a message about targets that were closed, or null. */
    private @Nullable GpuException reportDropped() {
        if (dropped.isEmpty()) {
            return null;
        }
        String closed = String.join(", ", dropped);
        dropped.clear();
        return new GpuException("uploader '" + name + "' has left out what was uploaded to " + closed + " since it was"
                + " closed before that was submitted; flush, or ask the batch for its point, before closing it");
    }

    /** Waits until other threads have submitted the batches before one, or all but the open one. */
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
}
