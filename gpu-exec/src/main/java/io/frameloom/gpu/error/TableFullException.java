package io.frameloom.gpu.error;

/** All slots of a kind of a bindless table are in use. When some are closed and no longer used, there are slots again. */
public final class TableFullException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** A request for one slot more. */
    public TableFullException(String message) {
        super(message);
    }
}
