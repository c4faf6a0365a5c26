package io.frameloom.samples;

import java.util.Locale;

/** Sizes of memory as people read them, in the units of reports. Any thread. */
public final class ByteSize {
    private static final double KIB = 1024;

    private ByteSize() {}

    /** Returns a number of bytes with a binary unit: bytes, KiB or MiB. */
    public static String of(long bytes) {
        if (bytes < 4 * KIB) {
            return bytes + " B";
        }
        return bytes < 4 * KIB * KIB
                ? String.format(Locale.ROOT, "%.2f KiB", bytes / KIB)
                : String.format(Locale.ROOT, "%.2f MiB", bytes / (KIB * KIB));
    }
}
