package io.frameloom.rdg.tools;

import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.options.PrintableText;
import java.util.List;

/**
 * A file does not hold a graph: it is no JSON, a value means nothing, a name is unknown, a size is out of bounds. The
 * message is one line that names the place; control characters that the file holds are written as escapes in it.
 */
public final class GraphFileException extends RdgException {
    private static final long serialVersionUID = 1;

    private final RdgError.Code code;
    private final String pass;

    /** Creates the exception. */
    public GraphFileException(String message) {
        this(message, RdgError.Code.INPUT, "");
    }

    /** Creates the exception with what was thrown below. */
    public GraphFileException(String message, Throwable cause) {
        super(PrintableText.of(message), cause);
        code = RdgError.Code.INPUT;
        pass = "";
    }

    /**
     * Creates the exception for what validation finds wrong with graphs that come from elsewhere, too.
     *
     * @param pass name of the pass, empty if none is concerned
     */
    public GraphFileException(String message, RdgError.Code code, String pass) {
        super(PrintableText.of(message));
        this.code = code;
        this.pass = pass;
    }

    /** Returns the message as an error. */
    public RdgError error() {
        return new RdgError(code, pass, "", String.valueOf(getMessage()), "", List.of());
    }
}
