package io.frameloom.gpu.command;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.resource.Resource;

/** A set of timestamps written by command lists, each once between two resets. */
public interface TimestampSet extends AutoCloseable {
    /** Returns the number of timestamps. */
    int count();

    /**
     * Forgets all values and which lists write them. Call it before recording, when no submission that writes them is
     * pending; also before recording anew what was not submitted. Any thread.
     */
    void reset();

    /**
     * Reads all values, in nanoseconds of the host's {@link System#nanoTime} clock as well as the device can relate
     * them. {@link Long#MIN_VALUE} stands for those not written, and for all where the device cannot relate them
     * ({@link DeviceCapabilities#timestamps}). Call it when the submission has completed, and not while other threads
     * need the caller: Mesa's software driver returns only when the device is idle. Any thread.
     */
    long[] readNanos();

    /** Closes the set as a {@link Resource} is closed, also in use; a second call does nothing. */
    @Override
    void close();
}
