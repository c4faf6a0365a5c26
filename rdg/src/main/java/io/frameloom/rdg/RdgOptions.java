package io.frameloom.rdg;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How graphs are compiled; an immutable value, so that a plan is a function of graph, options, queues and sizes.
 *
 * <p>System properties win over values given in code, so that a running program can be examined without a change:
 * {@code frameloom.rdg.async} (off, tagged, all), {@code .order} (declared, unordered), {@code .cullPasses},
 * {@code .mergeRenderPasses}, {@code .overlapStorageWrites}, {@code .aliasing}, {@code .debug} (true, false),
 * {@code .reusePlans} (true, false), {@code .passMin}, {@code .passMax}.
 *
 * @param async which passes may run on a compute queue
 * @param order what the order of declaration means
 * @param cullPasses whether passes that no output depends on are removed
 * @param mergeRenderPasses whether passes with the same render targets share a render pass
 * @param overlapStorageWrites whether the writes of an {@link OverlapGroup} have no barrier among each other
 * @param aliasing whether transients share memory
 * @param passMin recording groups shorter than this are marked serial: not worth a task of their own
 * @param passMax most passes of one recording group
 * @param debug whether declarations keep their place in the source for error messages
 * @param reusePlans whether a graph that declares the same as one before gets its plan
 */
public record RdgOptions(
        AsyncCompute async,
        PassOrder order,
        boolean cullPasses,
        boolean mergeRenderPasses,
        boolean overlapStorageWrites,
        boolean aliasing,
        int passMin,
        int passMax,
        boolean debug,
        boolean reusePlans) {
    private static final String PREFIX = "frameloom.rdg.";

    /** Checks the limits. */
    public RdgOptions {
        if (passMin < 1 || passMax < passMin) {
            throw new IllegalArgumentException(
                    "recording groups need 1 <= passMin <= passMax, got " + passMin + " and " + passMax);
        }
    }

    /**
     * Returns tagged async compute, declared order, culling, merging, overlapping and aliasing on, groups of 1 to 32
     * passes, debug off, reuse of plans on.
     */
    public static RdgOptions defaults() {
        return new RdgOptions(AsyncCompute.TAGGED, PassOrder.DECLARED, true, true, true, true, 1, 32, false, true);
    }

    /** Returns the same options with another async policy. */
    public RdgOptions withAsync(AsyncCompute value) {
        return new RdgOptions(
                value,
                order,
                cullPasses,
                mergeRenderPasses,
                overlapStorageWrites,
                aliasing,
                passMin,
                passMax,
                debug,
                reusePlans);
    }

    /** Returns the same options with another meaning of the order of declaration. */
    public RdgOptions withOrder(PassOrder value) {
        return new RdgOptions(
                async,
                value,
                cullPasses,
                mergeRenderPasses,
                overlapStorageWrites,
                aliasing,
                passMin,
                passMax,
                debug,
                reusePlans);
    }

    /** Returns the same options with merging of render passes on or off. */
    public RdgOptions withMergeRenderPasses(boolean value) {
        return new RdgOptions(
                async, order, cullPasses, value, overlapStorageWrites, aliasing, passMin, passMax, debug, reusePlans);
    }

    /** Returns the same options with overlapping storage writes on or off. */
    public RdgOptions withOverlapStorageWrites(boolean value) {
        return new RdgOptions(
                async, order, cullPasses, mergeRenderPasses, value, aliasing, passMin, passMax, debug, reusePlans);
    }

    /** Returns the same options with culling on or off. */
    public RdgOptions withCullPasses(boolean value) {
        return new RdgOptions(
                async,
                order,
                value,
                mergeRenderPasses,
                overlapStorageWrites,
                aliasing,
                passMin,
                passMax,
                debug,
                reusePlans);
    }

    /** Returns the same options with aliasing on or off. */
    public RdgOptions withAliasing(boolean value) {
        return new RdgOptions(
                async,
                order,
                cullPasses,
                mergeRenderPasses,
                overlapStorageWrites,
                value,
                passMin,
                passMax,
                debug,
                reusePlans);
    }

    /** Returns the same options with other sizes of recording groups. */
    public RdgOptions withPassLimits(int min, int max) {
        return new RdgOptions(
                async,
                order,
                cullPasses,
                mergeRenderPasses,
                overlapStorageWrites,
                aliasing,
                min,
                max,
                debug,
                reusePlans);
    }

    /** Returns the same options with debug on or off. */
    public RdgOptions withDebug(boolean value) {
        return new RdgOptions(
                async,
                order,
                cullPasses,
                mergeRenderPasses,
                overlapStorageWrites,
                aliasing,
                passMin,
                passMax,
                value,
                reusePlans);
    }

    /** Returns the same options with reuse of plans on or off. */
    public RdgOptions withReusePlans(boolean value) {
        return new RdgOptions(
                async,
                order,
                cullPasses,
                mergeRenderPasses,
                overlapStorageWrites,
                aliasing,
                passMin,
                passMax,
                debug,
                value);
    }

    /**
     * Returns these options with the system properties applied.
     *
     * @throws IllegalArgumentException naming the property whose value is none
     */
    public RdgOptions withSystemProperties() {
        return new RdgOptions(
                constant("async", async, "off, tagged or all"),
                constant("order", order, "declared or unordered"),
                flag("cullPasses", cullPasses),
                flag("mergeRenderPasses", mergeRenderPasses),
                flag("overlapStorageWrites", overlapStorageWrites),
                flag("aliasing", aliasing),
                number("passMin", passMin),
                number("passMax", passMax),
                flag("debug", debug),
                flag("reusePlans", reusePlans));
    }

    private static <E extends Enum<E>> E constant(String name, E fallback, String expected) {
        @Nullable String value = System.getProperty(PREFIX + name);
        if (value == null) {
            return fallback;
        }
        for (E constant : fallback.getDeclaringClass().getEnumConstants()) {
            if (constant.name().equals(value.toUpperCase(Locale.ROOT))) {
                return constant;
            }
        }
        throw bad(name, value, expected);
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
