package io.frameloom.taskgraph.property;

import io.frameloom.taskgraph.SystemPropertyException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The system properties of one prefix, such as {@code frameloom.gpu.}, that override options given in code. Each call reads
 * its property anew, and returns the option where it is not set. Any thread.
 */
public final class PropertyGroup {
    private final String prefix;
    private final Set<String> names;

    /** A group of properties, whose names are given without the prefix. */
    public PropertyGroup(String prefix, String... names) {
        this.prefix = prefix;
        this.names = Set.of(names);
    }

    public Set<String> names() {
        return names.stream().map(prefix::concat).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns what a property is set to, or null. */
    public @Nullable String text(String name) {
        if (!names.contains(name)) {
            throw new IllegalArgumentException("the properties " + prefix + "* have no '" + name + "'");
        }
        return System.getProperty(prefix + name);
    }

    public boolean flag(String name, boolean option) {
        @Nullable String text = text(name);
        if (text == null) {
            return option;
        }
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw mustBe("true or false", name, text);
        };
    }

    public int number(String name, int option, int least, int most) {
        return (int) number(name, (long) option, least, most);
    }

    public long number(String name, long option, long least, long most) {
        @Nullable String text = text(name);
        if (text == null) {
            return option;
        }
        if (text.trim().matches("[0-9]{1,18}")) {
            long value = Long.parseLong(text.trim());
            if (value >= least && value <= most) {
                return value;
            }
        }
        String range = most == Long.MAX_VALUE ? "of " + least + " or more" : "from " + least + " to " + most;
        throw mustBe("a whole number " + range, name, text);
    }

    public <E extends Enum<E>> E constant(String name, E option) {
        @Nullable String text = text(name);
        if (text == null) {
            return option;
        }
        E[] constants = option.getDeclaringClass().getEnumConstants();
        return Arrays.stream(constants)
                .filter(each -> each.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> mustBe(
                        Arrays.stream(constants)
                                .map(each -> each.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ", "one of ", "")),
                        name,
                        text));
    }

    public Path folder(String name, Path option) {
        return parsed(name, option, text -> {
            if (text.isBlank()) {
                throw new IllegalArgumentException("needs the path of a folder, it is empty");
            }
            try {
                return Path.of(text);
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("needs the path of a folder, '" + text + "' is none", e);
            }
        });
    }

    /** Reads a value that has a syntax of its own; what the parser says of a wrong one becomes part of the message. */
    public <T> T parsed(String name, T option, Function<String, T> parser) {
        @Nullable String text = text(name);
        if (text == null) {
            return option;
        }
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new SystemPropertyException(prefix + name, ": " + e.getMessage(), e);
        }
    }

    private SystemPropertyException mustBe(String expected, String name, String text) {
        return new SystemPropertyException(prefix + name, " must be " + expected + ", got '" + text + "'", null);
    }
}
