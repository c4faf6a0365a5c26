package io.frameloom.gpu.cache.disk;

import java.io.IOException;

/** Is told what happens on disk, on whatever thread it happens; must not call back. */
public interface DiskObserver {
    /** A file was not taken for a program. */
    void damaged(EntryDamage damage);

    /** A store was made for something else than its name says, and was emptied. */
    void incompatibleStore(String store);

    /** A program was written; {@code before} and {@code after} are the bytes of all stores. */
    void written(Digest digest, long bytes, long before, long after);

    /** A program had to go to make room. */
    void evicted(Digest digest, long bytes);

    /** A program that was known is not there any more: somebody else has deleted it, or it was damaged. */
    void vanished(Digest digest);

    /** A program was not written, or not marked as used: a full or read-only disk, or one larger than the budget. */
    void writeFailed(IOException reason);

    /** A program was being loaded by a process when it ended, and is not used again. */
    void crashed(Digest digest);

    /** Something that an ended process left behind was removed. */
    void litterRemoved(String name);

    /** Another process did not give a lock or a lease back in time. */
    void patienceLost(String name);
}
