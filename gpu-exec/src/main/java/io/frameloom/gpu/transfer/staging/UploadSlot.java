package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import java.util.ArrayList;
import java.util.List;

/** The recycled part of a batch of uploads. Guarded by the uploader's lock. */
public final class UploadSlot implements AutoCloseable {
    private final FrameContext context;
    public final WrittenRanges written = new WrittenRanges();
    final List<Submission.Wait> waits = new ArrayList<>();
    public final UploadCopies copies = new UploadCopies();
    CommandList list;
    public QueuedBatch batch;
    /** Ring position after the newest upload of the batch. */
    long end;
    /** Offset in the ring of the newest upload. */
    public int at;
    /** How many threads are still copying to the ring. */
    public int writers;

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
