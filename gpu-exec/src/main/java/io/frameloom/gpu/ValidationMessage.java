package io.frameloom.gpu;

/**
 * A message of the validation layer.
 *
 * @param id message id, such as a VUID
 * @param text whole text
 */
public record ValidationMessage(Severity severity, String id, String text) {
    /** Severity. */
    public enum Severity {
        /** Legal but dubious. */
        WARNING,
        /** Illegal. */
        ERROR
    }
}
