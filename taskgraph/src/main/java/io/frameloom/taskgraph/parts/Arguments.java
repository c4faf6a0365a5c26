package io.frameloom.taskgraph.parts;

import org.jspecify.annotations.Nullable;

/**
 * Checks an application's arguments where it passes them: a message names the parameter and what it was meant for.
 * Static procedures of any thread.
 */
public final class Arguments {
    private Arguments() {}

    /**
     * Returns the value, unless it is null: then it throws. The kind of what the value is meant for is a word such as
     * "task".
     */
    public static <T> T required(@Nullable T value, String parameter, String kind, String name) {
        if (value == null) {
            throw new NullPointerException(kind + " '" + name + "': " + parameter + " must not be null");
        }
        return value;
    }

    /** As above, where what the value is meant for has no name: a method or class. */
    public static <T> T required(@Nullable T value, String parameter, String where) {
        if (value == null) {
            throw new NullPointerException(where + ": " + parameter + " must not be null");
        }
        return value;
    }

    /**
     * Returns the name, unless it is null or blank, so that it would show nothing: then it throws. The last argument
     * says what is to be called so, with its article.
     */
    public static String requiredName(@Nullable String name, String what) {
        if (name == null) {
            throw new NullPointerException(what + " needs a name: name must not be null");
        }
        if (name.isEmpty() || (name.charAt(0) <= ' ' && name.isBlank())) {
            throw new IllegalArgumentException(what + " needs a non-blank name: it is what errors and traces show");
        }
        return name;
    }
}
