package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.StoredEntry;
import org.jspecify.annotations.Nullable;

/** A program in memory. Any thread. */
final class Resident {
    private final StoredEntry entry;
    private final @Nullable DiskStore store;
    private volatile boolean proven;

    /**
     * A program.
     *
     * @param store where the disk keeps it, if anywhere
     * @param proven whether a driver has made or taken it in this process
     */
    Resident(StoredEntry entry, @Nullable DiskStore store, boolean proven) {
        this.entry = entry;
        this.store = store;
        this.proven = proven;
    }

    StoredEntry entry() {
        return entry;
    }

    Digest digest() {
        return entry.digest();
    }

    @Nullable
    DiskStore store() {
        return store;
    }

    byte[] binary() {
        return entry.payload();
    }

    /** Returns what it takes of the memory budget. */
    long bytes() {
        return (long) entry.payload().length
                + entry.keyText().length
                + (long) entry.parts().size() * Digest.BYTES;
    }

    boolean isProven() {
        return proven;
    }

    void setProven() {
        proven = true;
    }
}
