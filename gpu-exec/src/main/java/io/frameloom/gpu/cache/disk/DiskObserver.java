package io.frameloom.gpu.cache.disk;

import java.io.IOException;

/** Receives the events of the disk level, on the thread on which they happen; must not call back. */
public interface DiskObserver {
    default void damaged(EntryDamage damage) {}

    /** A program was written; {@code before} and {@code after} are the bytes of all programs that are known. */
    default void written(Digest digest, long bytes, long before, long after) {}

    /** A program had to go to make room. */
    default void evicted(Digest digest, long bytes) {}

    /** A known program is gone: another process or a person has deleted it, or it was damaged. */
    default void vanished(Digest digest) {}

    /** A program was not written, or not marked as used: a full or read-only disk, or one larger than the budget. */
    default void writeFailed(IOException reason) {}

    /** A program was being loaded by a process when it ended, and is not used again. */
    default void crashed(Digest digest) {}

    /** A remainder of an ended process was removed. */
    default void litterRemoved(String name) {}
}
