package io.frameloom.samples.gltf;

/** A model cannot be loaded; the message is one line that names the file and what is wrong with it. */
public final class ModelException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A failure of its own. */
    public ModelException(String message) {
        super(message);
    }

    /** A failure with a cause. */
    public ModelException(String message, Throwable cause) {
        super(message, cause);
    }
}
