package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A folder that cannot be used as a cache; the message names it, the reason and the way out, on one line. */
public final class FolderRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    FolderRefusedException(String message, @Nullable IOException cause) {
        super(message, cause);
    }

    /** A refusal for a reason of the cache. */
    static FolderRefusedException of(Path folder, String reason) {
        return new FolderRefusedException("cache folder " + folder + " " + reason, null);
    }

    /** A refusal by the file system. */
    static FolderRefusedException of(Path folder, String tried, IOException cause) {
        return new FolderRefusedException(
                "cache folder " + folder + " cannot be " + tried + ": " + reason(cause)
                        + "; make room, give the rights to it, or name another folder",
                cause);
    }

    /**
     * Returns the reason of a file system on one line; the JDK's message may be only a path, with the reason in the
     * type.
     */
    public static String reason(IOException failure) {
        String message = failure.getMessage() == null
                ? failure.getClass().getSimpleName()
                : failure.getMessage().replaceAll("\\s*\\R\\s*", " ").strip();
        if (failure instanceof AccessDeniedException) {
            return "access denied to " + message;
        }
        if (failure instanceof NoSuchFileException) {
            return "there is no " + message;
        }
        if (failure instanceof FileAlreadyExistsException) {
            return message + " is in the way";
        }
        return message;
    }
}
