package io.frameloom.benchmarks.driver;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * What the live threads have used so far, each by itself: a thread that ends between two readings takes only
 * what it used in between with it, not what it had used before.
 */
public final class ThreadUsage {
    private record Used(long cpuNanos, long bytes) {
        static final Used NOTHING = new Used(0L, 0L);
    }

    private final Map<Long, Used> byThread = new HashMap<>();

    private ThreadUsage() {}

    /** Reads the counters of all live threads. */
    public static ThreadUsage now() {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean)) {
            throw new IllegalStateException("this JVM does not count allocated bytes per thread; use a HotSpot JVM");
        }
        ThreadUsage usage = new ThreadUsage();
        for (long id : bean.getAllThreadIds()) {
            long cpu = bean.getThreadCpuTime(id);
            long bytes = bean.getThreadAllocatedBytes(id);
            if (cpu >= 0 && bytes >= 0) {
                usage.byThread.put(id, new Used(cpu, bytes));
            }
        }
        return usage;
    }

    /** Processor time since an earlier reading, by the threads that live at this one. */
    public long cpuNanosSince(ThreadUsage earlier) {
        long sum = 0;
        for (Map.Entry<Long, Used> thread : byThread.entrySet()) {
            sum += thread.getValue().cpuNanos - earlier.of(thread.getKey()).cpuNanos;
        }
        return sum;
    }

    /** Bytes allocated since an earlier reading, by the threads that live at this one. */
    public long bytesSince(ThreadUsage earlier) {
        long sum = 0;
        for (Map.Entry<Long, Used> thread : byThread.entrySet()) {
            sum += thread.getValue().bytes - earlier.of(thread.getKey()).bytes;
        }
        return sum;
    }

    private Used of(long thread) {
        return byThread.getOrDefault(thread, Used.NOTHING);
    }
}
