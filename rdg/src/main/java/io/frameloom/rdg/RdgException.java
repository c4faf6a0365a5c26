package io.frameloom.rdg;

/** A misuse of the render graph; the message names the pass and the resource and says what to do. */
public class RdgException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates it with a message. */
    public RdgException(String message) {
        super(message);
    }

    /** Creates it with a message and a cause. */
    public RdgException(String message, Throwable cause) {
        super(message, cause);
    }
}
