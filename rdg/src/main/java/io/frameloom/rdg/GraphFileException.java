package io.frameloom.rdg;

/**
 * A file does not hold a graph: it is no JSON, a value means nothing, a name is unknown, a size is out of bounds. The
 * message is one line that names the place; {@link PrintableText} of what the file holds.
 */
public final class GraphFileException extends RdgException {
    private static final long serialVersionUID = 1;

    /** Creates the exception. */
    public GraphFileException(String message) {
        super(PrintableText.of(message));
    }

    /** Creates the exception with what was thrown below. */
    public GraphFileException(String message, Throwable cause) {
        super(PrintableText.of(message), cause);
    }
}
