package io.frameloom.testing;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/** A thread dump with whole stacks, held monitors and deadlocks; {@link ThreadInfo#toString} stops after 8 frames. */
final class ThreadDump {

    private ThreadDump() {}

    /** Any thread may call it. */
    static String ofAllThreads() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        StringBuilder text = new StringBuilder(8_192);
        long[] deadlocked = threads.findDeadlockedThreads();
        if (deadlocked != null) {
            text.append("deadlocked:");
            for (ThreadInfo info : threads.getThreadInfo(deadlocked)) {
                if (info != null) {
                    text.append(" \"").append(info.getThreadName()).append('"');
                }
            }
            text.append('\n');
        }
        for (ThreadInfo info : threads.dumpAllThreads(true, true)) {
            append(text, info);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, ThreadInfo info) {
        text.append('"').append(info.getThreadName()).append("\" ").append(info.getThreadState());
        LockInfo lock = info.getLockInfo();
        if (lock != null) {
            text.append(" on ").append(lock);
        }
        if (info.getLockOwnerName() != null) {
            text.append(" held by \"").append(info.getLockOwnerName()).append('"');
        }
        text.append('\n');
        StackTraceElement[] stack = info.getStackTrace();
        for (int depth = 0; depth < stack.length; depth++) {
            text.append("    at ").append(stack[depth]).append('\n');
            for (MonitorInfo monitor : info.getLockedMonitors()) {
                if (monitor.getLockedStackDepth() == depth) {
                    text.append("    - locked ").append(monitor).append('\n');
                }
            }
        }
        for (LockInfo held : info.getLockedSynchronizers()) {
            text.append("    - holds ").append(held).append('\n');
        }
    }
}
