package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The few operations that the cache does on files, as a seam: tests cut the power, kill the process or refuse at any of
 * them. Any thread. No operation follows a link at the end of its path.
 */
public interface StoreFiles {
    /** Returns the facts of a path, or null if there is nothing. */
    @Nullable
    FileFacts facts(Path path) throws IOException;

    /** Lists a folder, in any order. */
    List<FileFacts> list(Path folder) throws IOException;

    /** Creates a folder; its parent must exist, it must not. */
    void createFolder(Path folder) throws IOException;

    /** Reads at most {@code limit} bytes from the start of a file. */
    byte[] read(Path file, long limit) throws IOException;

    /** Writes a new file, which must not be there; survives the end of the process, but not a loss of power. */
    void write(Path file, byte[] bytes) throws IOException;

    /** Makes the contents of a file survive a loss of power. */
    void force(Path file) throws IOException;

    /** Renames a file in one step; one that has the new name already is replaced. */
    void move(Path from, Path to) throws IOException;

    /** Makes the names in a folder survive a loss of power. */
    void forceFolder(Path folder) throws IOException;

    /** Deletes a file, a link or an empty folder, if it is there. */
    void delete(Path path) throws IOException;

    void touch(Path file, long millis) throws IOException;

    /**
     * Takes hold of a file until it is released or the process ends.
     *
     * @return the hold, or null if another process has it
     * @throws NoSuchFileException if there is no such file
     */
    @Nullable
    Hold tryHold(Path file) throws IOException;

    /** Returns the time that files are stamped with, milliseconds since 1970. */
    long nowMillis();

    /** Returns a name of the running process that no other process on this machine has or had: digits and dashes. */
    String processName();

    /**
     * Runs something when the process exits, but not if it is killed or crashes. The code must not wait: the process
     * does not end before it.
     */
    AtExit atExit(Runnable work);

    /**
     * Returns why an operation failed, on one line; the JDK's message may be only a path, with the reason in the type.
     */
    static String reason(IOException failure) {
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

    /** Something to be done when the process exits. */
    interface AtExit extends AutoCloseable {
        /** Gives it up, unless the process exits already. */
        @Override
        void close();
    }

    /** A file that no other process can take hold of. */
    interface Hold extends AutoCloseable {
        @Override
        void close() throws IOException;
    }
}
