package io.frameloom.gpu.error;

import org.jspecify.annotations.Nullable;

/**
 * A system property {@code frameloom.*} has a wrong value. The message is for the person who started the program: it
 * names the property, its value and what would be right.
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
