package io.frameloom.rdg;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How graphs are compiled; an immutable value, so that a plan is a function of graph, options, queues and sizes.
 *
 * <p>System properties win over values given in code, so that a running program can be examined without a change:
 * {@code frameloom.rdg.async} (off, tagged, all), {@code .cullPasses}, {@code .aliasing}, {@code .debug} (true, false),
 * {@code .passMin}, {@code .passMax}.
 *
 * @param async which passes may run on a compute queue
 * @param cullPasses whether passes that no output depends on are removed
 * @param aliasing whether transients share memory
 * @param passMin recording groups shorter than this are marked serial: not worth a task of their own
 * @param passMax most passes of one recording group
 * @param debug whether declarations keep their place in the source for error messages
 */
public record RdgOptions(
        AsyncCompute async, boolean cullPasses, boolean aliasing, int passMin, int passMax, boolean debug) {
    private static final String PREFIX = "frameloom.rdg.";

    /** Checks the limits. */
    public RdgOptions {
        if (passMin < 1 || passMax < passMin) {
            throw new IllegalArgumentException(
                    "recording groups need 1 <= passMin <= passMax, got " + passMin + " and " + passMax);
        }
    }

    /** Returns tagged async compute, culling and aliasing on, groups of 1 to 32 passes, debug off. */
    public static RdgOptions defaults() {
        return new RdgOptions(AsyncCompute.TAGGED, true, true, 1, 32, false);
    }

    /** Returns the same options with another async policy. */
    public RdgOptions withAsync(AsyncCompute value) {
        return new RdgOptions(value, cullPasses, aliasing, passMin, passMax, debug);
    }

    /** Returns the same options with culling on or off. */
    public RdgOptions withCullPasses(boolean value) {
        return new RdgOptions(async, value, aliasing, passMin, passMax, debug);
    }

    /** Returns the same options with aliasing on or off. */
    public RdgOptions withAliasing(boolean value) {
        return new RdgOptions(async, cullPasses, value, passMin, passMax, debug);
    }

    /** Returns the same options with other sizes of recording groups. */
    public RdgOptions withPassLimits(int min, int max) {
        return new RdgOptions(async, cullPasses, aliasing, min, max, debug);
    }

    /** Returns the same options with debug on or off. */
    public RdgOptions withDebug(boolean value) {
        return new RdgOptions(async, cullPasses, aliasing, passMin, passMax, value);
    }

    /**
     * Returns these options with the system properties applied.
     *
     * @throws IllegalArgumentException naming the property whose value is none
     */
    public RdgOptions withSystemProperties() {
        String asyncName = System.getProperty(PREFIX + "async");
        return new RdgOptions(
                asyncName == null ? async : parseAsync(asyncName),
                flag("cullPasses", cullPasses),
                flag("aliasing", aliasing),
                number("passMin", passMin),
                number("passMax", passMax),
                flag("debug", debug));
    }

    private static AsyncCompute parseAsync(String value) {
        for (AsyncCompute policy : AsyncCompute.values()) {
            if (policy.name().equals(value.toUpperCase(Locale.ROOT))) {
                return policy;
            }
        }
        throw bad("async", value, "off, tagged or all");
    }

    private static boolean flag(String name, boolean fallback) {
        @Nullable String value = System.getProperty(PREFIX + name);
        if (value == null) {
            return fallback;
        }
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw bad(name, value, "true or false");
        };
    }

    private static int number(String name, int fallback) {
        @Nullable String value = System.getProperty(PREFIX + name);
        if (value == null) {
            return fallback;
        }
        if (!value.matches("[1-9][0-9]{0,8}")) {
            throw bad(name, value, "a number of 1 or more");
        }
        return Integer.parseInt(value);
    }

    private static IllegalArgumentException bad(String name, String value, String expected) {
        return new IllegalArgumentException(
                "system property " + PREFIX + name + " must be " + expected + ", got '" + value + "'");
    }
}
