package io.frameloom.gpu.transfer;

import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.Submission;
import java.util.ArrayList;
import java.util.List;

/** The recycled part of a batch of uploads. Guarded by the uploader's lock. */
final class UploadSlot implements AutoCloseable {
    private final FrameContext context;
    final WrittenRanges written = new WrittenRanges();
    final List<Submission.Wait> waits = new ArrayList<>();
    final UploadCopies copies = new UploadCopies();
    CommandList list;
    QueuedBatch batch;
    /** Ring position behind the newest upload of the batch. */
    long end;
    /** Offset in the ring of the newest upload. */
    int at;
    /** How many threads are still copying to the ring. */
    int writers;

    /** Begins the first batch; the context is closed if that fails. */
    UploadSlot(FrameContext context, GpuQueue queue, QueuedBatch batch) {
        this.context = context;
        this.batch = batch;
        try {
            this.list = begin(queue);
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /** Begins another batch; the last one must be complete. */
    void reuse(GpuQueue queue, QueuedBatch next) {
        context.reset();
        written.clear();
        waits.clear();
        copies.clear();
        list = begin(queue);
        batch = next;
    }

    /** Takes another list: the one that there is cannot be submitted. */
    void renewList(GpuQueue queue) {
        list = begin(queue);
    }

    private CommandList begin(GpuQueue queue) {
        CommandList begun = context.beginCommands(queue, context.name());
        UploadRecorder.afterEarlierCopies(begun);
        return begun;
    }

    /** Returns whether the ring memory of the batch is free again. */
    boolean isDone() {
        return writers == 0 && batch.isComplete();
    }

    @Override
    public void close() {
        context.close();
    }
}
