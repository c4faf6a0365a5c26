package io.frameloom.samples.demo;

/** Bad input of the user; the message is one line that says what is wrong and what would be right. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Bad input. */
    public UsageException(String message) {
        super(message);
    }

    /** Bad input found by way of another exception. */
    public UsageException(String message, Throwable cause) {
        super(message, cause);
    }
}
