package io.frameloom.testing;

import java.lang.management.ManagementFactory;

/**
 * How much a thread has allocated, by the JVM's own counter. Reading it allocates nothing, so that no cost of the
 * counter has to be taken off: an estimated one is larger than the real one while the JVM compiles.
 */
public final class ThreadAllocation {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private ThreadAllocation() {}

    /** The bytes that the calling thread has allocated since it started; never decreases. Any thread may call it. */
    public static long bytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** The bytes that all live threads have allocated since they started; what threads had that have ended is missing. */
    public static long bytesOfAll() {
        long all = 0;
        for (long each : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            // A thread that has ended meanwhile has -1.
            all += Math.max(0, each);
        }
        return all;
    }
}
