package io.frameloom.benchmarks.driver;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Processor time used so far by all threads of this process. */
public final class ProcessorTime {
    private ProcessorTime() {}

    /** The time in nanoseconds. */
    public static long nanos() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            return system.getProcessCpuTime();
        }
        throw new IllegalStateException("this JVM does not tell its processor time; use a HotSpot JVM");
    }
}
