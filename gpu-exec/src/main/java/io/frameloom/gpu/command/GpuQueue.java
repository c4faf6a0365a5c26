package io.frameloom.gpu.command;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.resource.QueueSharing;

/** A queue of a device. */
public interface GpuQueue {
    /** Returns the name, unique on the device, such as {@code graphics} or {@code compute 2}. */
    String name();

    /** Returns the position in {@link GpuDevice#queues}. */
    int index();

    /** Returns what it can execute. */
    QueueKind kind();

    /**
     * Returns the queue family. Resources are shared by the families of all queues of a device, unless they are made
     * {@link QueueSharing#EXCLUSIVE}; queues of one family record from the same kind of command pool.
     */
    int family();

    /** Returns how many queue families its device has, used or not; {@link #family} is below this. */
    default int familyCount() {
        return family() + 1;
    }

    /** Returns the units in which it copies parts of textures. */
    default CopyUnit copyUnit() {
        return CopyUnit.TEXEL;
    }

    /** Returns the queue's clock. */
    GpuTimeline timeline();

    /**
     * Submits command lists. Waits come first, then the lists in order, then the timeline reaches the returned value
     * (with narrower {@link Submission#signalStages} the next one as well). Any thread; submissions are serialised, and
     * the thread that has recorded a command list hands it over.
     *
     * <p>A submission that is refused submits nothing, and its other lists can be submitted by another call.
     *
     * @throws IllegalStateException naming submission and list, if a list has not ended, was submitted before or
     *     recycled; or if something that it names, or a list that it executes, was closed before this call. What
     *     another thread closes during the call is either found closed or kept until the submission is complete
     * @throws DeviceLostException if the device is lost; every pending event of the device then completes with it
     */
    TimelinePoint submit(Submission submission);

    /** Returns whether {@link #bind} works: the device has sparse textures, and this queue binds their memory. */
    default boolean bindsLevels() {
        return false;
    }

    /**
     * Gives levels of {@linkplain GpuDevice#createSparseTexture sparse textures} memory, or takes it back. This happens
     * after everything submitted to this queue before and what the binding waits for, and before everything submitted
     * to it later. Other queues wait for the point. A level that has just got memory has no contents. Memory of a level
     * that loses it is free when the point is reached.
     *
     * <p>Any thread. Bindings of a device wait for each other. One that finds no memory waits up to two seconds for
     * work that still uses closed objects. So do not hold the lock of an adopted queue meanwhile. A binding that is
     * refused changes nothing.
     *
     * @throws IllegalArgumentException if a texture is not sparse or of another device; a level is none of its levels,
     *     has memory already, or has none to lose; or a wait is for what was not submitted yet
     * @throws IllegalStateException if a texture is closed, or this queue does not {@linkplain #bindsLevels bind}
     * @throws GpuOutOfMemoryException if there is no memory
     * @throws DeviceLostException if the device is lost
     */
    default TimelinePoint bind(LevelBinding binding) {
        throw new IllegalStateException("binding '" + binding.label() + "' to queue '" + name()
                + "', which binds no levels; take one whose bindsLevels says that it does");
    }
}
