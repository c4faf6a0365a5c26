package io.frameloom.taskgraph;

import org.jspecify.annotations.Nullable;

/**
 * A system property {@code frameloom.taskgraph.*} has a wrong value, found by {@link TaskGraphBuilder#build}. The
 * message is for the person who started the program: it names the property, its value and what would be right.
 */
public final class TaskGraphPropertyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String property;

    /**
     * Creates the exception.
     *
     * @param property the whole name of the property
     * @param text what it is set to
     * @param problem the rest of the sentence
     * @param cause why the text could not be read, or null
     */
    public TaskGraphPropertyException(String property, String text, String problem, @Nullable Throwable cause) {
        super("system property " + property + "=" + text + problem, cause);
        this.property = property;
    }

    /** Returns the whole name of the property. */
    public String property() {
        return property;
    }
}
