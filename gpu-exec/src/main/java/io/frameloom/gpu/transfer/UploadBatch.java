package io.frameloom.gpu.transfer;

import io.frameloom.gpu.GpuException;
import io.frameloom.gpu.TimelinePoint;
import io.frameloom.taskgraph.GraphEvent;
import org.jspecify.annotations.Nullable;

/** Uploads that are submitted together. Any thread. */
public final class UploadBatch {
    private final Uploader uploader;

    /** All guarded by the uploader's lock. */
    private @Nullable TimelinePoint point;

    private @Nullable Throwable failure;
    private boolean told;

    UploadBatch(Uploader uploader) {
        this.uploader = uploader;
    }

    /**
     * Returns the point for submissions that use the data to wait for; submits the batch if that has not happened yet.
     *
     * @throws GpuException if the batch could not be submitted
     */
    public TimelinePoint point() {
        return uploader.pointOf(this);
    }

    /**
     * Returns an event that completes when the data has arrived; submits the batch if that has not happened yet. The event
     * fails with what made the submission fail, or with {@link io.frameloom.gpu.DeviceLostException} if the device is lost.
     */
    public GraphEvent arrived() {
        return uploader.arrivalOf(this);
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

    /** Returns what made the submission fail, which counts as told from then on; or null. */
    @Nullable
    GpuException tellFailure() {
        Throwable why = failure;
        if (why == null) {
            return null;
        }
        told = true;
        return new GpuException("the uploads were not submitted: " + why.getMessage(), why);
    }

    boolean isTold() {
        return told;
    }

    TimelinePoint requirePoint() {
        GpuException failed = tellFailure();
        if (failed != null) {
            throw failed;
        }
        if (point == null) {
            throw new IllegalStateException("the uploads were not submitted yet");
        }
        return point;
    }
}
