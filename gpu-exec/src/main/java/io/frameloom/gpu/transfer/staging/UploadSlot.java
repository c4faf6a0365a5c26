package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import java.util.ArrayList;
import java.util.List;

/** The recycled part of a batch of uploads. Guarded by the uploader's lock. */
public final class UploadSlot implements AutoCloseable {
    private final FrameContext context;
    private WrittenRanges written = new WrittenRanges();
    final List<Submission.Wait> waits = new ArrayList<>();
    final UploadCopies copies = new UploadCopies();
    CommandList list;
    public QueuedBatch batch;
    /** Ring position after the newest upload of the batch. */
    long end;
    /** Offset in the ring of the newest upload. */
    public int at;
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
        waits.clear();
        list = begin(queue);
        batch = next;
    }

    /** Adds a copy of the newest upload to a buffer, which a thread is about to write to the ring. */
    public void add(Buffer target, long offset, int bytes) {
        boolean again = written.overlap(target, offset, offset + bytes);
        copies.add(at, target, offset, bytes, again);
        if (again) {
            written.clear();
        }
        written.add(target, offset, offset + bytes);
        writers++;
    }

    public void add(Texture target, TextureRegion region, TextureLayout before, TextureLayout after) {
        copies.add(at, target, region, before, after);
        writers++;
    }

    /** Forgets the copies, which are submitted or never will be. */
    void clearCopies() {
        if (copies.clear()) {
            written = new WrittenRanges();
        }
        written.clear();
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
