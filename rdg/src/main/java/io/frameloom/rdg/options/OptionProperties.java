package io.frameloom.rdg.options;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.error.SystemPropertyException;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.diagnostics.UnknownProperty;
import io.frameloom.taskgraph.TaskGraphBuilder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads options from system properties; what is no value is refused by name, with what would be one. */
public final class OptionProperties {
    static final String PREFIX = "frameloom.rdg.";

    private static final String FAMILY = "frameloom.";

    /** Names without the prefix: of {@link RdgOptions}, its parts, and {@link FrameExecutorOptions}. */
    private static final List<String> NAMES = List.of(
            "async",
            "order",
            "cullPasses",
            "mergeRenderPasses",
            "overlapStorageWrites",
            "aliasing",
            "passMin",
            "passMax",
            "debug",
            "reusePlans",
            "waitStageScope",
            "schedule",
            "hoistBarriers",
            "splitBarriers",
            "immediate",
            "serialise",
            "clobber",
            "recording",
            "labels",
            "validation",
            "compileTimes",
            "capture",
            "captureFolder",
            "captureAliasing",
            "dump",
            "dumpFolder",
            "transitionLog",
            "breakpoint",
            "graphFilter",
            "passFilter",
            "resourceFilter",
            "framesInFlight",
            "timestamps",
            "serialRecording",
            "poolFrames",
            "heapsPerFrame");

    private OptionProperties() {}

    /** Returns the whole names of the properties that this library reads itself. */
    public static Set<String> names() {
        Set<String> names = new TreeSet<>();
        NAMES.forEach(name -> names.add(PREFIX + name));
        return names;
    }

    /** Returns the properties {@code frameloom.x.y} that nothing reads, by name. */
    public static List<UnknownProperty> unknown(Properties properties) {
        Set<String> known = names();
        known.addAll(DeviceOptions.propertyNames());
        known.addAll(ProgramCacheOptions.propertyNames());
        known.addAll(TaskGraphBuilder.propertyNames());
        List<UnknownProperty> unknown = new ArrayList<>();
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            if (name.startsWith(FAMILY) && name.indexOf('.', FAMILY.length()) >= 0 && !known.contains(name)) {
                unknown.add(new UnknownProperty(name, NearestNames.of(name, List.copyOf(known))));
            }
        }
        return unknown;
    }

    /** Returns whether a property overrides what the code says. */
    public static boolean isSet(String name) {
        return System.getProperty(PREFIX + name) != null;
    }

    public static boolean flag(String name, boolean fallback) {
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

    public static int number(String name, int fallback) {
        @Nullable String value = System.getProperty(PREFIX + name);
        if (value == null) {
            return fallback;
        }
        if (!value.matches("[1-9][0-9]{0,8}")) {
            throw bad(name, value, "a whole number of 1 or more");
        }
        return Integer.parseInt(value);
    }

    public static int number(String name, int fallback, int most) {
        int number = number(name, fallback);
        if (number > most) {
            throw bad(name, String.valueOf(number), "a whole number from 1 to " + most);
        }
        return number;
    }

    /** Refuses two numbers in the wrong order, one of which a property has set. */
    public static void requireOrder(String lesser, int least, String greater, int most) {
        if (least > most) {
            String set = System.getProperty(PREFIX + lesser) == null ? greater : lesser;
            throw new SystemPropertyException(
                    PREFIX + set, " must leave " + lesser + " <= " + greater + ", got " + least + " and " + most, null);
        }
    }

    public static <E extends Enum<E>> E constant(String name, E fallback) {
        @Nullable String value = System.getProperty(PREFIX + name);
        if (value == null) {
            return fallback;
        }
        StringJoiner there = new StringJoiner(", ");
        for (E constant : fallback.getDeclaringClass().getEnumConstants()) {
            String spelled = constant.name().toLowerCase(Locale.ROOT);
            if (spelled.equals(value.toLowerCase(Locale.ROOT))) {
                return constant;
            }
            there.add(spelled);
        }
        throw bad(name, value, "one of " + there);
    }

    /** Reads a value that has a syntax of its own; what the parser says of a bad one becomes part of the message. */
    public static <T> T parsed(String name, T fallback, Function<String, T> parser) {
        @Nullable String value = System.getProperty(PREFIX + name);
        if (value == null) {
            return fallback;
        }
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException e) {
            throw new SystemPropertyException(PREFIX + name, ": " + e.getMessage(), e);
        }
    }

    public static Path folder(String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("needs the path of a folder, it is empty");
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("needs the path of a folder, '" + value + "' is none", e);
        }
    }

    private static SystemPropertyException bad(String name, String value, String expected) {
        return new SystemPropertyException(PREFIX + name, " must be " + expected + ", got '" + value + "'", null);
    }
}
