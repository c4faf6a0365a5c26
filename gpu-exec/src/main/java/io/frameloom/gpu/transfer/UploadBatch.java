package io.frameloom.gpu.transfer;

import io.frameloom.gpu.GpuException;
import io.frameloom.gpu.TimelinePoint;
import io.frameloom.taskgraph.GraphEvent;
import org.jspecify.annotations.Nullable;

/** Uploads that are submitted together. Any thread. */
public final class UploadBatch {
    private final Uploader uploader;

    /** Both guarded by the uploader's lock. */
    private @Nullable TimelinePoint point;

    private @Nullable RuntimeException failure;

    UploadBatch(Uploader uploader) {
        this.uploader = uploader;
    }

    /**
     * Returns the point for submissions that use the data to wait for; submits the batch if that has not happened yet.
     *
     * @throws GpuException if the submission has failed
     */
    public TimelinePoint point() {
        return uploader.pointOf(this);
    }

    /** Returns an event that completes when the data has arrived; submits the batch if that has not happened yet. */
    public GraphEvent arrived() {
        TimelinePoint reached = point();
        return reached.queue().timeline().reached(reached.value());
    }

    void submitted(TimelinePoint at) {
        point = at;
    }

    void failed(RuntimeException why) {
        failure = why;
    }

    /** Returns whether the batch was submitted, or could not be. */
    boolean isSettled() {
        return point != null || failure != null;
    }

    boolean isComplete() {
        TimelinePoint at = point;
        return failure != null || (at != null && at.queue().timeline().completed() >= at.value());
    }

    TimelinePoint requirePoint() {
        if (failure != null) {
            throw new GpuException("the uploads were not submitted: " + failure.getMessage(), failure);
        }
        if (point == null) {
            throw new IllegalStateException("the uploads were not submitted yet");
        }
        return point;
    }
}
