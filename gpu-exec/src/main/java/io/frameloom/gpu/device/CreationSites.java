package io.frameloom.gpu.device;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.MemoryHeap;
import java.util.List;

/** Finds the line of code that has asked a device or a heap for an object. Stateless. */
public final class CreationSites {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** How many frames there are at most from here to the device's caller. */
    private static final int DEEPEST = 12;

    private CreationSites() {}

    /** Returns the caller of the device's or heap's method that this thread runs; empty if there is none. */
    public static String current() {
        List<StackWalker.StackFrame> top =
                WALKER.walk(frames -> frames.limit(DEEPEST).toList());
        for (int i = top.size() - 1; i > 0; i--) {
            if (creates(top.get(i - 1))) {
                return top.get(i).toStackTraceElement().toString();
            }
        }
        return "";
    }

    private static boolean creates(StackWalker.StackFrame frame) {
        return GpuDevice.class.isAssignableFrom(frame.getDeclaringClass())
                || MemoryHeap.class.isAssignableFrom(frame.getDeclaringClass());
    }
}
