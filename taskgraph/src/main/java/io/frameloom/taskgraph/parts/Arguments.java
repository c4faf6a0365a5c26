package io.frameloom.taskgraph.parts;

import org.jspecify.annotations.Nullable;

/**
 * Checks an application's arguments where it passes them: a message names the parameter and what it was meant for.
 * Static procedures of any thread.
 */
public final class Arguments {
    private Arguments() {}

    /**
     * Refuses null.
     *
     * @param <T> type of the value
     * @param value what was passed in
     * @param parameter name of the parameter
     * @param kind what it was meant for, such as "task"
     * @param name name of that
     * @return the value
     * @throws NullPointerException if it is null
     */
    public static <T> T required(@Nullable T value, String parameter, String kind, String name) {
        if (value == null) {
            throw new NullPointerException(kind + " '" + name + "': " + parameter + " must not be null");
        }
        return value;
    }

    /**
     * Refuses null where what the value is meant for has no name.
     *
     * @param <T> type of the value
     * @param value what was passed in
     * @param parameter name of the parameter
     * @param where the method or class
     * @return the value
     * @throws NullPointerException if it is null
     */
    public static <T> T required(@Nullable T value, String parameter, String where) {
        if (value == null) {
            throw new NullPointerException(where + ": " + parameter + " must not be null");
        }
        return value;
    }

    /**
     * Refuses a name that would show nothing.
     *
     * @param name the name
     * @param what what is to be called so, with its article
     * @return the name
     * @throws NullPointerException if it is null
     * @throws IllegalArgumentException if it is blank
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
