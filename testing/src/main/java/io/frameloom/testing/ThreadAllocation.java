package io.frameloom.testing;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

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

    /** How much each live thread has allocated so far. */
    public static OfAll ofAll() {
        Map<Long, Long> bytes = new HashMap<>();
        long[] ids = THREADS.getAllThreadIds();
        long[] each = THREADS.getThreadAllocatedBytes(ids);
        for (int i = 0; i < ids.length; i++) {
            bytes.put(ids[i], each[i]);
        }
        return new OfAll(bytes);
    }

    /**
     * How much threads had allocated at some time.
     *
     * @param bytes by thread
     */
    public record OfAll(Map<Long, Long> bytes) {
        /** The bytes that the threads which live now have allocated since. Any thread may call it. */
        public long since() {
            long all = 0;
            for (Map.Entry<Long, Long> now : ofAll().bytes.entrySet()) {
                all += Math.max(0, now.getValue() - bytes.getOrDefault(now.getKey(), 0L));
            }
            return all;
        }
    }
}
