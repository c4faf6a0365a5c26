package io.frameloom.rdg.tools.report;

import java.util.Locale;

/** Numbers as people read them. */
final class Units {
    private static final double KIB = 1024;

    private Units() {}

    /** Returns bytes with a binary unit. */
    static String bytes(long bytes) {
        if (bytes < 4 * KIB) {
            return bytes + " B";
        }
        if (bytes < 4 * KIB * KIB) {
            return decimal(bytes / KIB) + " KiB";
        }
        return bytes < 4 * KIB * KIB * KIB
                ? decimal(bytes / (KIB * KIB)) + " MiB"
                : decimal(bytes / (KIB * KIB * KIB)) + " GiB";
    }

    /** Returns a time with a decimal unit. */
    static String time(long nanos) {
        return time((double) nanos);
    }

    /** Returns a time with a decimal unit. */
    static String time(double nanos) {
        if (nanos < 1e3) {
            return Math.round(nanos) + " ns";
        }
        if (nanos < 1e6) {
            return decimal(nanos / 1e3) + " µs";
        }
        return nanos < 1e9 ? decimal(nanos / 1e6) + " ms" : decimal(nanos / 1e9) + " s";
    }

    /** Returns a share in percent. */
    static String percent(double share) {
        return decimal(share * 100) + " %";
    }

    private static String decimal(double value) {
        String text = String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.1f", value);
        int end = text.length();
        while (text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }

    /** Returns the step of an axis: 1, 2 or 5 times a power of ten, so that about {@code ticks} fit. */
    static double step(double extent, int ticks) {
        double rough = Math.max(extent, 1e-9) / ticks;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double digit = rough / power;
        return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    }

    /** Returns the step of an axis of bytes: a power of two, so that about {@code ticks} fit. */
    static long byteStep(long extent, int ticks) {
        long rough = Math.max(1, extent / ticks);
        long power = Long.highestOneBit(rough);
        return power == rough ? power : power << 1;
    }
}
