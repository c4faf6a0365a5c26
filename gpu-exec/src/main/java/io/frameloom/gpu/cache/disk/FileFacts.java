package io.frameloom.gpu.cache.disk;

/**
 * An entry of a folder; links are not followed.
 *
 * @param bytes size of a regular file
 * @param modifiedMillis time of the last change, milliseconds since 1970
 */
public record FileFacts(String name, Kind kind, long bytes, long modifiedMillis) {
    /** Kind of an entry. */
    public enum Kind {
        FILE,
        FOLDER,
        /** Symbolic link, whatever it leads to. */
        LINK,
        /** Anything else. */
        OTHER
    }

    public boolean isFile() {
        return kind == Kind.FILE;
    }
}
