package io.frameloom.gpu.transfer;

import io.frameloom.gpu.GpuException;
import io.frameloom.gpu.TimelinePoint;
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
     * Returns an event that completes when the data has arrived; submits the batch if that has not happened yet. The event
     * fails with what made the submission fail, or with {@link io.frameloom.gpu.DeviceLostException} if the device is lost.
     */
    GraphEvent arrived();
}
