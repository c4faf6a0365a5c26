package io.frameloom.taskgraph;

import org.jspecify.annotations.Nullable;

/**
 * A system property {@code frameloom.*}, of any of Frameloom's libraries, has a wrong value. The message names the property,
 * what it is set to and what would be right; it is for the person who started the program.
 */
public final class SystemPropertyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String property;

    /**
     * A wrong value.
     *
     * @param property whole name of the property
     * @param problem what is wrong with its value, to follow the name
     * @param cause what found it, or null
     */
    public SystemPropertyException(String property, String problem, @Nullable Throwable cause) {
        super("system property " + property + problem, cause);
        this.property = property;
    }

    /** Returns the whole name of the property. */
    public String property() {
        return property;
    }
}
