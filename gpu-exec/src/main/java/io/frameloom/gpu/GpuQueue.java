package io.frameloom.gpu;

/** A queue of a device. */
public interface GpuQueue {
    /** Returns the name, unique on the device, such as {@code graphics} or {@code compute 2}. */
    String name();

    /** Returns the position in {@link GpuDevice#queues}. */
    int index();

    /** Returns what it can execute. */
    QueueKind kind();

    /**
     * Returns the queue family. Devices share resources between the families of all their queues, so nothing has to be
     * handed over; queues of one family record from the same kind of command pool.
     */
    int family();

    /** Returns the queue's clock. */
    GpuTimeline timeline();

    /**
     * Submits command lists; waits come first, then the lists in order, then the timeline reaches the returned value
     * (with narrower {@link Submission#signalStages} the next one as well). Any thread; submissions are serialised, and
     * a command list is handed over by the thread that has recorded it.
     *
     * @throws DeviceLostException if the device is lost; every pending event of the device then completes with it
     */
    TimelinePoint submit(Submission submission);
}
