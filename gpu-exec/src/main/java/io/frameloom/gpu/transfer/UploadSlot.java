package io.frameloom.gpu.transfer;

import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.Submission;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** The recycled part of a batch of uploads. Guarded by the uploader's lock. */
final class UploadSlot implements AutoCloseable {
    private final FrameContext context;
    private final IdentityHashMap<Resource, long[]> written = new IdentityHashMap<>();
    final List<Submission.Wait> waits = new ArrayList<>();
    CommandList list;
    UploadBatch batch;
    /** Ring position behind the newest upload of the batch. */
    long end;
    /** Offset in the ring of the newest upload. */
    int at;
    /** How many threads are still copying to the ring. */
    int writers;

    UploadSlot(FrameContext context, GpuQueue queue, UploadBatch batch) {
        this.context = context;
        this.batch = batch;
        this.list = context.beginCommands(queue, context.name());
    }

    /** Begins another batch; the last one must be complete. */
    void reuse(GpuQueue queue, UploadBatch next) {
        context.reset();
        written.clear();
        waits.clear();
        batch = next;
        list = context.beginCommands(queue, context.name());
    }

    /**
     * Notes that bytes are written, and returns whether this batch may have written some of them before. What a buffer was
     * written at is remembered as one range, so that uploads in order never count as overlapping.
     */
    boolean overlaps(Resource target, long from, long to) {
        long[] known = written.get(target);
        if (known == null) {
            written.put(target, new long[] {from, to});
            return false;
        }
        boolean overlap = from < known[1] && known[0] < to;
        known[0] = overlap ? from : Math.min(known[0], from);
        known[1] = overlap ? to : Math.max(known[1], to);
        if (overlap) {
            // The barrier that follows orders everything before it.
            written.clear();
            written.put(target, known);
        }
        return overlap;
    }

    @Override
    public void close() {
        context.close();
    }
}
