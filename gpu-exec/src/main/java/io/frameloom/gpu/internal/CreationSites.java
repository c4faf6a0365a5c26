package io.frameloom.gpu.internal;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.MemoryHeap;
import java.util.Optional;

/** Finds the line of code that has asked a device or a heap for an object. Stateless. */
public final class CreationSites {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private CreationSites() {}

    /** Returns the caller of the method of the device or heap that is running on this thread; empty if there is none. */
    public static String current() {
        Optional<StackWalker.StackFrame> site = WALKER.walk(frames -> frames.dropWhile(frame -> !creates(frame))
                .dropWhile(CreationSites::creates)
                .findFirst());
        return site.map(frame -> frame.toStackTraceElement().toString()).orElse("");
    }

    private static boolean creates(StackWalker.StackFrame frame) {
        return GpuDevice.class.isAssignableFrom(frame.getDeclaringClass())
                || MemoryHeap.class.isAssignableFrom(frame.getDeclaringClass());
    }
}
