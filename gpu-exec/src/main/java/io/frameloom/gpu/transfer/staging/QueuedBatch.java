package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.transfer.UploadBatch;
import io.frameloom.taskgraph.GraphEvent;
import org.jspecify.annotations.Nullable;

/** A batch of uploads and its result. */
final class QueuedBatch implements UploadBatch {
    private final UploadQueue queue;

    /** All guarded by the uploader's lock. */
    private @Nullable TimelinePoint point;

    private @Nullable Throwable failure;
    private boolean reported;

    QueuedBatch(UploadQueue queue) {
        this.queue = queue;
    }

    @Override
    public TimelinePoint point() {
        return queue.pointOf(this);
    }

    @Override
    public GraphEvent arrived() {
        return queue.arrivalOf(this);
    }

    void submitted(TimelinePoint at) {
        point = at;
    }

    void failed(Throwable why) {
        failure = why;
    }

    /** Returns the point of the submission, or null if there was none. */
    @Nullable
    TimelinePoint submittedAt() {
        return point;
    }

    /** Returns whether the batch was submitted, or could not be. */
    boolean isSettled() {
        return point != null || failure != null;
    }

    boolean isComplete() {
        TimelinePoint at = point;
        return failure != null || (at != null && at.queue().timeline().completed() >= at.value());
    }

    /** Returns the failure of the submission, which counts as reported from then on; or null. */
    @Nullable
    GpuException reportFailure() {
        Throwable why = failure;
        if (why == null) {
            return null;
        }
        reported = true;
        return new GpuException("the uploads were not submitted: " + why.getMessage(), why);
    }

    boolean isReported() {
        return reported;
    }

    TimelinePoint requirePoint() {
        GpuException failed = reportFailure();
        if (failed != null) {
            throw failed;
        }
        if (point == null) {
            throw new IllegalStateException("the uploads were not submitted yet");
        }
        return point;
    }
}
