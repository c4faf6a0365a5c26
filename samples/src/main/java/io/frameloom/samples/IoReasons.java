package io.frameloom.samples;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Says in words why files cannot be read or written. Any thread. */
public final class IoReasons {
    private IoReasons() {}

    /**
     * Returns the reason on one line; the JDK's message is only a path where the type says the rest. Names of files stand in
     * it as they are: it is to be printed as {@link io.frameloom.rdg.diagnostics.PrintableText}.
     */
    public static String of(IOException failure) {
        String message = failure.getMessage() == null
                ? failure.getClass().getSimpleName()
                : failure.getMessage().replaceAll("\\s*\\R\\s*", " ").strip();
        if (failure instanceof AccessDeniedException) {
            return "access denied to " + message;
        }
        if (failure instanceof NoSuchFileException) {
            return "there is no " + message;
        }
        return message;
    }
}
