package io.frameloom.rdg;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads options from system properties; what is no value is refused by name, with what would be one. */
final class OptionProperties {
    static final String PREFIX = "frameloom.rdg.";

    private OptionProperties() {}

    static boolean flag(String name, boolean fallback) {
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

    static int number(String name, int fallback) {
        @Nullable String value = System.getProperty(PREFIX + name);
        if (value == null) {
            return fallback;
        }
        if (!value.matches("[1-9][0-9]{0,8}")) {
            throw bad(name, value, "a whole number of 1 or more");
        }
        return Integer.parseInt(value);
    }

    static <E extends Enum<E>> E constant(String name, E fallback) {
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
    static <T> T parsed(String name, T fallback, Function<String, T> parser) {
        @Nullable String value = System.getProperty(PREFIX + name);
        if (value == null) {
            return fallback;
        }
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("system property " + PREFIX + name + ": " + e.getMessage(), e);
        }
    }

    static Path folder(String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("needs the path of a folder, it is empty");
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("needs the path of a folder, '" + value + "' is none", e);
        }
    }

    private static IllegalArgumentException bad(String name, String value, String expected) {
        return new IllegalArgumentException(
                "system property " + PREFIX + name + " must be " + expected + ", got '" + value + "'");
    }
}
