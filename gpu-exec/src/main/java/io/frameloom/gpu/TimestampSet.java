package io.frameloom.gpu;

/** A set of timestamps written by command lists. */
public interface TimestampSet extends AutoCloseable {
    /** Returns the number of timestamps. */
    int count();

    /** Forgets all values. Call when no submission that writes them is pending, before recording. Any thread. */
    void reset();

    /**
     * Reads all values, in nanoseconds of the host's {@link System#nanoTime} clock as well as the device can relate
     * them; {@link Long#MIN_VALUE} for those not written. Call when the submission has completed. Any thread.
     */
    long[] readNanos();

    /** Destroys the set; a second call does nothing. */
    @Override
    void close();
}
