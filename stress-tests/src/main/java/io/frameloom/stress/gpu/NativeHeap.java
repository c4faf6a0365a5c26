package io.frameloom.stress.gpu;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.Platform;
import org.lwjgl.system.libc.LibCStdlib;
import org.lwjgl.system.linux.DynamicLinkLoader;

/**
 * The memory that the process's C library has handed out: that of drivers, of native libraries and of the JVM's own
 * structures. What is freed the library keeps for later, in pieces, so memory in use can be flat while resident memory
 * creeps. Any thread.
 */
final class NativeHeap {
    private static final Pattern SIZE =
            Pattern.compile("<(total|system) type=\"(fast|rest|mmap|current)\"[^>]*size=\"(\\d+)\"/>");

    private NativeHeap() {}

    /**
     * Memory of the C library.
     *
     * @param inUse bytes handed out
     * @param kept these and the bytes that it keeps
     */
    record Use(long inUse, long kept) {
        static final Use UNKNOWN = new Use(0, 0);
    }

    /** Returns what is in use now; nothing where the C library does not say. */
    static Use now() {
        if (Platform.get() != Platform.LINUX) {
            return Use.UNKNOWN;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long open = function(stack, "open_memstream");
            long info = function(stack, "malloc_info");
            long close = function(stack, "fclose");
            if (open == MemoryUtil.NULL || info == MemoryUtil.NULL || close == MemoryUtil.NULL) {
                return Use.UNKNOWN;
            }
            PointerBuffer text = stack.callocPointer(2);
            long stream = JNI.invokePPP(text.address(0), text.address(1), open);
            if (stream == MemoryUtil.NULL) {
                return Use.UNKNOWN;
            }
            int result = JNI.invokePI(0, stream, info);
            JNI.invokePI(stream, close);
            try {
                return result == 0 ? parse(MemoryUtil.memASCII(text.get(0), (int) text.get(1))) : Use.UNKNOWN;
            } finally {
                LibCStdlib.nfree(text.get(0));
            }
        }
    }

    private static long function(MemoryStack stack, String name) {
        long everywhere = 0;
        return DynamicLinkLoader.ndlsym(everywhere, MemoryUtil.memAddress(stack.ASCII(name)));
    }

    /** Reads what malloc_info writes: numbers of each arena, and behind them those of all. */
    static Use parse(String xml) {
        long free = 0;
        long mapped = 0;
        long kept = 0;
        Matcher sizes = SIZE.matcher(xml.substring(xml.lastIndexOf("</heap>") + 1));
        while (sizes.find()) {
            long bytes = Long.parseLong(sizes.group(3));
            switch (sizes.group(2)) {
                case "mmap" -> mapped = bytes;
                case "current" -> kept = bytes;
                default -> free += bytes;
            }
        }
        return new Use(kept - free + mapped, kept + mapped);
    }
}
