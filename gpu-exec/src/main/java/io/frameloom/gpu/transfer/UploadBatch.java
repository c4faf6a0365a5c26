package io.frameloom.gpu.transfer;

import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.taskgraph.GraphEvent;

/** Uploads that are submitted together. Any thread. */
public interface UploadBatch {
    /**
     * Returns the point for submissions that use the data to wait for; submits the batch if that has not happened yet.
     *
     * @throws GpuException if the batch could not be submitted
     */
    TimelinePoint point();

    /**
     * Returns an event that completes when the data has arrived; submits the batch if that has not happened yet. The
     * event fails with the failure of the submission, or with {@link io.frameloom.gpu.error.DeviceLostException} if the
     * device is lost.
     */
    GraphEvent arrived();
}
