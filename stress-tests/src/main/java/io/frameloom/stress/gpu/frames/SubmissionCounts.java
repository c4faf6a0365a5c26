package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Resource;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Counts what is submitted, on its way to another observer. Any thread. */
final class SubmissionCounts implements SubmissionObserver {
    private final SubmissionObserver next;
    private final BitSet queues = new BitSet();
    private long submissions;
    private long waits;
    private long transfers;

    SubmissionCounts(SubmissionObserver next) {
        this.next = next;
    }

    @Override
    public void submitted(SubmissionRecord record) {
        count(record);
        next.submitted(record);
    }

    private synchronized void count(SubmissionRecord record) {
        submissions++;
        queues.set(record.queue().index());
        for (Submission.Wait wait : record.waits()) {
            if (!wait.point().queue().equals(record.queue())) {
                waits++;
            }
        }
        for (SubmissionRecord.Command command : record.commands()) {
            if (command instanceof SubmissionRecord.Barrier barrier) {
                barrier.batch().buffers().forEach(each -> release(record.queue(), each.ownership()));
                barrier.batch().textures().forEach(each -> release(record.queue(), each.ownership()));
            }
        }
    }

    /** A transfer is a release on a queue of the one family and an acquire on one of the other, of which one counts. */
    private void release(GpuQueue queue, BarrierBatch.@Nullable OwnershipTransfer transfer) {
        if (transfer != null && transfer.from() == queue.family()) {
            transfers++;
        }
    }

    @Override
    public void hostWaited(TimelinePoint point) {
        next.hostWaited(point);
    }

    @Override
    public void closed(Resource resource) {
        next.closed(resource);
    }

    @Override
    public void hostBegan(HostAccess access) {
        next.hostBegan(access);
    }

    @Override
    public void hostEnded(HostAccess access) {
        next.hostEnded(access);
    }

    @Override
    public void takenBack(DeviceEventSet events) {
        next.takenBack(events);
    }

    synchronized long submissions() {
        return submissions;
    }

    /** Returns how many waits there were of a queue for another one. */
    synchronized long waits() {
        return waits;
    }

    /** Returns how often something was handed from one queue family to another. */
    synchronized long transfers() {
        return transfers;
    }

    /** Returns how many queues were submitted to. */
    synchronized int queues() {
        return queues.cardinality();
    }
}
