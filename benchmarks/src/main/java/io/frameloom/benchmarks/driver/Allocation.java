package io.frameloom.benchmarks.driver;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Heap bytes allocated so far by all live threads. Exact as long as no thread ends between two readings. */
public final class Allocation {
    private final ThreadMXBean threads;

    /** Switches the counting on. */
    public Allocation() {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean)) {
            throw new IllegalStateException("this JVM does not count allocated bytes per thread; use a HotSpot JVM");
        }
        threads = bean;
        threads.setThreadAllocatedMemoryEnabled(true);
    }

    /** The bytes allocated so far. */
    public long bytes() {
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            sum += Math.max(bytes, 0);
        }
        return sum;
    }
}
